/** What is computed from passes of a model: how its heads attend, and how an answer comes about. */

import {BertscopeError} from '../errors.js';
import {yieldIfDue} from '../event-loop.js';
import {collectHeads} from './head-guide.js';
import {quote} from '../json.js';
import {lazily} from '../lazy-part.js';
import {measureOf} from './measured-weights.js';
import {attendedSteps} from './pass-steps.js';
import {classifyTokens} from '../text/token-classes.js';
import {cosine, rowsOf} from './vectors.js';

/** @import {CopyingHeads, CopyingOptions} from './copying-heads.js' */
/** @import {DeletionOptions} from './deletion-curve.js' */
/** @import {Encoder, PassInput} from './encoder.js' */
/** @import {Encoders} from './encoders.js' */
/** @import {AnyMethod, Explanation, ExplainedSource, ExplainOptions, ExplainTarget, LogitAttribution} from './explanations.js' */
/** @import {Target} from './head-effects.js' */
/** @import {HeadGuide} from './head-guide.js' */
/** @import {StrongestLink, TokenLinks} from './strongest-links.js' */
/** @import {LoadedModel} from './loaded-model.js' */
/** @import {LinkedWords, WordLinkOptions} from './word-links.js' */
/** @import {PatchOptions} from './patch-map.js' */
/** @import {Targets} from './targets.js' */
/** @import {Measure} from '../measures.js' */
/** @import {Method} from '../methods.js' */
/** @import {Encoding, Tokenizer} from '../text/tokenizer.js' */
/** @import {WasmHeads, WasmModule} from '../wasm-module.d.ts' */

const analyses = () => lazily(() => import('./analyses.js'));

export class PassAnalyses {
  #model;
  #module;
  #encoders;
  #targets;
  #tokenizer;
  #batchOf;

  /**
   * @param {Pick<LoadedModel, 'name' | 'config' | 'shape' | 'pull'>} model
   * @param {Pick<WasmModule, 'Explanation' | 'Flow' | 'Heads'>} module
   * @param {Encoders} encoders
   * @param {Targets} targets
   * @param {Tokenizer} tokenizer
   * @param {(text: string) => {encoding: Encoding, batch: Omit<PassInput, 'id'>}} batchOf
   */
  constructor(model, module, encoders, targets, tokenizer, batchOf) {
    this.#model = model;
    this.#module = module;
    this.#encoders = encoders;
    this.#targets = targets;
    this.#tokenizer = tokenizer;
    this.#batchOf = batchOf;
  }

