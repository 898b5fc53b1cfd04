/** Tells how much each token of a text, or each part of the model, contributes to an answer. */

import {attempt} from './attempt.js';
import {BertscopeError} from '../errors.js';
import {yieldIfDue} from '../event-loop.js';
import {quote} from '../json.js';
import {methods} from '../methods.js';
import {softmaxTop} from './softmax-top.js';

/** @import {Encoder, PassInput} from './encoder.js' */
/** @import {Target} from './head-effects.js' */
/** @import {Method} from '../methods.js' */
/** @import {AskOfPass} from './writing.js' */
/** @import {LogitParts, WasmModule} from '../wasm-module.d.ts' */

/**
 * @typedef {'mask' | 'vector' | `class:${string}` | Target | {token: number, word: string, masked?: boolean}} ExplainTarget
 *   What is explained. `mask`: the likeliest token in the place of the first `[MASK]`; a token and
 *   an id or a word: that one; `class:LABEL` or a label's index: a class of the text; `class:LABEL@TOKEN`, or a
 *   label's index and a token: a class of that token; `vector`: the sentence vector, the mean of all tokens' last hidden states.
 */

/**
 * @typedef {{token: number, id: number, word: string} | {label: number, name: string, token?: number}} NamedAnswer A
 *   word, or a class of the text or of a token.
 */

/**
 * @typedef {object} Explanation
 * @property {Method} method
 * @property {NamedAnswer | 'vector'} target
 * @property {string[]} tokens
 * @property {NamedAnswer} [instead] What the target is
 *   set against: every number is that of the target less that of this one.
 * @property {number} value What is explained: the logit of the word or class, or the length of the
 *   sentence vector. It comes from float32, and may differ a little from that of int8 activations.
 * @property {Float32Array} contributions `[tokens]`: shares of 1; of `decompx` parts of the
 *   value, of `alti-logit` of what attention adds to it, of `integrated-gradients` of what it is
 *   more than the baseline. `gradient` says only what
 *   the value would lose if it fell as it begins to, all the way to an embedding of 0.
 * @property {number} [baseline] Of `integrated-gradients`: the answer to the text with every token
 *   masked that is not special. They explain what the value is more than that.
 * @property {number} [remainder] What contributions leave of that: the rounding of `decompx`, and of
 *   `integrated-gradients` also what its steps miss; of `alti-logit` what feed-forward networks,
 *   biases and the token's own embedding add to the value; 0 of shares. Those of `gradient` sum to nothing
 *   in particular, and have none.
 * @property {Float32Array} [matrix] `[tokens * tokens]`: what each token after the last layer (the
 *   row) takes from each input token. Methods of shares always give it; `decompx` only for
 *   `vector`, in parts of its length rather than shares; gradients and `alti-logit` never.
 * @property {Float32Array[]} [layers] If the method gives shares: the same within each layer.
 */

/**
 * @typedef {object} ExplainedPart
 * @property {string[]} tokens
 * @property {Float32Array} contributions `[tokens]`
 * @property {number} share What they contribute together.
 */

/**
 * @typedef {object} TranslationExplanation How much each token that an encoder-decoder read and each one that it had
 *   written contributes to a token that it wrote. As those of an `Explanation`, contributions of `alti-plus` and
 *   `value-zeroing` are shares of 1, together; those of `integrated-gradients` are parts of what the value is more than the
 *   baseline.
 * @property {Method} method
 * @property {{token: number, id: number, word: string}} target The written token.
 * @property {{token: number, id: number, word: string}} [instead] What it is set against: every number is that of the
 *   target less that of this one.
 * @property {number} value Its logit. It comes from float32, and may differ a little from that of int8 activations.
 * @property {number} [baseline] Of `integrated-gradients`: the logit where both texts are nothing but the token that ends
 *   one.
 * @property {number} [remainder] What contributions leave of that; 0 of shares.
 * @property {ExplainedPart} source The text that the encoder read.
 * @property {ExplainedPart} prefix What the decoder had read then: the token that begins a text, and what it had written.
 * @property {Float32Array} [matrix] Of shares: `[tokens * (source tokens + tokens)]`, the same for each token that the
 *   decoder has read and that it wrote the next one after. The columns are the tokens of the text, and then those of the
 *   decoder.
 * @property {Float32Array[]} [layers] Of shares: the same within each layer of the decoder, of the encoder's last hidden
 *   states and of the tokens before the layer.
 */

