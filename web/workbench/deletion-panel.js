import {TaskStatus} from '@lit/task';
import {html, nothing, svg} from 'lit';
import {fewTokens, methodsOf} from '../attention/contributions.js';
import {explanationStrings} from '../strings/explanation.js';
import {formatNumber, formatProbability} from '../views/parts/number-format.js';
import {PanelTask, WorkbenchPanel} from './panel.js';
import {problem} from './problem-message.js';
import {explanationStyles} from './styles.js';

/** @import {Result} from '../session/pass.js' */
/** @import {MethodName} from '../strings/en/explanation.js' */
/** @import {Explanation} from './explanation-panel.js' */

/** @typedef {Awaited<ReturnType<Result['deletionCurve']>>} DeletionCurve */

const {curve: words, methods} = explanationStrings;

/** The size of the drawing, in its own units, without the numbers around it. */
const width = 300;
const height = 100;

/**
 * The panel tests an explanation on the reader's own text: it masks the tokens in the order of their contributions and
 * shows what is left of the answer, beside random orders (DeYoung et al. 2020).
 *
 * @fires tested  detail: the curve of the explanation
 */
export class WorkbenchDeletion extends WorkbenchPanel {
  static properties = {
    target: {attribute: false},
    explanation: {attribute: false},
    isAsked: {state: true},
  };

  static styles = explanationStyles;

  #curve = new PanelTask(this, {
    args: () => /** @type {const} */ ([this.result, this.explanation, this.isAsked]),
    task: async ([result, explanation], {signal}) =>
      result && explanation && (this.isAsked || explanation.tokens.length <= fewTokens)
        ? result.deletionCurve(explanation.contributions, {target: this.target, signal})
        : null,
  });
  /** The curve that listeners have been told. @type {DeletionCurve | undefined} */
  #told;
  /** The curves of all methods, which take a while. */
  #all = new PanelTask(this, {
    autoRun: false,
    task: async (_, {signal}) => {
      const {target, explanation} = this;
      const result = /** @type {Result} */ (this.result);
      /** @type {[MethodName, DeletionCurve][]} */
      const curves = [];
      for (const method of this.model ? methodsOf(this.model.config) : []) {
        const {contributions} = await result.explain({method, target, signal});
        // The table has the random orders of the chosen method.
        const options = {target, randomOrders: 0, signal};
        curves.push([method, await result.deletionCurve(contributions, options)]);
      }
      return {answer: answerOf(explanation), result, curves};
    },
  });

  constructor() {
    super();
    /** @type {NonNullable<Parameters<Result['explain']>[0]>['target']} */
    this.target = 'mask';
    /** @type {Explanation | null} */
    this.explanation = null;
    /** Whether the reader wants the test of a long text, which takes a while. */
    this.isAsked = false;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has('result')) return;
    this.isAsked = false;
    this.#all.abort();
  }

  updated() {
    const {value} = this.#curve;
    if (!value || value === this.#told) return;
    this.#told = value;
    this.dispatchEvent(new CustomEvent('tested', {detail: value}));
  }

  render() {
    const {value} = this.#curve;
    return html`<section aria-labelledby="curve-title">
      <h3 id="curve-title">${words.title}</h3>
      <p class="hint">${words.help}</p>
      ${value ? (value.order.length ? this.#drawn(value) : html`<p>${words.none}</p>`) : this.#question()}
      ${this.#curve.render({error: problem})}
    </section>`;
  }

  #question() {
    if (this.#curve.status === TaskStatus.PENDING || !this.explanation) return nothing;
    return html`<button type="button" @click=${() => (this.isAsked = true)}>${words.run}</button>`;
  }

  /** @param {DeletionCurve} curve */
  #drawn(curve) {
    return html`<p role="status">${sentenceOf(curve)}</p>
      ${chartOf(curve)} ${this.#methods(curve)}`;
  }

  /** @param {DeletionCurve} curve */
  #methods(curve) {
    const {value} = this.#all;
    const isCurrent = value?.result === this.result && value?.answer === answerOf(this.explanation);
    if (this.#all.status === TaskStatus.PENDING)
      return html`<button type="button" @click=${() => this.#all.abort()}>${words.cancel}</button>`;
    const {method} = /** @type {Explanation} */ (this.explanation);
    /** @type {[MethodName, DeletionCurve][]} */
    const rows = value && isCurrent ? value.curves : [[method, curve]];
    return html`<table class="faithfulness">
        <thead>
          <tr>
            <td></td>
            <th scope="col" class="number" title=${words.comprehensivenessHelp}>
              ${words.comprehensiveness}
            </th>
            <th scope="col" class="number" title=${words.sufficiencyHelp}>${words.sufficiency}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(([name, {deletion}]) => rowOf(methods[name].name, deletion, name === method, lacksOf(deletion, curve.random)))}
          ${rowOf(words.random, curve.random, false)}
        </tbody>
      </table>
      <p class="hint">${words.comprehensivenessHelp} ${words.sufficiencyHelp}</p>
      ${
        isCurrent
          ? nothing
          : html`<button type="button" @click=${() => this.#all.run()}>${words.compare}</button>`
      }
      ${this.#all.render({error: problem})}`;
  }
}