  /**
   * @param {PassInput} pass
   * @param {{similar?: boolean, signal?: AbortSignal}} [options]
   */
  headStatistics(pass, options) {
    const classes = this.#classesOf(pass);
    const add = (/** @type {WasmHeads} */ heads) =>
      this.#encoders.ask(pass, (encoder) => encoder.addTo(pass, heads, classes, options?.signal));
    return collectHeads(this.#module, this.#model.shape, add, options);
  }

  /**
   * @param {PassInput} pass
   * @param {Uint8Array} kinds
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<StrongestLink[]>}
   */
  async strongestLinks(pass, kinds, options) {
    const {LinkSearch} = await analyses();
    return this.#searched(pass, new LinkSearch(kinds, pass.ids.length), options?.signal);
  }

  /**
   * @param {PassInput} pass
   * @param {{side: 'query' | 'key', index: number}} token
   * @param {Uint8Array} words
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<TokenLinks>}
   */
  async tokenLinks(pass, token, words, options) {
    const {TokenLinkSearch} = await analyses();
    const search = new TokenLinkSearch(token, words, pass.ids.length);
    return this.#searched(pass, search, options?.signal);
  }

  /**
   * Searches every head, so that no matrix leaves this thread.
   * @template T
   * @param {PassInput} pass
   * @param {{add: (layer: number, head: number, weights: Float32Array) => void, list: () => T}} search
   * @param {AbortSignal} [signal]
   */
  async #searched(pass, search, signal) {
    const {layers, heads} = this.#model.shape;
    for (let layer = 0; layer < layers; layer++) {
      for (let head = 0; head < heads; head++) {
        await yieldIfDue(signal);
        search.add(layer, head, await this.#model.pull(pass, 'attention', [layer, head]));
      }
    }
    return search.list();
  }

  /**
   * @param {object} options
   * @param {string[]} options.sentences
   * @param {boolean} [options.similar]
   * @param {AbortSignal} [options.signal]
   * @param {(progress: {done: number, total: number}) => void} [options.onProgress] Counts
   *   sentences.
   * @returns {Promise<HeadGuide>} The means over all sentences.
   */
  async headGuide({sentences, similar = true, signal, onProgress}) {
    if (!Array.isArray(sentences)) {
      const message = `expected a list of sentences, found ${quote(sentences)}`;
      throw new BertscopeError('bad-option', message);
    }
    const probe = this.#encoders.probe;
    const add = async (/** @type {WasmHeads} */ heads) => {
      for (const [index, sentence] of sentences.entries()) {
        const {pass} = await probe.run(this.#batchOf(sentence).batch, signal);
        await probe.addTo(pass, heads, this.#classesOf(pass), signal);
        onProgress?.({done: index + 1, total: sentences.length});
      }
    };
    return collectHeads(this.#module, this.#model.shape, add, {similar});
  }

  /**
   * @param {string} text
   * @param {WordLinkOptions & {signal?: AbortSignal}} options
   * @returns {Promise<LinkedWords>}
   */
  async wordLinks(text, {signal, ...options}) {
    const {checkWords, linkWords} = await analyses();
    checkWords(text, options);
    const {encoding, batch} = this.#batchOf(text);
    const probe = this.#encoders.probe;
    const {pass} = await probe.run(batch, signal, attendedSteps(probe.config.layers));
    return linkWords(probe, pass, encoding, options);
  }

  /**
   * @param {CopyingOptions & {signal?: AbortSignal}} options
   * @returns {Promise<CopyingHeads>}
   */
  async copyingHeads(options) {
    const {copyingHeads} = await analyses();
    // Left out are rows of the embedding without a token, special tokens and other marks.
    const isDrawn = (/** @type {number} */ id) =>
      !/^(?:|<.+>|\[.+\])$/s.test(this.#tokenizer.token(id));
    return copyingHeads(this.#encoders.probe, this.#model, isDrawn, options);
  }

  /**
   * @param {PassInput} pass
   * @param {Measure} measure
   * @param {number} layer
   * @param {number} [head]
   * @param {{signal?: AbortSignal, onProgress?: (progress: {done: number, total: number}) => void}}
   *   [options]
   */
  async measure(pass, measure, layer, head, options) {
    return this.#encoders.ask(pass, (encoder) =>
      measureOf(this.#module, encoder, pass, measure, layer, head, options),
    );
  }

  /**
   * @param {PassInput} pass
   * @param {Method} [method]
   * @param {ExplainTarget} [target]
   * @param {ExplainOptions} [options]
   * @returns {Promise<Explanation>}
   */
  async explain(pass, method, target, options = {}) {
    const {checkMethod, requireSigned, requireTextsOf} = await analyses();
    const chosen = method ?? (this.#model.config.normBefore ? 'integrated-gradients' : 'alti');
    checkMethod(chosen);
    requireTextsOf(chosen, false);
    if (options.instead !== undefined) requireSigned(chosen, false);
    return this.#explained(pass, chosen, target, options);
  }

  /**
   * Explains a word that this model, a decoder, wrote after a token.
   * @param {PassInput} pass
   * @param {Method} method It has been checked.
   * @param {{token: number, id: number}} target
   * @param {ExplainOptions & {source: ExplainedSource}} options
   * @returns {Promise<Explanation>} The contributions of the text that it looks into come first.
   */
  explainWritten(pass, method, target, options) {
    return this.#explained(pass, method, target, options);
  }

  /**
   * Integrated gradients of an encoder-decoder begin with texts that are nothing but ends.
   * @param {PassInput} pass
   * @param {Method} method
   */
  baselineOfWritten(pass, method) {
    return this.#targets.baselineOf(pass, method, true);
  }

  /**
   * @param {PassInput} pass
   * @param {ExplainTarget} [target]
   * @param {ExplainOptions} [options]
   * @returns {Promise<LogitAttribution>}
   */
  async logitAttribution(pass, target, options = {}) {
    const explained = await this.#explained(pass, 'logit-attribution', target, options);
    const {target: answer, instead, tokens, value, parts, remainder} = explained;
    return {target: answer, ...(instead && {instead}), tokens, value, ...parts, remainder};
  }

  /**
   * @param {PassInput} pass
   * @param {AnyMethod} method It has been checked.
   * @param {ExplainTarget | undefined} target
   * @param {ExplainOptions & {source?: ExplainedSource}} options
   * @returns {Promise<any>}
   */
  async #explained(pass, method, target, {instead, ...options}) {
    const {source} = options;
    const {contrastOf, explanationOf, requireOther} = await analyses();
    const chosen = this.#targets.explainTarget(pass, target);
    const rival = instead === undefined ? null : this.#targets.rivalOf(chosen, instead);
    /** @param {Encoder} encoder @param {PassInput} read */
    const explain = async (encoder, read) => {
      const own = this.#targets.baselineOf(read, method);
      const baseline = source ? Int32Array.of(...source.baseline, ...own) : own;
      const {onProgress} = options;
      // Two answers are explained one after the other.
      const runs = rival === null ? 1 : 2;
      const of = (/** @type {Target | 'vector'} */ answer, run = 0) =>
        explanationOf(this.#module, encoder, read, method, answer, {
          ...options,
          baseline,
          onProgress: ({done, total}) => onProgress?.({done: (run + done) / runs, total}),
        });
      const {id, ...explained} = await of(chosen);
      const named = this.#targets.named(chosen, id);
      const tokens = this.#tokensOf(read);
      if (rival === null || chosen === 'vector') return {...explained, target: named, tokens};
      const other =
        'label' in chosen ? {...chosen, label: rival} : {token: chosen.token, id: rival};
      requireOther(this.#model.name, named, rival);
      const contrast = contrastOf(explained, await of(other, 1));
      return {...contrast, target: named, instead: this.#targets.named(other, rival), tokens};
    };
    if (chosen === 'vector' || !('masked' in chosen && chosen.masked)) {
      return this.#encoders.ask(pass, (encoder) => explain(encoder, pass));
    }
    const probe = this.#encoders.probe;
    const masked = await probe.run(this.#targets.passOf(pass, chosen), options?.signal);
    return explain(probe, masked.pass);
  }

  /** @param {PassInput} pass */
  #tokensOf({ids}) {
    return Array.from(ids, (id) => this.#tokenizer.token(id));
  }

  /** @param {PassInput} pass */
  #classesOf(pass) {
    return classifyTokens(this.#tokensOf(pass), this.#tokenizer);
  }

  /**
   * @param {PassInput} pass
   * @param {Target | undefined} target
   * @param {{signal?: AbortSignal, onProgress?: (progress: {done: number, total: number}) => void}}
   *   [options]
   */
  async headEffects(pass, target, options) {
    const {headEffects} = await analyses();
    const chosen = this.#targets.target(pass, target);
    return headEffects(this.#encoders.probe, this.#targets.passOf(pass, chosen), chosen, options);
  }

  /**
   * @param {PassInput} pass
   * @param {PassInput} before It has as many tokens.
   * @returns {Promise<Float32Array>} `[(layers + 1) * tokens]`: the cosine of the angle between a
   *   token's hidden states in both passes.
   */
  async similarity(pass, before) {
    const {requireSameLength} = await analyses();
    requireSameLength(this.#model.name, pass, before);
    const {layers, hiddenSize} = this.#model.shape;
    /** Reads one pass before the other, since each may have to be run again. @param {PassInput} each */
    const statesOf = async (each) => {
      const states = [];
      for (let index = 0; index <= layers; index++) {
        states.push(...rowsOf(await this.#model.pull(each, 'hiddenStates', [index]), hiddenSize));
      }
      return states;
    };
    const [earlier, later] = [await statesOf(before), await statesOf(pass)];
    return Float32Array.from(later, (state, at) => cosine(earlier[at], state));
  }

  /**
   * @param {PassInput} pass
   * @param {PassInput} from
   * @param {PatchOptions} [options]
   */
  async patch(pass, from, options) {
    const {patch, requireSameLength} = await analyses();
    requireSameLength(this.#model.name, pass, from);
    return patch(this.#targets, this.#encoders.probe, pass, from, options);
  }

  /**
   * @param {PassInput} pass
   * @param {ArrayLike<number>} contributions
   * @param {DeletionOptions} [options]
   */
  async deletionCurve(pass, contributions, options) {
    const {deletionCurve} = await analyses();
    return deletionCurve(this.#targets, this.#encoders.probe, pass, contributions, options);
  }

  /**
   * @param {PassInput} a
   * @param {PassInput} b
   * @param {{signal?: AbortSignal}} [options]
   */
  async sentenceSimilarity(a, b, {signal} = {}) {
    if (this.#model.config.isCausal) {
      const message = `${this.#model.name}: expected a model whose tokens see the whole text, found one whose tokens see only those before them: their mean is no sentence vector`;
      throw new BertscopeError('not-available', message);
    }
    const {layers, hiddenSize} = this.#model.shape;
    const states = [];
    for (const pass of [a, b]) states.push(await this.#model.pull(pass, 'hiddenStates', [layers]));
    const {similarityGrid} = await analyses();
    return similarityGrid(states[0], states[1], hiddenSize, signal);
  }
}
