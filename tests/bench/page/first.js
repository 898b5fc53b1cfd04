/** Measures how long one side takes from nothing to its first attention. Each side gets a new browser. */

import {startLiteRt} from './litert.js';
import {startEngine} from './ours.js';
import {startPeer} from './peer.js';
import {twoBatches} from './passes.js';

/** @import {OurFiles} from './ours.js' */
/** @import {PeerGraphs} from './peer.js' */

/**
 * @typedef {object} FirstTask
 * @property {'first'} kind
 * @property {'ours' | 'onnxruntime-web' | 'LiteRT.js'} side
 * @property {OurFiles} ours
 * @property {PeerGraphs} peer
 * @property {number} tokens
 */

/** Every model has as many words or more. */
const VOCABULARY = 2000;

/**
 * @param {FirstTask} task
 * @returns {Promise<number>} The milliseconds of loading the library, loading the model and one pass, after which one
 *   head can be drawn.
 */
export async function measureFirst({side, ours, peer, tokens}) {
  const [batch] = twoBatches(tokens, VOCABULARY);
  const begin = performance.now();
  if (side === 'ours') {
    const engine = await startEngine();
    const model = await engine.load(ours);
    const {pass} = await model.encoder.run(batch);
    await model.pull(pass, 'attention', [0, 0]);
  } else if (side === 'LiteRT.js') {
    const litert = await startLiteRt();
    const session = await litert.load(peer.litert?.[tokens] ?? '');
    await session.run(batch.ids);
    await session.attention(1);
  } else {
    const runtime = await startPeer();
    const session = await runtime.load(peer.int8);
    await session.run(batch.ids);
  }
  return performance.now() - begin;
}