/**
 * @typedef {object} LogitAttribution What each part of a model adds to the logit of a word (direct logit
 *   attribution, Elhage et al. 2021, https://transformer-circuits.pub/2021/framework): its share of the sum that the
 *   word is read from, with the deviation of the final norm as it is at this token. Not what it does through later
 *   parts. With `instead` every number is that of the target less that of the other word.
 * @property {NamedAnswer} target
 * @property {NamedAnswer} [instead]
 * @property {string[]} tokens
 * @property {number} value The logit, from float32.
 * @property {Float32Array} heads `[layers * heads]`: after the output projection, without its bias.
 * @property {Float32Array} attentionBiases `[layers]`: of the output projections.
 * @property {Float32Array} feedForward `[layers]`: with the biases of their outputs.
 * @property {number} words The embedding of the token that the word is read from.
 * @property {number} positions The embedding of its position.
 * @property {number} bias What the biases of the final norm and the word head add.
 * @property {number} remainder What all of these leave of the logit: rounding.
 */

/**
 * @typedef {object} ExplainOptions
 * @property {string | number} [instead] Another word or class, by its name or number.
 * @property {AbortSignal} [signal]
 * @property {(progress: {done: number, total: number}) => void} [onProgress]
 *
 * @typedef {object} ExplainedSource What a decoder looks into, where both sides explain a word.
 * @property {AskOfPass} ask Calls a function with the encoder that holds a pass.
 * @property {PassInput} pass
 * @property {Int32Array} baseline The ids from which integrated gradients begin; of other methods none.
 */

/** @typedef {Method | 'logit-attribution'} AnyMethod */

/**
 * @typedef {Omit<Explanation, 'method' | 'tokens' | 'target'> & {method: AnyMethod, id?: number, parts?: LogitParts}} SignedExplanation
 *   With the id of the word, if a word is explained. An attribution has parts, and no contributions.
 */

/** @param {unknown} method */
export function checkMethod(method) {
  if (typeof method === 'string' && Object.hasOwn(methods, method)) return;
  const names = Object.keys(methods).join(', ');
  throw new BertscopeError('bad-option', `expected a method of ${names}, found ${quote(method)}`);
}

/**
 * Why this answer rather than another one (Yin & Neubig 2022, https://arxiv.org/abs/2202.10419): what
 * each token contributes to the difference of their logits. Signed contributions to one logit are
 * linear in its row of the prediction head, so those to a difference are the difference of two.
 * @param {SignedExplanation} answer
 * @param {SignedExplanation} rival
 * @returns {SignedExplanation}
 */
export function contrastOf(answer, rival) {
  const less = (/** @type {number | undefined} */ a, /** @type {number | undefined} */ b) =>
    a === undefined || b === undefined ? undefined : a - b;
  const baseline = less(answer.baseline, rival.baseline);
  const remainder = less(answer.remainder, rival.remainder);
  return {
    ...answer,
    value: answer.value - rival.value,
    contributions: differenceOf(answer.contributions, rival.contributions),
    ...(answer.parts && rival.parts && {parts: partsOf(answer.parts, rival.parts)}),
    ...(baseline !== undefined && {baseline}),
    ...(remainder !== undefined && {remainder}),
  };
}

/** @param {Float32Array} a @param {Float32Array} b */
const differenceOf = (a, b) => a.map((part, at) => part - b[at]);

/** @param {LogitParts} answer @param {LogitParts} rival @returns {LogitParts} */
const partsOf = (answer, rival) => ({
  heads: differenceOf(answer.heads, rival.heads),
  attentionBiases: differenceOf(answer.attentionBiases, rival.attentionBiases),
  feedForward: differenceOf(answer.feedForward, rival.feedForward),
  words: answer.words - rival.words,
  positions: answer.positions - rival.positions,
  bias: answer.bias - rival.bias,
});

