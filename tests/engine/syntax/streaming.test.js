/** Tests that a treebank is measured sentence by sentence, with as much memory for a long one as for a short one. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {readTreebank} from '../../../web/engine/syntax/conllu.js';
import {scoreTreebank} from '../../../web/engine/syntax/score-treebank.js';

setFlagsFromString('--expose-gc');
/** @type {() => void} */
const gc = runInNewContext('gc');

const words = 20;
const relations = ['nsubj', 'obj', 'det', 'amod', 'case', 'obl', 'advmod', 'conj'];

/** A sentence of its own words; each depends on the one before. @param {number} number */
function sentence(number) {
  const rows = Array.from({length: words}, (_, at) => {
    const relation = at === 0 ? 'root' : relations[(number + at) % relations.length];
    return `${at + 1}\tw${number}x${at}\t_\t_\t_\t_\t${at}\t${relation}\t_\t_`;
  });
  return `# sent_id = ${number}\n${rows.join('\n')}\n\n`;
}

/** @param {number} count */
async function* treebank(count) {
  const encoder = new TextEncoder();
  for (let number = 0; number < count; number++) yield encoder.encode(sentence(number));
}

const links = {layers: 4, heads: 12, truncated: 0};
/** In the heads of even numbers each word attends to the one before. */
const model = {
  shape: {layers: 4, heads: 12},
  wordLinks: async (/** @type {string} */ _, /** @type {{words: unknown[]}} */ {words}) => {
    const {length} = words;
    const to = Int32Array.from({length: 48 * length}, (_, at) =>
      Math.floor(at / length) % 2 ? -1 : (at % length) - 1,
    );
    const earlier = new Int32Array(48 * length).fill(-1);
    return {...links, to, from: earlier, earlier, mean: new Float32Array(length ** 2)};
  },
};

/** The bytes that are in use, without garbage. */
function bytesInUse() {
  gc();
  const {heapUsed, arrayBuffers} = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('1,000 sentences take no more memory than 100', async () => {
  /** @type {Record<number, number>} */
  const after = {};
  const onProgress = (/** @type {{sentences: number}} */ {sentences}) => {
    if (sentences === 100 || sentences === 1_000) after[sentences] = bytesInUse();
  };
  const report = await scoreTreebank(model, readTreebank(treebank(1_000), 'long.conllu'), {
    onProgress,
  });
  assert.equal(report.sentences, 1_000);
  const more = after[1_000] - after[100];
  // 900 sentences that are kept take nearly 4 MB.
  assert.ok(more < 1_000_000, `${more} bytes more`);
});
