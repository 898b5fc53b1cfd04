/** Measures one model on all sides, length by length. */

import {startLiteRt} from './litert.js';
import {addHelpers, startEngine} from './ours.js';
import {startPeer} from './peer.js';
import {median, takeTurns} from './sampling.js';

/** @import {Encoder, PassInput} from '../../../web/engine/host/encoder.js' */
/** @import {Helpers} from '../../../web/engine/host/helpers.js' */
/** @import {LoadedModel} from '../../../web/engine/host/loaded-model.js' */
/** @import {LiteRtSession} from './litert.js' */
/** @import {OurFiles} from './ours.js' */
/** @import {PeerGraphs, PeerSession} from './peer.js' */
/** @import {Effort} from './sampling.js' */

/**
 * @typedef {object} ModelTask
 * @property {'model'} kind
 * @property {OurFiles} ours
 * @property {PeerGraphs} peer
 * @property {number[]} lengths In tokens.
 * @property {number} threads
 * @property {Effort} effort
 */

/**
 * @typedef {object} Row
 * @property {number} tokens
 * @property {string} kernel
 * @property {number} asked How many threads were asked for. The peer has as many.
 * @property {number} threads How many workers ran ours: one if the text is short.
 * @property {number} [ours_one_ms] As `ours_ms` with one worker, if more were asked for.
 * @property {number} ours_ms The median time of a pass, after which attention is in wasm memory. A
 *   model that continues texts has then also handed out the logits after the last token, and so has
 *   the peer.
 * @property {number} ours_copied_ms The same, with every attention matrix copied out.
 * @property {number} ours_engine_ms `result.milliseconds`, which leaves out the pauses in which the
 *   worker looks for messages, and the logits.
 * @property {number} peer_int8_ms
 * @property {number} peer_float32_ms
 * @property {number} [litert_int8_ms] Of LiteRT.js, which leaves its attention in wasm memory as ours does.
 * @property {string} [litert_build] The script of LiteRT.js that ran.
 * @property {number} rounds
 * @property {number} spread The middle half of the samples as a share of the median, ours or an int8
 *   peer's, whichever is widest. It shows how reliable the ratio is.
 * @property {number} difference The mean absolute difference of our attention from the peer's float32.
 * @property {number} [litert_difference] That of LiteRT.js.
 */

/**
 * @typedef {object} Memory
 * @property {number} peak_bytes The size of wasm memory while loading.
 * @property {number} quantized_bytes The weights in the quantized file form.
 * @property {number} after_bytes The size of wasm memory after the longest text.
 */

/**
 * @param {ModelTask} task
 * @param {(text: string) => void} progress
 * @returns {Promise<{rows: Row[], memory: Memory}>}
 */
export async function measureModel({ours, peer, lengths, threads, effort}, progress) {
  progress('loading');
  const engine = await startEngine();
  const model = await engine.load(ours);
  // Wasm memory only grows, so its size is the largest that was ever needed.
  const peak_bytes = engine.memory.buffer.byteLength;
  const quantized_bytes = model.encoder.tensors().reduce((sum, tensor) => sum + sizeOf(tensor), 0);
  const helpers = await addHelpers(model, threads - 1);
  const runtime = await startPeer(threads);
  const int8 = await runtime.load(peer.int8);
  const float32 = await runtime.load(peer.float32);
  const other = peer.litert && (await startLiteRt(threads));
  const rows = [];
  for (const tokens of lengths) {
    progress(`${tokens} tokens`);
    const litert = await other?.load(peer.litert?.[tokens] ?? '');
    const sides = {model, helpers, int8, float32, litert};
    const measured = await measureLength(sides, tokens, threads, effort);
    litert?.close();
    rows.push({tokens, kernel: engine.kernel, ...measured, litert_build: other?.build});
  }
  return {
    rows,
    memory: {peak_bytes, quantized_bytes, after_bytes: engine.memory.buffer.byteLength},
  };
}

/**
 * @param {{model: LoadedModel, helpers: Helpers, int8: PeerSession, float32: PeerSession, litert?: LiteRtSession}} sides
 * @param {number} tokens
 * @param {number} threads
 * @param {Effort} effort
 * @returns {Promise<Omit<Row, 'tokens' | 'kernel'>>}
 */