/** What is explained, to tell whether two explanations speak of the same. @param {Explanation | null} explanation */
const answerOf = (explanation) => JSON.stringify(explanation?.target);

/** Says where the order of the contributions differs most from a random order. @param {DeletionCurve} curve */
function sentenceOf({counts, deletion, random}) {
  const gaps = counts.map((_, at) => Math.abs(random.without[at] - deletion.without[at]));
  const at = Math.max(1, gaps.indexOf(Math.max(...gaps)));
  return words.says(
    counts[at],
    formatProbability(deletion.without[0]),
    formatProbability(deletion.without[at]),
    formatProbability(random.without[at]),
  );
}

/** Draws what is left of the answer as tokens are masked. @param {DeletionCurve} curve */
function chartOf({counts, deletion, random}) {
  const last = counts[counts.length - 1];
  const most = Math.max(...deletion.without, ...random.without, 0.01);
  const points = (/** @type {Float32Array} */ left) =>
    Array.from(left, (share, at) => {
      const x = (counts[at] / last) * width;
      return `${x.toFixed(1)},${(height - (share / most) * height).toFixed(1)}`;
    }).join(' ');
  return html`<figure class="curve">
    <svg viewBox="-44 -8 ${width + 56} ${height + 34}" role="img" aria-label=${words.help}>
      <line x1="0" y1=${height} x2=${width} y2=${height}></line>
      <line x1="0" y1="0" x2="0" y2=${height}></line>
      ${svg`<polyline class="random" points=${points(random.without)}></polyline>
        <polyline points=${points(deletion.without)}></polyline>`}
      <text x="-6" y="4" text-anchor="end">${formatProbability(most)}</text>
      <text x="-6" y=${height} text-anchor="end">0%</text>
      <text x="0" y=${height + 18} text-anchor="middle">0</text>
      <text x=${width} y=${height + 18} text-anchor="end">${last} ${words.masked}</text>
    </svg>
    <figcaption>
      <span class="key">${words.inOrder}</span> <span class="key random">${words.atRandom}</span>
    </figcaption>
  </figure>`;
}

/** The measures of an order of tokens. @type {readonly ['comprehensiveness', 'sufficiency']} */
const measures = ['comprehensiveness', 'sufficiency'];

/** A measure as it is shown. @param {number} value */
const shown = (value) => formatNumber(value, 3);

/**
 * The measures by which an order is no better than random ones, as they are shown.
 *
 * @param {DeletionCurve['deletion']} order
 * @param {DeletionCurve['random']} random
 */
function lacksOf(order, random) {
  return measures.filter((measure) => {
    // A method should find much of the answer, and leave little of it.
    const lead = (order[measure] - random[measure]) * (measure === 'sufficiency' ? -1 : 1);
    return lead <= 0 || shown(order[measure]) === shown(random[measure]);
  });
}

/**
 * Says of a method that it is no better than a random order; empty for a better one.
 *
 * @param {MethodName} method
 * @param {DeletionCurve} curve
 */
export function verdictOf(method, {order, deletion, random}) {
  const lacks = order.length ? lacksOf(deletion, random) : [];
  const names = lacks.map((measure) => words[measure].toLowerCase());
  return names.length ? words.noBetter(methods[method].name, names) : '';
}

/**
 * @param {string} name
 * @param {DeletionCurve['deletion']} order
 * @param {boolean} isChosen
 * @param {readonly string[]} [lacks]  the measures by which it is no better than random
 */
const rowOf = (name, order, isChosen, lacks = []) =>
  html`<tr class=${isChosen ? 'chosen' : ''}>
    <th scope="row">${name}</th>
    ${measures.map(
      (measure) =>
        html`<td class="number">
          ${shown(order[measure])}
          ${lacks.includes(measure) ? html`<small>${words.noBetterShort}</small>` : nothing}
        </td>`,
    )}
  </tr>`;

customElements.define('workbench-deletion', WorkbenchDeletion);
