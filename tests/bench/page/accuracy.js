/** Measures the error of 8 bits on each side with a trained model, compared with float32. */

import {startEngine} from './ours.js';
import {attentionOf, meanDifference, peerAttention} from './passes.js';
import {startPeer} from './peer.js';

/** @import {OurFiles} from './ours.js' */

/**
 * @typedef {object} AccuracyTask
 * @property {'accuracy'} kind
 * @property {OurFiles} ours
 * @property {{int8: string, float32: string}} peer
 * @property {string[]} sentences
 */

/**
 * @typedef {object} Accuracy Mean absolute differences of attention from the peer's float32.
 * @property {number} sentences
 * @property {number} ours_int8
 * @property {number} peer_int8
 * @property {number} ours_float32 Shows that both sides compute the same thing.
 */

/**
 * @param {AccuracyTask} task
 * @returns {Promise<Accuracy>}
 */
export async function measureAccuracy({ours, peer, sentences}) {
  const engine = await startEngine();
  const int8 = await engine.load(ours);
  const exact = await engine.load(ours, 'f32');
  const runtime = await startPeer();
  const peerInt8 = await runtime.load(peer.int8);
  const peerFloat32 = await runtime.load(peer.float32);
  const {layers} = int8.shape;
  const sums = {ours_int8: 0, peer_int8: 0, ours_float32: 0};
  let weights = 0;
  for (const sentence of sentences) {
    const {pass} = await int8.attend(sentence);
    const {pass: exactPass} = await exact.attend(sentence);
    const reference = peerAttention(await peerFloat32.run(pass.ids), layers);
    const peerAttended = peerAttention(await peerInt8.run(pass.ids), layers);
    const count = reference.reduce((sum, {length}) => sum + length, 0);
    sums.ours_int8 += count * meanDifference(await attentionOf(int8, pass), reference);
    sums.peer_int8 += count * meanDifference(peerAttended, reference);
    sums.ours_float32 += count * meanDifference(await attentionOf(exact, exactPass), reference);
    weights += count;
  }
  return {
    sentences: sentences.length,
    ours_int8: sums.ours_int8 / weights,
    peer_int8: sums.peer_int8 / weights,
    ours_float32: sums.ours_float32 / weights,
  };
}
