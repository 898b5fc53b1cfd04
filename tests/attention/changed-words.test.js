import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {changedWords} from '../../web/attention/changed-words.js';

for (const [before, after, from, to] of [
  ['It was too tired.', 'It was too wide.', 'tired', 'wide'],
  ['They were tired.', 'They were sold.', 'tired', 'sold'],
  ['The cat sat.', 'The cats sat.', 'cat', 'cats'],
  ['The cat sat', 'The cat sat down', '', 'down'],
  ['It did not cross the street.', 'It did cross the street.', 'not', ''],
  ['Is it true?', 'Is it true!', '?', '!'],
  ['我喜欢红茶。', '我喜欢绿茶。', '红', '绿'],
])
  test(`from “${before}” to “${after}”, “${from}” has become “${to}”`, () => {
    assert.deepEqual(changedWords(before, after), {from, to});
  });

test('of two sentences with little in common, no words are named', () => {
  assert.equal(changedWords('The animal was too tired.', 'Flies like a banana.'), null);
});

test('what is named are two parts of the texts, of which one alone may be empty', () => {
  const text = fc.array(fc.constantFrom('a', 'bc', ' ', '.', '红', '👩'), {maxLength: 12});
  fc.assert(
    fc.property(text, text, text, text, (start, middle, other, end) => {
      const [before, after] = [middle, other].map((part) => [...start, ...part, ...end].join(''));
      const changed = changedWords(before, after);
      if (!changed) return;
      assert.ok(changed.from || changed.to);
      assert.ok(before.includes(changed.from) && after.includes(changed.to));
    }),
  );
});
