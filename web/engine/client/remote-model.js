/** A model that runs in the worker, as pages use it. */

import {lazily} from '../lazy-part.js';
import {modelTree} from './model-tree.js';
import {checked} from '../options.js';
import {Result} from './remote-result.js';
import {remoteDecoder, Translation} from './translation.js';

/** @import {BatchOptions, TokenBatch} from '../text/token-batch.js' */
/** @import {Remote} from '../bridge.js' */
/** @import {KeptModel} from '../files/model-store.js' */
/** @import {Explanation, ExplainTarget, LogitAttribution} from '../host/explanations.js' */
/** @import {PatchMap, PatchOptions, PatchedTarget} from '../host/patch-map.js' */
/** @import {SentenceSimilarity} from '../host/similarity-grid.js' */
/** @import {Generated, GenerateOptions} from '../host/generation.js' */
/** @import {TranslateOptions} from '../host/translator.js' */
/** @import {CopyingHeads, CopyingOptions} from '../host/copying-heads.js' */
/** @import {HeadEffects, Target} from '../host/head-effects.js' */
/** @import {HeadGuide} from '../host/head-guide.js' */
/** @import {Interventions} from '../interventions.js' */
/** @import {Tensor, TensorLike} from '../lab/lab-types.js' */
/** @import {Method} from '../methods.js' */
/** @import {AttendOptions} from '../host/loaded-model.js' */
/** @import {Untrained, UntrainedOptions} from '../host/untrained-model.js' */
/** @import {LinkedWords, WordLinkOptions} from '../host/word-links.js' */
/** @import {Host} from '../host/worker.js' */

/** @typedef {Awaited<ReturnType<Remote<Host>['load']>>} RemoteModel */

/** The settings of `Sampling`. */
const SAMPLING =
  'temperature, topK, topP, repetitionPenalty, seed, beams, lengthPenalty, earlyStopping';

/** A loaded model. It runs texts and knows what it is made of. */
export class Model {
  #remote;
  #decoder;

  /**
   * @param {RemoteModel} remote
   * @param {string} [source]
   */
  constructor(remote, source) {
    const {description} = remote;
    this.#remote = remote;
    this.#decoder = remoteDecoder(remote);
    this.name = description.name;
    /** The name under which `keep` stores the model and `engine.load` opens it. */
    this.source = source ?? `kept:${this.name}`;
    this.config = description.config;
    this.shape = description.shape;
    /** One sentence for each thing that was ignored while loading. */
    this.notes = description.notes;
    this.predictionHeads = description.predictionHeads;
    /**
     * What the model was trained to label and does not label here, such as `tokens`; null if
     * nothing.
     */
    this.unusedHead = description.unusedHead;
    /** Whether it was trained to give one vector per sentence, for comparing them. */
    this.givesSentenceVectors = description.givesSentenceVectors;
    /** The token that stands for a masked word in a text; null if there is none. */
    this.maskToken = description.maskToken;
    /**
     * Whether each character of a token stands for one byte of UTF-8, as in GPT-2: `Ġcaf`, `Ã©`.
     */
    this.isByteLevel = description.isByteLevel;
    /** The shape of the decoder if the model is an encoder-decoder, whose encoder's is `shape`; else null. */
    this.decoderShape = description.decoderShape;
  }

