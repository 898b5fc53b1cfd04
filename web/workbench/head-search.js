import {LitElement, html, nothing} from 'lit';
import {select} from '../controls/fields.js';
import {grammarStrings} from '../strings/grammar.js';
import {formatPercent} from '../views/parts/number-format.js';
import {foundBy, headsWithLink, relationOf, tokensOfWord, wordsOf} from './link-search.js';
import {PanelTask} from './panel.js';
import {problem} from './problem-message.js';
import {relationName} from './relation-name.js';
import {grammarStyles} from './styles.js';
import {wordButtons} from './word-buttons.js';

/** @import {Sentence} from '../engine/syntax/conllu.js' */
/** @import {SyntaxReport} from '../engine/syntax/score-treebank.js' */
/** @import {Result} from '../session/pass.js' */
/** @import {Shape} from '../attention/shape.js' */
/** @import {Asked, HeadWithLink, Link} from './link-search.js' */

const {search: words} = grammarStrings;

/** The number of heads that are listed until the reader asks for all. */
const most = 8;

/**
 * The panel ranks all heads by how much one word of the sentence on show attends to another one.
 *
 * @fires choose  detail: `{layer, heads, meanLayers, token}`
 */
export class WorkbenchHeadSearch extends LitElement {
  static properties = {
    result: {attribute: false},
    shape: {attribute: false},
    report: {attribute: false},
    relation: {attribute: false},
    sentence: {attribute: false},
    isOpen: {state: true},
    first: {state: true},
    link: {state: true},
    chosen: {state: true},
    order: {state: true},
    isWhole: {state: true},
  };

  static styles = grammarStyles;

