import assert from 'node:assert/strict';
import {test} from 'node:test';
import {importAttention} from '../../web/attention/import-attention.js';
import {createSnapshot, snapshotToJson} from '../../web/attention/snapshot.js';

const tokens = ['[CLS]', 'a', '[SEP]', 'b', '[SEP]'];
const row = [0.5, 0.25, 0.125, 0.125, 0];

/** @param {unknown} json */
const snapshotFromJson = (json) => {
  const {all} = importAttention(json);
  assert.ok(all);
  return all;
};

/** Makes a snapshot of 2 layers and 3 heads, spoiled by `change`. */
function plain(change = (/** @type {any} */ _) => {}) {
  const heads = () => Array.from({length: 3}, () => tokens.map(() => [...row]));
  const json = {tokens, token_type_ids: [0, 0, 0, 1, 1], attentions: [heads(), heads()]};
  change(json);
  return json;
}

test('sentence B starts at the first token of type 1', () => {
  assert.equal(snapshotFromJson(plain()).sentenceB, 3);
  assert.equal(snapshotFromJson(plain((json) => delete json.token_type_ids)).sentenceB, null);
});

test('a snapshot survives its plain form', () => {
  const whole = plain((json) => (json.special_tokens_mask = [1, 0, 1, 0, 1]));
  assert.deepEqual(snapshotToJson(snapshotFromJson(plain())), whole);
  assert.deepEqual(snapshotToJson(snapshotFromJson(whole)), whole);
  for (const byte_level of [false, true]) {
    const said = {...whole, byte_level};
    assert.deepEqual(snapshotToJson(snapshotFromJson(said)), said);
  }
});

test('attention that was not fetched is undefined, not an error', () => {
  const snapshot = createSnapshot({tokens, layers: 1, heads: 1, attention: () => undefined});
  assert.equal(snapshot.attention(0, 0), undefined);
});

/** @type {[string, () => unknown, RegExp][]} */
const mismatches = [
  [
    'a matrix of the wrong size',
    () =>
      createSnapshot({
        tokens,
        layers: 1,
        heads: 1,
        attention: () => new Float32Array(24),
      }).attention(0, 0),
    /layer 0, head 0 should have 25 weights .* found 24/,
  ],
  [
    'too few token types',
    () => snapshotFromJson(plain((json) => json.token_type_ids.pop())),
    /5 tokens, found 4/,
  ],
  [
    'sentence A after sentence B',
    () => snapshotFromJson(plain((json) => (json.token_type_ids[4] = 0))),
    /token 4 should have type 1, found 0/,
  ],
  [
    'a layer with a head too few',
    () => snapshotFromJson(plain((json) => json.attentions[1].pop())),
    /attentions\[1\] should have 3 entries .* found 2/,
  ],
  [
    'too few rows',
    () => snapshotFromJson(plain((json) => json.attentions[1][2].pop())),
    /attentions\[1\]\[2\] should have 5 entries .*found 4/,
  ],
  [
    'too short a row',
    () => snapshotFromJson(plain((json) => json.attentions[0][1][4].pop())),
    /attentions\[0\]\[1\]\[4\] should have 5 entries .*found 4/,
  ],
  [
    'a weight that is not a number',
    () => snapshotFromJson(plain((json) => (json.attentions[0][1][4][0] = NaN))),
    /row 4 of layer 0, head 1 holds NaN/,
  ],
  [
    'no attention field',
    () => snapshotFromJson(plain((json) => delete json.attentions)),
    /Expected “attention”.* found tokens, token_type_ids/,
  ],
];

for (const [what, act, message] of mismatches) {
  test(`a snapshot with ${what} is refused with what was expected and what was found`, () => {
    assert.throws(act, {code: 'bad-snapshot', message});
  });
}