async function measureLength({model, helpers, int8, float32, litert}, tokens, threads, effort) {
  const [batch, other] = twoBatches(tokens, model.config.vocabulary);
  const {ids} = batch;
  const run = passesOf(model, [batch, other]);
  /** @type {number[]} */
  const engineMs = [];
  let workers = 1;
  const {least} = helpers;
  const one = async () => {
    helpers.least = {...least, rows: Infinity};
    await run();
    helpers.least = least;
  };
  /** @type {Record<string, () => unknown>} */
  const contestants = {
    ours: async () => {
      const done = await run();
      engineMs.push(done.milliseconds);
      workers = done.threads;
    },
    ...(threads > 1 && {one}),
    int8: () => int8.run(ids),
    ...(litert && {litert: () => litert.run(ids)}),
    float32: () => float32.run(ids),
    copied: async () => attentionOf(model, (await run()).pass),
  };
  const {medians, spreads, rounds} = await takeTurns(contestants, effort);
  const {pass} = await model.encoder.run(batch);
  const exact = peerAttention(await float32.run(ids), model.shape.layers);
  return {
    asked: threads,
    threads: workers,
    ...(threads > 1 && {ours_one_ms: medians.one}),
    ours_ms: medians.ours,
    ours_copied_ms: medians.copied,
    ours_engine_ms: median(engineMs.slice(-rounds)),
    peer_int8_ms: medians.int8,
    peer_float32_ms: medians.float32,
    rounds,
    spread: Math.max(spreads.ours, spreads.int8, spreads.litert ?? 0),
    difference: meanDifference(await attentionOf(model, pass), exact),
    ...(litert && {
      litert_int8_ms: medians.litert,
      litert_difference: meanDifference(await litert.attention(model.shape.layers), exact),
    }),
  };
}

/**
 * @param {LoadedModel} model
 * @param {PassInput} pass
 * @returns {Promise<Float32Array[]>} By layer and head.
 */
export async function attentionOf(model, pass) {
  const matrices = [];
  for (let layer = 0; layer < model.shape.layers; layer++) {
    for (let head = 0; head < model.shape.heads; head++) {
      matrices.push(await model.pull(pass, 'attention', [layer, head]));
    }
  }
  return matrices;
}

/**
 * @param {Record<string, {data: Float32Array}>} outputs
 * @param {number} layers
 * @returns {Float32Array[]} By layer, each with all of its heads.
 */
export function peerAttention(outputs, layers) {
  return Array.from({length: layers}, (_, layer) => outputs[`attention_${layer}`].data);
}

/**
 * @param {Float32Array[]} a It has the order of b, but may be cut into other parts.
 * @param {Float32Array[]} b
 */
export function meanDifference(a, b) {
  const [flatA, flatB] = [flat(a), flat(b)];
  if (flatA.length !== flatB.length) {
    throw new Error(`expected attention of one size, found ${flatA.length} and ${flatB.length}`);
  }
  return flatA.reduce((sum, value, at) => sum + Math.abs(value - flatB[at]), 0) / flatA.length;
}

/** @param {Float32Array[]} parts */
function flat(parts) {
  const whole = new Float32Array(parts.reduce((sum, {length}) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Gives the same ids in every run, from the part of the vocabulary after the special tokens.
 * @param {number} tokens
 * @param {number} vocabulary
 */
function someIds(tokens, vocabulary) {
  const first = Math.min(1000, vocabulary >> 1);
  return Int32Array.from({length: tokens}, (_, i) => first + ((i * 7919) % (vocabulary - first)));
}

/**
 * Two texts that differ in their first token.
 * @param {number} tokens
 * @param {number} vocabulary
 */
export function twoBatches(tokens, vocabulary) {
  const ids = someIds(tokens, vocabulary);
  const input = {tokenTypes: new Int32Array(tokens), lengths: Int32Array.of(tokens)};
  return [ids, ids.with(0, ids[0] + 1)].map((each) => ({...input, ids: each}));
}

/**
 * Returns a function that runs batches in turn, because the latest one again would cost nothing.
 * @param {Encoder} encoder
 * @param {Omit<PassInput, 'id'>[]} batches
 */
export function inTurn(encoder, batches) {
  let count = 0;
  return () => encoder.run(batches[count++ % batches.length]);
}

/**
 * @param {LoadedModel} model
 * @param {Omit<PassInput, 'id'>[]} batches
 */
function passesOf(model, batches) {
  const run = inTurn(model.encoder, batches);
  if (!model.encoder.heads.nextToken) return run;
  return async () => {
    const done = await run();
    await model.pull(done.pass, 'wordLogits', [model.shape.layers, done.pass.ids.length - 1]);
    return done;
  };
}

/** @param {{dtype: string, shape: number[]}} tensor */
export function sizeOf({dtype, shape}) {
  return shape.reduce((product, size) => product * size, dtype === 'I8' ? 1 : 4);
}