  #heads = new PanelTask(this, {
    args: () => /** @type {const} */ ([this.result, this.shape, this.link]),
    task: async ([result, shape, link], {signal}) => {
      if (!result || !shape || !link) return null;
      const inText = wordsOf(result.text, this.sentence);
      const [from, to] = [inText[link.from], inText[link.to]];
      return from && to ? headsWithLink(result, shape, from, to, signal) : null;
    },
  });

  constructor() {
    super();
    /** @type {Result | null} */
    this.result = null;
    /** @type {Shape | null} */
    this.shape = null;
    /** What was measured on a file. @type {SyntaxReport | null} */
    this.report = null;
    /** The relation that the reader has chosen in the table; empty for none. */
    this.relation = '';
    /** The annotation of the sentence on show. @type {Sentence | null} */
    this.sentence = null;
    this.isOpen = false;
    /** The first word of a link that has no second one. @type {number | null} */
    this.first = null;
    /** @type {Link | null} */
    this.link = null;
    /** The relation that the reader takes the link for; null: that of the annotation or of the table. @type {string | null} */
    this.chosen = null;
    /** What the heads are ranked by: the link in this sentence, or its relation in the file. @type {'here' | 'inFile'} */
    this.order = 'here';
    /** Whether all heads are listed. */
    this.isWhole = false;
  }

  /** The text that the marked words are of. */
  #text = '';

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    const text = this.result?.text ?? '';
    // An annotation counts words in its own way.
    if (text === this.#text && !changed.has('sentence')) return;
    this.#text = text;
    this.first = null;
    this.link = null;
    this.chosen = null;
    this.order = 'here';
    this.isWhole = false;
  }

  render() {
    return html`<details
      @toggle=${(/** @type {Event} */ {target}) => (this.isOpen = /** @type {HTMLDetailsElement} */ (target).open)}
    >
      <summary>${words.title}</summary>
      ${this.isOpen ? this.#tools() : nothing}
    </details>`;
  }

  #tools() {
    const {result, link} = this;
    const complete = (/** @type {HeadWithLink[] | null} */ found) =>
      found && result && link ? this.#found(result, link, found) : nothing;
    return html`<div class="tools">
      <p class="hint">${words.hint}</p>
      ${result ? this.#sentence(result) : nothing}
      ${link ? this.#heads.render({complete, error: problem}) : nothing}
    </div>`;
  }

  /** @param {Result} result */
  #sentence(result) {
    const inText = wordsOf(result.text, this.sentence);
    const {first, link} = this;
    const pairs = new Map(link ? [[link.from, link.to]] : []);
    const status = first === null ? words.first : words.second(inText[first].form);
    return html`${wordButtons(inText, first, pairs, (word) => this.#mark(word))}
      <p class="hint" role="status">${status}</p>`;
  }

  /** @param {number} word */
  #mark(word) {
    const {first} = this;
    this.first = first === null ? word : null;
    if (first === null || first === word) return;
    this.link = {from: first, to: word};
    this.chosen = null;
  }

  /** The relation that a link is of, with what is known of it. @param {Link} link @returns {Asked} */
  #asked(link) {
    const annotated = relationOf(this.sentence, link);
    if (this.chosen !== null) {
      const direction = this.chosen === annotated?.relation ? annotated.direction : 'to';
      return {relation: this.chosen, direction};
    }
    return annotated ?? {relation: this.relation, direction: 'to'};
  }

  /** @param {Result} result @param {Link} link @param {HeadWithLink[]} heads */
  #found(result, link, heads) {
    const inText = wordsOf(result.text, this.sentence);
    const [from, to] = [inText[link.from], inText[link.to]];
    if (!(heads[0]?.weight > 0)) return html`<p class="hint" role="status">${words.noHead}</p>`;
    const {report} = this;
    const {relation, direction} = this.#asked(link);
    const score = report?.relations.find((each) => each.relation === relation);
    const inFile = (/** @type {HeadWithLink} */ place) =>
      score && report ? foundBy(score, direction, place, report.heads) : 0;
    const token = {side: 'query', index: tokensOfWord(result, from)[0]};
    const ranked =
      score && this.order === 'inFile'
        ? heads.toSorted((a, b) => inFile(b) - inFile(a) || b.weight - a.weight)
        : heads;
    return html`${report ? this.#relations(report, relation) : nothing}
      <table class="ranking">
        <caption>
          ${words.table(from.form, to.form)}
        </caption>
        <thead>
          <tr>
            <th scope="col">${grammarStrings.columns.head}</th>
            ${score ? ['here', 'inFile'].map((order) => this.#header(/** @type {'here' | 'inFile'} */ (order))) : html`<th scope="col">${words.here}</th>`}
          </tr>
        </thead>
        <tbody>
          ${ranked.slice(0, this.isWhole ? ranked.length : most).map(
            (place) =>
              html`<tr>
                <th scope="row">
                  <button type="button" class="bare" @click=${() => this.#choose(place, token)}>
                    ${place.layer}.${place.head}
                  </button>
                </th>
                <td class="number" style="--share: ${place.weight}">
                  ${formatPercent(place.weight)}
                </td>
                ${score ? html`<td class="number">${grammarStrings.of(inFile(place), score.links)}</td>` : nothing}
              </tr>`,
          )}
        </tbody>
      </table>
      ${
        this.isWhole || heads.length <= most
          ? nothing
          : html`<button type="button" class="bare" @click=${() => (this.isWhole = true)}>
              ${words.all(heads.length)}
            </button>`
      }
      ${
        score
          ? html`<p class="hint">
              ${words.inFileHelp(relationName(relation))} ${grammarStrings.directions[direction]}
            </p>`
          : nothing
      }`;
  }

  /** @param {'here' | 'inFile'} order */
  #header(order) {
    const sort = this.order === order ? 'descending' : nothing;
    return html`<th scope="col" aria-sort=${sort}>
      <button type="button" class="bare" @click=${() => (this.order = order)}>
        ${words[order]}
      </button>
    </th>`;
  }

  /** @param {SyntaxReport} report @param {string} relation */
  #relations({relations}, relation) {
    const choices = {
      '': words.none,
      ...Object.fromEntries(relations.map((each) => [each.relation, relationName(each.relation)])),
    };
    return html`<div class="row">
      ${select(words.relation, choices, relation, (/** @type {string} */ chosen) => (this.chosen = chosen))}
    </div>`;
  }

  /** @param {HeadWithLink} place @param {object} token */
  #choose({layer, head}, token) {
    const detail = {layer, heads: [head], meanLayers: [], token};
    this.dispatchEvent(new CustomEvent('choose', {detail}));
  }
}

customElements.define('workbench-head-search', WorkbenchHeadSearch);
