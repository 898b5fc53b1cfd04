import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {formatRoute, parseRoute} from '../../web/routes/routes.js';
import {parseAddress} from '../../web/page/address.js';

test('an address names a section, a path in it and fields', () => {
  const route = parseRoute('#/lessons/query-key-value/scores?text=a+b%3F&seed=3');
  assert.equal(route?.section, 'lessons');
  assert.deepEqual(route.path, ['query-key-value', 'scores']);
  assert.deepEqual(
    [...route.fields],
    [
      ['text', 'a b?'],
      ['seed', '3'],
    ],
  );
});

test('any other address belongs to the viewer', () => {
  for (const hash of ['', '#', '#text=/lessons', '#lessons/scores', '#view=head']) {
    assert.equal(parseRoute(hash), null, hash);
  }
});

test('the viewer reads nothing from the address of a section', () => {
  assert.deepEqual(parseAddress('#/lessons/a/b?x=1&text=mine&layer=2'), parseAddress(''));
});

test('any formatted route is parsed back', () => {
  const part = fc.string({unit: 'grapheme', minLength: 1});
  fc.assert(
    fc.property(
      fc.record({
        path: fc.array(part.filter((text) => text !== '.' && text !== '..')),
        fields: fc.array(fc.tuple(part, part)),
      }),
      ({path, fields}) => {
        const hash = formatRoute({section: 'lessons', path, fields: new URLSearchParams(fields)});
        const back = parseRoute(new URL(hash, 'http://localhost/').hash);
        assert.deepEqual(back?.path, path);
        assert.deepEqual([...(back?.fields ?? [])], [...new URLSearchParams(fields)]);
      },
    ),
  );
});

test('a part with a broken escape is read literally', () => {
  assert.deepEqual(parseRoute('#/lessons/%E0%A4')?.path, ['%E0%A4']);
});