/**
 * The names of methods, as a message lists them.
 * @param {(method: (typeof methods)[Method]) => boolean} fits
 */
const namesOf = (fits) =>
  Object.entries(methods)
    .flatMap(([name, method]) => (fits(method) ? [name] : []))
    .join(', ');

/**
 * @param {Method} method
 * @param {boolean} isTranslation Whether a translation is explained, rather than what a model reads.
 */
export function requireTextsOf(method, isTranslation) {
  if (methods[method][isTranslation ? 'ofWritten' : 'ofText']) return;
  const message = isTranslation
    ? `expected a method of ${namesOf(({ofWritten}) => ofWritten)}, which follow cross attention, to explain what an encoder-decoder has written, found ${quote(method)}, which is defined for a model that reads one text`
    : 'expected a method that explains one text, found "alti-plus": call explain of a translation, which is what an encoder-decoder has written';
  throw new BertscopeError('bad-option', message);
}

/** @param {Method} method @param {boolean} isTranslation As above. */
export function requireSigned(method, isTranslation) {
  if (methods[method].signed) return;
  const of = isTranslation ? 'ofWritten' : 'ofText';
  const message = `expected a method of ${namesOf((each) => each.signed && each[of])} to tell one answer from another, found ${quote(method)}, whose shares are of the hidden state that both are read from`;
  throw new BertscopeError('bad-option', message);
}

/**
 * @param {string} name The name of the model, for messages.
 * @param {NamedAnswer | 'vector'} answer
 * @param {number} rival What it is to be set against.
 */
export function requireOther(name, answer, rival) {
  if (answer === 'vector' || rival !== ('label' in answer ? answer.label : answer.id)) return;
  const said = quote('label' in answer ? answer.name : answer.word);
  const message = `${name}: expected another answer than ${said} to set it against, found the same`;
  throw new BertscopeError('same-answer', message);
}

/**
 * Goes on in small steps, and lets other calls run in between.
 * @param {Pick<WasmModule, 'Explanation'>} module
 * @param {Encoder} encoder
 * @param {PassInput} pass
 * @param {AnyMethod} method
 * @param {Target | 'vector'} target It has been checked.
 * @param {object} options
 * @param {Int32Array} options.baseline The ids from which integrated gradients begin.
 * @param {{ask: AskOfPass, pass: PassInput}} [options.source] What a decoder looks into.
 * @param {AbortSignal} [options.signal]
 * @param {(progress: {done: number, total: number}) => void} [options.onProgress] Counts to 1.
 * @returns {Promise<SignedExplanation>}
 */
export async function explanationOf(module, encoder, pass, method, target, options) {
  const {baseline, source, signal, onProgress} = options;
  // Refuses weights whose products are not finite.
  await encoder.pull(pass, 'hiddenStates', [encoder.config.layers]);
  const answer = await answerOf(encoder, pass, target);
  const explanation = new module.Explanation();
  try {
    await encoder.beginExplanation(pass, explanation, method, answer, baseline, source);
    while (attempt('explain', () => explanation.step())) {
      onProgress?.({done: explanation.progress(), total: 1});
      await yieldIfDue(signal);
    }
    const {matrix, layers, ...explained} = attempt('explain', () => explanation.result());
    return {
      method,
      ...explained,
      ...(matrix && {matrix}),
      ...(layers.length > 0 && {layers}),
      ...('id' in answer && {id: answer.id}),
    };
  } finally {
    explanation.delete();
  }
}

/**
 * @param {Encoder} encoder
 * @param {PassInput} pass
 * @param {Target | 'vector'} target
 */
async function answerOf(encoder, pass, target) {
  if (target === 'vector') return /** @type {const} */ ({kind: 'vector'});
  if ('label' in target)
    return /** @type {const} */ ({kind: 'class', label: target.label, token: target.token ?? 0});
  const {token} = target;
  const logits = () => encoder.pull(pass, 'wordLogits', [encoder.config.layers, token]);
  const id = target.id ?? softmaxTop(await logits(), 1)[0].index;
  return /** @type {const} */ ({kind: 'word', token, id});
}
