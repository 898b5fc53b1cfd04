import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isReplaced} from '../../web/page/replaced-text.js';

test('a text of which little is left was replaced, and one with another word was edited', () => {
  const before = 'the cat sat on the mat';
  assert.equal(isReplaced(before, 'the dog sat on the mat'), false);
  assert.equal(isReplaced(before, `${before}.`), false);
  assert.equal(isReplaced(before, before), false);
  assert.equal(isReplaced(before, 'T'), true);
  assert.equal(isReplaced(before, 'Alice lost her keys.'), true);
  assert.equal(isReplaced('', 'a'), false, 'there was nothing to replace');
});
