import {range} from '../attention/range.js';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {Result} from '../session/pass.js' */
/** @import {WidgetModel} from './host.d.ts' */
/** @import {PythonLine} from './python-line.js' */

/** With more numbers, Python asks for the heads that it needs. These are four megabytes, less than a message may have. */
const mostNumbers = 2 ** 20;

/** The traits, besides the texts, that a result depends on. */
const sourceTraits = ['interventions', 'no_special_tokens', 'src'];

/** Tells Python each result of an element, the next one when Python has taken the one before. */
export class ResultSender {
  #line;
  #model;
  #isSending = false;
  /** @type {{scope: BertScope, result: Result} | null} */
  #next = null;

  /** @param {PythonLine} line @param {WidgetModel} model */
  constructor(line, model) {
    this.#line = line;
    this.#model = model;
  }

  /** @param {BertScope} scope @param {Result} result */
  async send(scope, result) {
    this.#next = {scope, result};
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#next) {
        const next = this.#next;
        this.#next = null;
        await this.#tell(next.scope, next.result);
      }
    } finally {
      this.#isSending = false;
    }
  }

  /** @param {BertScope} scope @param {Result} result */
  async #tell(scope, result) {
    const {layers, heads} = scope.shape;
    const {text, pair, tokens, truncated} = result;
    const isWhole = layers * heads * tokens.length ** 2 <= mostNumbers;
    const buffers = isWhole
      ? await Promise.all(range(layers).map((layer) => result.layerAttention(layer)))
      : [];
    // A newer text may have come meanwhile, and its result will too.
    if (scope.result !== result) return;
    const facts = {
      text,
      text_pair: pair,
      ...Object.fromEntries(sourceTraits.map((name) => [name, this.#model.get(name)])),
      tokens,
      ids: Array.from(result.ids),
      token_type_ids: Array.from(result.sentences),
      model: scope.model?.name ?? '',
      ...{truncated, layers, heads},
    };
    await this.#line.ask('result', facts, /** @type {Float32Array<ArrayBuffer>[]} */ (buffers));
    // Reactive notebooks run the cells that read a trait when it changes.
    this.#model.set('results', this.#model.get('results') + 1);
    this.#model.save_changes();
  }
}
