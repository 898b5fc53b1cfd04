/** Tests what is kept of the explanations of a pass. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {keptExplanation, mostKept} from '../../web/workbench/kept-explanations.js';

/** @import {Translation} from '../../web/session/pass.js' */

/** @type {(pass: Translation, options: {token: number, signal?: AbortSignal, onProgress?: () => void}) => Promise<unknown>} */
const explained = keptExplanation;

/** A pass that counts its explanations. */
function countingPass() {
  const asked = /** @type {number[]} */ ([]);
  const explain = async (/** @type {{token: number}} */ {token}) => {
    asked.push(token);
    const contributions = Float32Array.of(token, 1);
    return {method: 'alti', contributions, matrix: new Float32Array(4), layers: [contributions]};
  };
  return {asked, pass: /** @type {Translation} */ (/** @type {unknown} */ ({explain}))};
}

test('an explanation is kept without its matrices, whatever signal it is asked for with', async () => {
  const {asked, pass} = countingPass();
  const first = await explained(pass, {token: 3});
  assert.deepEqual(first, {method: 'alti', contributions: Float32Array.of(3, 1)});
  const {signal} = new AbortController();
  assert.equal(await explained(pass, {token: 3, signal, onProgress() {}}), first);
  assert.deepEqual(asked, [3]);
  const other = countingPass();
  await explained(other.pass, {token: 3});
  assert.deepEqual(other.asked, [3]);
});

test('no more explanations of a pass are kept than the limit, and the first goes first', async () => {
  const {asked, pass} = countingPass();
  const tokens = Array.from({length: mostKept + 1}, (_, token) => token);
  for (const token of tokens) await explained(pass, {token});
  assert.deepEqual(asked, tokens);
  for (const token of tokens.slice(1)) await explained(pass, {token});
  assert.equal(asked.length, mostKept + 1);
  await explained(pass, {token: 0});
  assert.equal(asked.at(-1), 0);
  assert.equal(asked.length, mostKept + 2);
});

test('an explanation that fails is asked for again', async () => {
  const {asked, pass} = countingPass();
  const {explain} = pass;
  pass.explain = async () => {
    throw new Error('enough');
  };
  await assert.rejects(explained(pass, {token: 1}), /enough/);
  pass.explain = explain;
  await explained(pass, {token: 1});
  assert.deepEqual(asked, [1]);
});
