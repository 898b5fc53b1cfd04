/** Finds where in a model an answer comes from, by putting parts of one text's pass into another's. */

import {BertscopeError} from '../errors.js';
import {yieldIfDue} from '../event-loop.js';
import {NO_CHANGES} from '../interventions.js';
import {quote} from '../json.js';
import {outputOf} from './outputs.js';
import {softmaxTop} from './softmax-top.js';
import {cosine} from './vectors.js';

/** @import {ModelConfig} from '../wasm-module.d.ts' */
/** @import {Patch} from '../interventions.js' */
/** @import {Encoder, PassInput} from './encoder.js' */
/** @import {Explanation, ExplainTarget} from './explanations.js' */
/** @import {Target} from './head-effects.js' */
/** @import {Targets} from './targets.js' */

/** @typedef {'hidden' | 'heads'} PatchPart What is patched: hidden states, or outputs of heads. */

/** @typedef {{index?: number, against?: number}} Logits Which logits of words or classes are compared; a vector has none. */

/**
 * @typedef {object} PatchMap Activation patching (Meng et al. 2022, "Locating and Editing Factual
 *   Associations in GPT", section 2) from one text into another. The difference of logits is the
 *   measure that Zhang and Nanda recommend (2023, "Towards Best Practices of Activation Patching").
 * @property {number} value The answer in the text: a logit, the difference of two logits, or the
 *   cosine of the angle between the sentence vectors of the two texts.
 * @property {number} fromValue The answer in the text to patch from.
 * @property {Float32Array} map How far each patch moves the answer: 0 leaves that of the text, 1
 *   makes it that of the other. All are 0 if the two are equal.
 * @property {[number, number]} shape `[layers + 1, tokens]` for hidden states, whose first row is
 *   after the embeddings; `[layers, heads]` for heads, each patched for every token.
 */

/**
 * @typedef {object} PatchedTarget
 * @property {Explanation['target']} target The word or class whose logit is looked at.
 * @property {Explanation['target']} [against] The one whose logit is subtracted.
 */

/**
 * @typedef {object} PatchOptions
 * @property {PatchPart} [what] The default is `hidden`.
 * @property {ExplainTarget} [target] By default the likeliest word for a blank that both texts have,
 *   or the likeliest class. A word or class that is not given is the likeliest in the text to patch
 *   from, against the likeliest in the other text, unless they are the same.
 * @property {AbortSignal} [signal]
 * @property {(progress: {done: number, total: number}) => void} [onProgress] Counts patches.
 */

/**
 * @param {Targets} targets
 * @param {Encoder} encoder
 * @param {PassInput} pass
 * @param {PassInput} from It has as many tokens.
 * @param {PatchOptions} [options]
 * @returns {Promise<PatchMap & PatchedTarget>}
 */
export async function patch(
  targets,
  encoder,
  pass,
  from,
  {what = 'hidden', target, ...options} = {},
) {
  if (what !== 'hidden' && what !== 'heads') {
    const message = `patch: expected hidden or heads to be patched, found ${quote(what)}`;
    throw new BertscopeError('bad-option', message);
  }
  const {place, index} = targets.patchTarget(pass, from, target);
  const texts = [pass, from].map((text) => targets.passOf(text, place));
  const {logits, ...map} = await patchMap(encoder, texts, place, {index, what, ...options});
  return {
    ...map,
    target: targets.named(place, logits.index),
    ...(logits.against !== undefined && {against: targets.named(place, logits.against)}),
  };
}

/**
 * @param {string} name
 * @param {PassInput} pass
 * @param {PassInput} other
 */
export function requireSameLength(name, {ids: {length}}, {ids: {length: other}}) {
  if (length === other) return;
  const message = `${name}: expected two texts of as many tokens, found ${length} and ${other}: change one until both have as many`;
  throw new BertscopeError('different-texts', message);
}

/**
 * Goes from the last layer to the first, so that each pass can reuse the layers below its patch.
 * @param {Encoder} encoder
 * @param {Omit<PassInput, 'id'>[]} texts That to patch, and that to patch from.
 * @param {Target | 'vector'} place
 * @param {Omit<PatchOptions, 'target'> & {what: PatchPart, index?: number}} options
 * @returns {Promise<PatchMap & {logits: Logits}>}
 */
function patchMap(encoder, [pass, from], place, {index, what, signal, onProgress}) {
  const {layers, heads} = encoder.config;
  /** @type {[number, number]} */
  const shape = what === 'heads' ? [layers, heads] : [layers + 1, pass.ids.length];
  const {changes = NO_CHANGES} = pass;
  return encoder.work(async ({run, read, keep}) => {
    const output = () => outputOf(read, encoder.config, place);
    await run(from);
    keep();
    const fromOutput = output();
    await run(pass);
    const logits = place === 'vector' ? {} : chooseLogits(index, fromOutput, output());
    const value = answerIn(output(), logits, fromOutput);
    const fromValue = answerIn(fromOutput, logits, fromOutput);
    const map = new Float32Array(shape[0] * shape[1]);
    let done = 0;
    for (let row = shape[0] - 1; row >= 0; row--) {
      for (let column = 0; column < shape[1]; column++) {
        // Patching the last hidden states runs no layer, so nothing else would let other tasks run.
        await yieldIfDue(signal);
        if (row < layers || isRead(encoder.config, place, column)) {
          await run({...pass, changes: {...changes, patches: [patchAt(what, row, column)]}});
          const moved = answerIn(output(), logits, fromOutput) - value;
          const isStill = moved === 0 || fromValue === value;
          map[row * shape[1] + column] = isStill ? 0 : moved / (fromValue - value);
        }
        onProgress?.({done: ++done, total: map.length});
      }
    }
    return {logits, value, fromValue, map, shape};
  }, signal);
}

/**
 * Whether the answer is read from a token's last hidden state.
 * @param {ModelConfig} config
 * @param {Target | 'vector'} place
 * @param {number} token
 */
function isRead({classifiedState}, place, token) {
  const isOfAll = place === 'vector' || ('label' in place && classifiedState === 'mean');
  return isOfAll || token === (place.token ?? 0);
}

/**
 * @param {PatchPart} what
 * @param {number} row
 * @param {number} column
 * @returns {Patch}
 */
const patchAt = (what, row, column) =>
  what === 'heads' ? {layer: row, head: column} : {layer: row, token: column};

/**
 * @param {number | undefined} index
 * @param {Float32Array} fromOutput
 * @param {Float32Array} output
 * @returns {Logits}
 */
function chooseLogits(index, fromOutput, output) {
  if (index !== undefined) return {index};
  const [wanted, other] = [fromOutput, output].map((logits) => softmaxTop(logits, 1)[0].index);
  return wanted === other ? {index: wanted} : {index: wanted, against: other};
}

/**
 * @param {Float32Array} output
 * @param {Logits} logits
 * @param {Float32Array} fromOutput
 */
function answerIn(output, {index, against}, fromOutput) {
  if (index === undefined) return cosine(output, fromOutput);
  return output[index] - (against === undefined ? 0 : output[against]);
}
