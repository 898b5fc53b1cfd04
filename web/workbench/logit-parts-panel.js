import {html, nothing} from 'lit';
import {namingOfModel} from '../attention/byte-level-tokens.js';
import {strings} from '../strings/index.js';
import {explanationStrings} from '../strings/explanation.js';
import {workbenchStrings} from '../strings/workbench.js';
import {formatNumber} from '../views/parts/number-format.js';
import {amountOf} from './contribution-list.js';
import {answerName} from './explained-answers.js';
import {PanelTask, WorkbenchPanel} from './panel.js';
import {problem} from './problem-message.js';
import {headsStyles} from './styles.js';

/** @import {HeadRef} from '../attention/shape.js' */
/** @import {Result} from '../session/pass.js' */

/** @typedef {Awaited<ReturnType<Result['logitAttribution']>>} LogitAttribution */

/** @typedef {{amount: number, name: string, place?: HeadRef}} LogitPart */

const {parts: words} = explanationStrings;

/** The number of parts that are listed for the word, and of those against it. */
const most = 6;

/**
 * The panel lists which heads and which feed-forward networks of a decoder add most to the logit of a word, and which
 * most against it.
 *
 * @fires choose  detail: `{layer, heads}`
 * @fires relation  detail: what each head adds, which the reader wants to see in the map of heads
 */
export class WorkbenchLogitParts extends WorkbenchPanel {
  static properties = {
    target: {attribute: false},
    rival: {attribute: false},
  };

  static styles = headsStyles;

  #found = new PanelTask(this, {
    args: () => /** @type {const} */ ([this.result, this.target, this.rival]),
    task: async ([result, target, instead], {signal}) =>
      result && target ? result.logitAttribution({target, instead, signal}) : null,
  });

  constructor() {
    super();
    /** The word that is explained. @type {{token: number, id: number} | null} */
    this.target = null;
    /** The id of the word that it is set against. @type {number | undefined} */
    this.rival = undefined;
  }

  render() {
    const {value} = this.#found;
    const found = value ? this.#parts(value) : nothing;
    return html`${found} ${this.#found.render({error: problem})}`;
  }

  /** @param {LogitAttribution} found */
  #parts(found) {
    const name = namingOfModel(this.model);
    const [word, other] = [found.target, found.instead].map(
      (answer) => answer && answerName(answer, name),
    );
    const parts = partsOf(found, this.model?.shape.heads ?? 1).sort((a, b) => b.amount - a.amount);
    const lists = {
      for: parts.filter(({amount}) => amount > 0).slice(0, most),
      against: parts
        .filter(({amount}) => amount < 0)
        .slice(-most)
        .reverse(),
    };
    return html`<section class="parts" aria-labelledby="parts-title">
      <h3 id="parts-title">
        ${other ? words.contrast(word ?? '', other) : words.title(word ?? '')}
      </h3>
      <p class="hint">${words.hint}</p>
      <div class="kinds">
        ${this.#list(words.for, lists.for)} ${this.#list(words.against, lists.against)}
      </div>
      <p class="summary" role="status">${sumsOf(found)}</p>
      <button type="button" @click=${() => this.#colour(found, word ?? '')}>
        ${workbenchStrings.copying.colour}
      </button>
    </section>`;
  }

  /** @param {string} title @param {LogitPart[]} parts */
  #list(title, parts) {
    return html`<div>
      <h4>${title}</h4>
      <ol class="alike">
        ${parts.map(
          ({amount, name, place}) =>
            html`<li>
              <span
                >${place ? this.#placeButton(name, place) : html`<span class="part">${name}</span>`}</span
              >
              <span class="number">${amountOf('gradient', amount)}</span>
            </li>`,
        )}
      </ol>
    </div>`;
  }

  /** @param {string} name @param {HeadRef} place */
  #placeButton(name, {layer, head}) {
    const choose = () =>
      this.dispatchEvent(new CustomEvent('choose', {detail: {layer, heads: [head]}}));
    return html`<button
      type="button"
      class="bare"
      title=${workbenchStrings.heads.show(layer, head)}
      @click=${choose}
    >
      ${name}
    </button>`;
  }

  /** @param {LogitAttribution} found @param {string} word */
  #colour({heads: values}, word) {
    const largest = Math.max(...values.map(Math.abs)) || 1;
    const detail = {
      name: words.added(word),
      help: words.hint,
      values,
      range: {least: -largest, most: largest},
      isDifference: true,
      format: (/** @type {number} */ amount) => amountOf('gradient', amount),
    };
    this.dispatchEvent(new CustomEvent('relation', {detail}));
  }
}

customElements.define('workbench-logit-parts', WorkbenchLogitParts);

/** @param {LogitAttribution} found @param {number} heads  in a layer @returns {LogitPart[]} */
function partsOf(found, heads) {
  const ofHeads = Array.from(found.heads, (amount, at) => {
    const place = {layer: Math.floor(at / heads), head: at % heads};
    return {amount, name: `${place.layer}.${place.head}`, place};
  });
  const ofLayers = Array.from(found.feedForward, (amount, layer) => ({
    amount,
    name: words.feedForward(layer),
  }));
  return [
    ...ofHeads,
    ...ofLayers,
    {amount: found.words, name: words.words},
    {amount: found.positions, name: words.positions},
    {amount: biasesOf(found), name: words.biases},
  ];
}

/** @param {LogitAttribution} found */
const biasesOf = ({attentionBiases, bias}) => totalOf(attentionBiases) + bias;

/** @param {ArrayLike<number>} values */
const totalOf = (values) => Array.from(values).reduce((sum, value) => sum + value, 0);

/** Says what all parts of a kind add, and what they sum to. @param {LogitAttribution} found */
function sumsOf(found) {
  const kinds = {
    heads: totalOf(found.heads),
    feedForward: totalOf(found.feedForward),
    words: found.words,
    positions: found.positions,
    biases: biasesOf(found),
  };
  const amounts = Object.fromEntries(
    Object.entries(kinds).map(([kind, amount]) => [kind, amountOf('gradient', amount)]),
  );
  const said = words.all(/** @type {Record<keyof typeof kinds, string>} */ (amounts));
  const sum = words.sum(formatNumber(found.value, 2), formatNumber(Math.abs(found.remainder), 6));
  return strings.text.sentences([said, sum]);
}
