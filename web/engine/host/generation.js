/** Continues a text with the tokens that a causal model predicts, one after the other. */

import {BertscopeError} from '../errors.js';
import {yieldIfDue} from '../event-loop.js';
import {quote} from '../json.js';
import {randomNumbers} from '../random-numbers.js';
import {wholeNumber} from '../reading.js';
import {BeamSearch, checkedBeams, requireMemory} from './beam-search.js';
import {KeptText} from './kept-text.js';
import {checkedSampling, choose} from './sampling.js';
import {TextWriter} from '../text/text-writer.js';
import {writingRules} from './writing-rules.js';

/** @import {Encoder, PassInput} from './encoder.js' */
/** @import {BeamOptions, BeamStep} from './beam-search.js' */
/** @import {Sampling} from './sampling.js' */
/** @import {Tokenizer} from '../text/tokenizer.js' */
/** @import {WasmModule} from '../wasm-module.d.ts' */

/**
 * @typedef {object} GenerateOnlyOptions
 * @property {number} [tokens] How many are added at most; the default is 20.
 * @property {(progress: {done: number, total: number, text: string}) => void} [onProgress] Counts
 *   tokens. The text is what was added so far, in whole characters; of several beams the best.
 * @property {AbortSignal} [signal] Ends it between two tokens.
 */

/** @typedef {Sampling & BeamOptions & GenerateOnlyOptions} GenerateOptions */

/**
 * @typedef {object} Added
 * @property {number[]} ids Those that were added.
 * @property {string[]} tokens
 * @property {string} text What was added.
 * @property {boolean} ended Whether the model ended the text. The token for that is not among
 *   `ids`.
 */

/**
 * @typedef {Added & {beams?: FoundBeam[], steps?: WrittenStep[]}} Generated With several beams, `beams` are the whole
 *   continuations that were found, best first, of which the first is what was added, and `steps` all tokens that were
 *   kept on the way, each with the step before it.
 */

/** @typedef {BeamStep & {token: string}} WrittenStep */

/**
 * @typedef {Added & {score: number, last: number}} FoundBeam `last` is the index of its last step; its score is that
 *   step's, divided by a power of its length.
 */

const readTokens = wholeNumber(0, 2 ** 31);

/**
 * @param {Pick<WasmModule, 'ContinuedText'>} module
 * @param {string} name The model's, for messages.
 * @param {Encoder} encoder
 * @param {Tokenizer} tokenizer
 * @param {PassInput} pass
 * @param {GenerateOptions} options
 * @returns {Promise<Generated>}
 */
export async function generate(module, name, encoder, tokenizer, pass, options) {
  const {tokens = 20} = options;
  const wanted = readTokens(tokens, {code: 'bad-option', path: 'generate.tokens'});
  const sampling = checkedSampling(options);
  const beams = checkedBeams(options);
  const total = Math.min(wanted, encoder.config.positions - pass.ids.length);
  // The last token that is added needs no room: nothing follows it.
  const capacity = pass.ids.length + Math.max(total - 1, 0);
  const {endId} = tokenizer;
  const change = writingRules(encoder.config, endId, sampling.repetitionPenalty);
  const of = {encoder, tokenizer, begun: [...pass.ids], total, change, options};
  if (beams.beams === 1 || total === 0)
    return addTokens(await KeptText.begin(module, name, encoder, pass, capacity), sampling, of);
  if (sampling.temperature > 0) {
    const message = `generate: expected 1 beam where tokens are drawn, found ${beams.beams} beams and a temperature of ${quote(sampling.temperature)}`;
    throw new BertscopeError('bad-option', message);
  }
  requireMemory(beams.beams, capacity, encoder.config);
  return searchBeams(await KeptText.begin(module, name, encoder, pass, capacity), beams, of);
}

/**
 * @typedef {object} Work
 * @property {Encoder} encoder
 * @property {Tokenizer} tokenizer
 * @property {number[]} begun The tokens of the text.
 * @property {number} total How many are added at most.
 * @property {ReturnType<typeof writingRules>} change
 * @property {GenerateOptions} options
 */