  /**
   * Runs a text. Passes of one model run one after the other: abort those that you no longer need.
   * @param {string} text
   * @param {AttendOptions & {signal?: AbortSignal}} [options]
   * @returns {Promise<Result>}
   */
  async attend(text, options = {}) {
    const known = 'pair, specialTokens, ids, interventions, matrices and signal';
    const run = checked('attend', options, known);
    const attended = await this.#remote.attend(text, run);
    return new Result(this.#remote, attended, text, run.pair, run.ids);
  }

  /**
   * Splits several texts into tokens, as one batch. Texts are cut off after as many tokens as the
   * model has positions for.
   * @param {string[]} texts
   * @param {BatchOptions} [options]
   * @returns {Promise<TokenBatch>}
   */
  async tokenize(texts, options = {}) {
    return this.#remote.tokenize(texts, checked('tokenize', options, 'padding and specialTokens'));
  }

  /**
   * @param {ArrayLike<number>} ids
   * @returns {Promise<string>} The text of the tokens, special tokens included.
   */
  decode(ids) {
    return this.#remote.decode(ids);
  }

  /**
   * The word embeddings of token ids, before positions, token types and layer norm are applied.
   * @param {TensorLike} ids They may have any shape.
   * @returns {Promise<Tensor>} `[...ids, hiddenSize]`
   */
  embeddings(ids) {
    return this.#remote.embeddings(ids);
  }

  /**
   * Runs a batch. The hidden states of padding mean nothing.
   * @param {TokenBatch} batch What `tokenize` returns.
   * @param {{index?: number, signal?: AbortSignal}} [options] Index 0 is the embeddings' output and
   *   index `i` that of layer `i - 1`; the default is the last layer's.
   * @returns {Promise<Tensor>} `[texts, tokens, hiddenSize]`
   */
  async hiddenStates(batch, options = {}) {
    return this.#remote.hiddenStates(batch, checked('hiddenStates', options, 'index and signal'));
  }

  /**
   * What the model made of a text before it had learned anything. Runs the embeddings, the encoder
   * and, if `labels` is given, the classifier of `engine.lab` with random weights in the model's
   * shape.
   * @param {string} text
   * @param {UntrainedOptions & {signal?: AbortSignal}} options
   * @returns {Promise<Untrained>}
   */
  async untrained(text, options) {
    const known = 'seed, layers, norm, labels, specialTokens and signal';
    return this.#remote.untrained(text, checked('untrained', options, known));
  }

  /** The model's modules with the shapes of their weights. */
  tree() {
    return modelTree(this.config, this.predictionHeads);
  }

  /**
   * Switches off each head in turn and measures how that changes one prediction. Other passes run
   * meanwhile; abort it when you no longer need it.
   * @param {string | Result} of A text, or a result of this model, whose interventions stay.
   * @param {object} [options]
   * @param {Target} [options.target] The default is the likeliest token in place of the first
   *   `[MASK]`, or after the text.
   * @param {(progress: {done: number, total: number}) => void} [options.onProgress] Counts heads.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<HeadEffects>}
   */
  async headEffects(of, options = {}) {
    const {target, ...how} = checked('headEffects', options, 'target, onProgress and signal');
    const [{pass}] = await this.#passesOf([of], how.signal);
    return this.#remote.headEffects(pass, target, how);
  }

  /**
   * How much each token of a text contributes to an answer: to a word in the place of a `[MASK]`, to
   * a class, or to the sentence vector.
   * @param {string} text
   * @param {object} [options]
   * @param {Method} [options.method] The default is `alti`, and of models that normalize before the parts of their layers
   *   `integrated-gradients`.
   * @param {ExplainTarget} [options.target] The default is `mask`.
   * @param {string | number} [options.instead] Another word or class to set it against.
   * @param {string} [options.pair] A second sentence.
   * @param {boolean} [options.specialTokens]
   * @param {Interventions} [options.interventions]
   * @param {(progress: {done: number, total: number}) => void} [options.onProgress] Counts to 1.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<Explanation>}
   */
  async explain(text, options = {}) {
    const known =
      'method, target, instead, pair, specialTokens, interventions, onProgress and signal';
    const {method, target, instead, onProgress, ...run} = checked('explain', options, known);
    const result = await this.attend(text, run);
    return result.explain({method, target, instead, onProgress, signal: run.signal});
  }

  /**
   * How much each head, each feed-forward network and the embedding add to the logit of the word that comes next.
   * @param {string} text
   * @param {object} [options]
   * @param {ExplainTarget} [options.target] A token and a word; the default is the likeliest word after the text.
   * @param {string | number} [options.instead] Another word to set it against.
   * @param {boolean} [options.specialTokens]
   * @param {Interventions} [options.interventions]
   * @param {(progress: {done: number, total: number}) => void} [options.onProgress] Counts to 1.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<LogitAttribution>}
   */
  async logitAttribution(text, options = {}) {
    const known = 'target, instead, specialTokens, interventions, onProgress and signal';
    const {target, instead, onProgress, ...run} = checked('logitAttribution', options, known);
    const result = await this.attend(text, run);
    return result.logitAttribution({target, instead, onProgress, signal: run.signal});
  }

  /**
   * Where in the model the answer to one text turns into that to another: a pass over the text is
   * given one hidden state, or the output of one head, of a pass over the other, in every place in
   * turn.
   * @param {string | Result} of A text, or a result of this model, whose interventions stay.
   * @param {string | Result} from Another, of as many tokens.
   * @param {PatchOptions} [options]
   * @returns {Promise<{tokens: string[], from: string[]} & PatchedTarget & PatchMap>} With the tokens
   *   of both texts.
   */
  async patch(of, from, options = {}) {
    const how = checked('patch', options, 'what, target, onProgress and signal');
    const [text, other] = await this.#passesOf([of, from], how.signal);
    const map = await this.#remote.patch(text.pass, other.pass, how);
    return {tokens: text.tokens, from: other.tokens, ...map};
  }

  /**
   * How similar two texts are by their sentence vectors, and which of their tokens make them so.
   * Vectors are the means of the last hidden states. Not every model was trained for comparing
   * them: `givesSentenceVectors` says so.
   * @param {string | Result} a
   * @param {string | Result} b
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<SentenceSimilarity>}
   */
  async sentenceSimilarity(a, b, options = {}) {
    const how = checked('sentenceSimilarity', options, 'signal');
    const [first, second] = await this.#passesOf([a, b], how.signal);
    const similarity = await this.#remote.sentenceSimilarity(first.pass, second.pass, how);
    return {...similarity, tokens: [first.tokens, second.tokens]};
  }

  /**
   * Continues a text token by token, with a model that predicts the next token. What its tokens have
   * computed is kept, so that each new one costs one row.
   * @param {string | Result} of A text, or a result of this model, whose interventions stay.
   * @param {GenerateOptions} [options]
   * @returns {Promise<Generated>}
   */
  async generate(of, options = {}) {
    const how = checked('generate', options, `tokens, ${SAMPLING}, onProgress and signal`);
    const [{pass}] = await this.#passesOf([of], how.signal);
    return this.#remote.generate(pass, how);
  }

  /**
   * Lets an encoder-decoder write what it makes of a text, token by token.
   * @param {string} text
   * @param {TranslateOptions} [options]
   * @returns {Promise<Translation>}
   */
  async translate(text, options = {}) {
    const known = `tokens, ${SAMPLING}, written, interventions, onProgress and signal`;
    const how = checked('translate', options, known);
    const translated = await this.#remote.translate(text, how);
    return new Translation(this.#remote, this.#decoder, translated, text);
  }

  /**
   * @param {(string | Result)[]} texts
   * @param {AbortSignal} [signal]
   */
  async #passesOf(texts, signal) {
    const passes = [];
    for (const text of texts) {
      const result = typeof text === 'string' ? await this.attend(text, {signal}) : text;
      passes.push({pass: Result.passOf(result, this.#remote), tokens: result.tokens});
    }
    return passes;
  }

  /**
   * Keeps the quantized model in this browser, for a visit without the network.
   * @returns {Promise<KeptModel>} Rejects with the code `storage-full` if there is no room.
   */
  keep() {
    return this.#remote.keep(this.source);
  }

  /**
   * What every head does on average over many sentences, and which heads do the same. Other passes
   * run meanwhile.
   * @param {object} [options]
   * @param {string[]} [options.sentences] The default is two hundred everyday sentences.
   * @param {boolean} [options.similar] Whether to measure how alike the heads are; the default is
   *   true.
   * @param {(progress: {done: number, total: number}) => void} [options.onProgress] Counts
   *   sentences.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<HeadGuide>}
   */
  async headGuide(options = {}) {
    const known = 'sentences, similar, onProgress and signal';
    const {sentences: given, ...how} = checked('headGuide', options, known);
    const everyday = () => lazily(() => import('../everyday-sentences.js'));
    const sentences = given ?? (await everyday()).everydaySentences;
    return this.#remote.headGuide({sentences, ...how});
  }

  /**
   * Which heads of a decoder find a token before: on random tokens that come twice, the shares of
   * attention to the token before, to the same token and to the one after it.
   * @param {CopyingOptions & {signal?: AbortSignal}} [options]
   * @returns {Promise<CopyingHeads>}
   */
  async copyingHeads(options = {}) {
    return this.#remote.copyingHeads(
      checked('copyingHeads', options, 'ids, tokens, seed and signal'),
    );
  }

  /**
   * Which words each head links: for every word the other word that it attends to most, and the one
   * that attends to it most. Pieces become words as in Clark et al. 2019
   * (https://arxiv.org/abs/1906.04341).
   * @param {string} text
   * @param {WordLinkOptions & {signal?: AbortSignal}} options
   * @returns {Promise<LinkedWords>}
   */
  async wordLinks(text, options) {
    return this.#remote.wordLinks(
      text,
      checked('wordLinks', options, 'words, mentions and signal'),
    );
  }

  dispose() {
    this.#remote.dispose();
  }
}
