import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {formatRoute, parseRoute} from '../../web/routes/routes.js';
import {parseAddress} from '../../web/page/address.js';

test('an address says which section is meant, the path in it and the fields', () => {
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

test('any other address is the viewer’s', () => {
  for (const hash of ['', '#', '#text=/lessons', '#lessons/scores', '#view=head']) {
    assert.equal(parseRoute(hash), null, hash);
  }
});

test('of a section, the address tells the viewer nothing', () => {
  assert.deepEqual(parseAddress('#/lessons/a/b?x=1&text=mine&layer=2'), parseAddress(''));
});

test('what is formatted is parsed back, whatever is in it', () => {
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

test('a part with a broken escape is taken as it is', () => {
  assert.deepEqual(parseRoute('#/lessons/%E0%A4')?.path, ['%E0%A4']);
});
