import {html, nothing} from 'lit';
import {namingOfModel, spellingOfModel} from '../attention/byte-level-tokens.js';
import {csv} from '../export/csv.js';
import {fileName, save} from '../export/download.js';
import {explanationStrings as words} from '../strings/explanation.js';
import {formatPercent} from '../views/parts/number-format.js';
import {contributionList, largestOf} from './contribution-list.js';
import {PanelTask, WorkbenchPanel} from './panel.js';
import {problem} from './problem-message.js';
import {explanationStyles} from './styles.js';

/** @import {Translation} from '../session/pass.js' */
/** @import {Contributions} from './contribution-list.js' */

/** @typedef {Awaited<ReturnType<Translation['explain']>>} Explanation */

const {written: own} = words;

/**
 * The panel tells what a token that an encoder-decoder wrote comes from: how much of it from each token of the text, and
 * how much from each token that was written before it.
 *
 * @fires choose  detail: the token of the text that the reader wants to see in the picture
 */
export class WorkbenchWrittenExplanation extends WorkbenchPanel {
  static properties = {
    translation: {attribute: false},
    chosen: {state: true},
  };

  static styles = explanationStyles;

  #explanation = new PanelTask(this, {
    args: () => /** @type {const} */ ([this.translation, this.#place]),
    task: async ([translation, token], {signal}) => {
      if (!translation) return null;
      return {translation, explanation: await translation.explain({token, signal})};
    },
  });

  constructor() {
    super();
    /** @type {Translation | null} */
    this.translation = null;
    /** The index of the written token that was chosen here; null: the pinned one, or the last. @type {number | null} */
    this.chosen = null;
  }

  /** @param {Map<string, any>} changed */
  willUpdate(changed) {
    if (changed.has('translation') || (changed.has('pinned') && this.pinned !== null))
      this.chosen = null;
  }

  /** The index of the written token that is explained. The token that ends a text is explained if it is chosen. */
  get #place() {
    const special = this.translation?.specialTokens ?? [];
    const last = special.length - 1;
    return Math.min(this.chosen ?? this.pinned ?? Math.max(special.lastIndexOf(false), 0), last);
  }

  render() {
    const {does, limit} = words.methods['alti-plus'];
    return html`<p class="hint">${does} ${limit}</p>
      ${this.#explained()} ${this.#explanation.render({error: problem})}`;
  }

  /** Draws the latest explanation. It stays until the next one is there, so that nothing below it moves. */
  #explained() {
    const {value} = this.#explanation;
    if (!value) return nothing;
    const {translation, explanation} = value;
    const {target, source, prefix} = explanation;
    const ofText = this.#contributions(source, translation.encoder);
    const before = this.#contributions(prefix, translation.decoder);
    const how = {largest: largestOf([ofText, before]), dark: this.dark, pinned: null};
    const shares = [source, prefix].map(({share}) => formatPercent(share));
    return html`<section aria-labelledby="written-title">
      <h3 id="written-title">${own.title(namingOfModel(this.model)(target.word))}</h3>
      ${this.#choices(translation, target.token)}
      <p class="summary" role="status">${own.says(shares[0], shares[1])}</p>
      <h4>${own.source}</h4>
      ${contributionList(ofText, {...how, label: own.source, onPin: (at) => this.#showSource(at)})}
      <h4>${own.before}</h4>
      ${contributionList(before, {
        ...{...how, label: own.before},
        // The token that begins a text was not written.
        onPin: (at) => (this.chosen = Math.max(at - 1, 0)),
      })}
      <div class="row">
        <button
          type="button"
          class="bare"
          @click=${() => this.#saveTable(explanation, translation)}
        >
          ${words.save}
        </button>
      </div>
    </section>`;
  }

  /** Draws every written token as a button that chooses it. @param {Translation} translation @param {number} place */
  #choices({tokens}, place) {
    const spell = spellingOfModel(this.model);
    return html`<ol class="contributions" aria-label=${own.choose}>
      ${tokens.map(
        (token, index) =>
          html`<li>
            <button
              type="button"
              aria-pressed=${index === place}
              @click=${() => (this.chosen = index)}
            >
              <bdi>${spell(token)}</bdi>
            </button>
          </li>`,
      )}
    </ol>`;
  }

  /**
   * @param {Explanation['source']} part
   * @param {{specialTokens: readonly boolean[]}} result  the text that the tokens are of
   * @returns {Contributions}
   */
  #contributions({tokens, contributions}, {specialTokens}) {
    return {
      method: 'alti-plus',
      names: tokens.map(spellingOfModel(this.model)),
      amounts: Array.from(contributions),
      special: tokens.map((_, at) => specialTokens[at]),
      starts: tokens.map((_, at) => at),
    };
  }

  /** Shows in the picture which written tokens look at a token of the text. @param {number} index */
  #showSource(index) {
    this.chosen = this.#place;
    const token = {side: /** @type {const} */ ('key'), index};
    this.dispatchEvent(new CustomEvent('choose', {detail: {filter: 'cross', token}}));
  }

  /** Saves all shares with all their digits. @param {Explanation} explanation @param {Translation} translation */
  #saveTable({method, target, source, prefix}, {text}) {
    const rows = Object.entries({source, prefix}).flatMap(([part, {tokens, contributions}]) =>
      tokens.map((token, at) => [part, token, contributions[at]]),
    );
    const table = csv([['part', 'token', method], ...rows]);
    const name = fileName(['why', target.word, method, text], 'csv');
    save(name, new Blob([table], {type: 'text/csv'}));
  }
}

customElements.define('workbench-written-explanation', WorkbenchWrittenExplanation);
