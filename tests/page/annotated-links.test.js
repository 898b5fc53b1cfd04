/** Tests between which rows the links of an annotated sentence are drawn. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {plainDisplay, readable} from '../../web/attention/display.js';
import {createSnapshot} from '../../web/attention/snapshot.js';
import {usualSpecialTokens} from '../../web/attention/special-tokens.js';
import {rowsOf} from '../../web/page/annotated-rows.js';

/** The tokens of "time flies". */
const tokens = ['[CLS]', 'time', 'fl', '##ies', '[SEP]'];
const offsets = /** @type {([number, number] | null)[]} */ ([null, [0, 4], [5, 7], [7, 10], null]);
const snapshot = createSnapshot({
  tokens,
  tokenTypeIds: [0, 0, 0, 0, 0],
  special: usualSpecialTokens(tokens),
  layers: 1,
  heads: 1,
  attention: () => new Float32Array(25).fill(0.2),
});
const annotation = {
  text: 'time flies',
  links: [{query: /** @type {const} */ ([5, 10]), key: /** @type {const} */ ([0, 4])}],
  caption: '',
};

/** @param {Partial<typeof plainDisplay>} display */
const rowsIn = (display) =>
  rowsOf(annotation, {offsets}, readable(snapshot, {...plainDisplay, ...display}));

test('a word of two tokens has its link at their middle', () => {
  assert.deepEqual(rowsIn({}), [{query: 3, key: 1.5}]);
});

test('without special tokens rows are higher up, and a merged word is one row', () => {
  assert.deepEqual(rowsIn({special: 'hide'}), [{query: 2, key: 0.5}]);
  assert.deepEqual(rowsIn({words: true}), [{query: 2.5, key: 1.5}]);
  assert.deepEqual(rowsIn({words: true, special: 'hide'}), [{query: 1.5, key: 0.5}]);
});

test('a link of a word that the model has cut off is not drawn', () => {
  const links = [{...annotation.links[0], key: /** @type {const} */ ([11, 14])}];
  assert.deepEqual(rowsOf({...annotation, links}, {offsets}, snapshot), []);
});