/**
 * Adds one token after the other.
 * @param {KeptText} text
 * @param {Required<Sampling>} sampling
 * @param {Work} work
 * @returns {Promise<Generated>}
 */
async function addTokens(text, sampling, {encoder, tokenizer, begun, total, change, options}) {
  const random = randomNumbers(sampling.seed);
  const written = [...begun];
  /** @type {number[]} */
  const ids = [];
  const soFar = new TextWriter(tokenizer);
  let ended = false;
  try {
    while (ids.length < total) {
      await yieldIfDue(options.signal);
      const logits = text.next();
      change(logits, written);
      const id = choose(logits, sampling, random);
      ended = id === tokenizer.endId;
      if (ended) break;
      ids.push(id);
      written.push(id);
      if (isShown(id, encoder)) soFar.add(id);
      options.onProgress?.({done: ids.length, total, text: soFar.text});
      if (ids.length < total) text.append(id);
    }
  } finally {
    text.release();
  }
  return addedOf(ids, ended, encoder, tokenizer);
}

/**
 * @param {KeptText} text
 * @param {Required<BeamOptions>} beams
 * @param {Work} work
 * @returns {Promise<Generated>}
 */
async function searchBeams(text, beams, {encoder, tokenizer, begun, total, change, options}) {
  const {signal, onProgress} = options;
  const {endId} = tokenizer;
  const best = new BestText(encoder, tokenizer);
  const search = new BeamSearch(text, total, endId, beams, (values, added) =>
    change(values, [...begun, ...added]),
  );
  try {
    for (let done = 1, isUnfinished = true; isUnfinished; done++) {
      isUnfinished = await search.step(signal);
      onProgress?.({done, total, text: best.of(search.best)});
    }
  } finally {
    search.release();
  }
  const found = search.finished.map((beam) => {
    const ids = search.idsOf(beam);
    const ended = ids.at(-1) === endId;
    const added = addedOf(ended ? ids.slice(0, -1) : ids, ended, encoder, tokenizer);
    return {...added, score: beam.score, last: beam.last};
  });
  const [{ids, tokens, text: added, ended}] = found;
  const steps = search.steps.map((step) => ({...step, token: tokenizer.token(step.id)}));
  return {ids, tokens, text: added, ended, beams: found, steps};
}

/** Decodes the best continuation so far. Only if another has become the best is more decoded than what was added. */
class BestText {
  #encoder;
  #tokenizer;
  #writer;
  /** @type {readonly number[]} */
  #ids = [];

  /** @param {Encoder} encoder @param {Tokenizer} tokenizer */
  constructor(encoder, tokenizer) {
    this.#encoder = encoder;
    this.#tokenizer = tokenizer;
    this.#writer = new TextWriter(tokenizer);
  }

  /** @param {readonly number[]} ids @returns {string} Whole characters. */
  of(ids) {
    if (!this.#ids.every((id, at) => id === ids[at])) {
      this.#writer = new TextWriter(this.#tokenizer);
      this.#ids = [];
    }
    for (const id of ids.slice(this.#ids.length))
      if (id !== this.#tokenizer.endId && isShown(id, this.#encoder)) this.#writer.add(id);
    this.#ids = ids;
    return this.#writer.text;
  }
}

/**
 * @param {number[]} ids
 * @param {boolean} ended
 * @param {Encoder} encoder
 * @param {Tokenizer} tokenizer
 * @returns {Added}
 */
function addedOf(ids, ended, encoder, tokenizer) {
  const tokens = ids.map((id) => tokenizer.token(id));
  return {ids, tokens, text: textOf(ids, encoder, tokenizer), ended};
}

/**
 * Decodes what was written.
 * @param {number[]} ids
 * @param {Pick<Encoder, 'config'>} encoder
 * @param {Tokenizer} tokenizer
 */
export function textOf(ids, encoder, tokenizer) {
  return tokenizer.decode(ids.filter((id) => isShown(id, encoder)));
}

/**
 * Tells whether a token is shown. The token that begins every text of a decoder is not.
 * @param {number} id
 * @param {Pick<Encoder, 'config'>} encoder
 */
const isShown = (id, {config}) => !('firstToken' in config) || id !== config.firstToken;
