import {LitElement, html, nothing} from 'lit';
import {missedLinks} from '../engine/syntax/missed-links.js';
import {grammarStrings as words} from '../strings/grammar.js';
import {PanelTask} from './panel.js';
import {problem} from './problem-message.js';
import {grammarStyles} from './styles.js';
import {sentencesIn} from './treebank.js';

/** @import {Sentence} from '../engine/syntax/conllu.js' */
/** @import {Miss} from '../engine/syntax/missed-links.js' */
/** @import {RelationScore} from '../engine/syntax/relation-counts.js' */
/** @import {Model} from '../session/shared-models.js' */
/** @import {Treebank} from './treebank.js' */

/** @typedef {{sentence: Sentence, misses: Miss[]}} Failure */

/** The largest number of sentences that are listed, and of characters in one: a file may hold any text. */
const mostListed = 30;
const mostCharacters = 1_000;

/**
 * The list of the sentences in which the best head of a relation does not find it.
 *
 * @fires open  detail: `{sentence, word}`, the sentence to show and the first word that is missed
 */
export class WorkbenchFailures extends LitElement {
  static properties = {
    model: {attribute: false},
    treebank: {attribute: false},
    score: {attribute: false},
  };

  static styles = grammarStyles;

  #failures = new PanelTask(this, {
    args: () => /** @type {const} */ ([this.model, this.treebank, this.score]),
    task: async ([model, treebank, score], {signal}) => {
      if (!model || !treebank || !score) return null;
      const finder = {relation: score.relation, ...score.best};
      /** @type {Failure[]} */
      const listed = [];
      let tooLong = 0;
      for await (const each of missedLinks(model, sentencesIn(treebank, signal), finder, signal)) {
        if (each.sentence.text.length > mostCharacters) tooLong++;
        else listed.push(each);
        if (listed.length === mostListed) break;
      }
      return {listed, tooLong};
    },
  });

  constructor() {
    super();
    /** @type {Model | null} */
    this.model = null;
    /** @type {Treebank | null} */
    this.treebank = null;
    /** @type {RelationScore | null} */
    this.score = null;
  }

  render() {
    const {score} = this;
    if (!score) return nothing;
    return html`<h4>${words.fails(score.links - score.best.right)}</h4>
      ${this.#failures.render({
        pending: () => html`<p class="hint" role="status">${words.searching}</p>`,
        complete: (found) => found && this.#found(score, found),
        error: problem,
      })}`;
  }

  /** @param {RelationScore} score @param {{listed: Failure[], tooLong: number}} found */
  #found(score, {listed, tooLong}) {
    return html`${listed.length ? this.#listed(score, listed) : nothing}
    ${score.best.right === score.links ? html`<p class="hint">${words.never}</p>` : nothing}
    ${tooLong ? html`<p class="hint">${words.longer(tooLong, mostCharacters)}</p>` : nothing}`;
  }

  /** @param {RelationScore} score @param {Failure[]} failures */
  #listed(score, failures) {
    return html`<p class="hint">
        ${failures.length === mostListed ? words.first(mostListed) : words.click}
      </p>
      <ol class="misses">
        ${failures.map(
          ({sentence, misses}) =>
            html`<li>
              <button
                type="button"
                class="bare"
                @click=${() => this.#open(sentence, misses[0].word)}
              >
                <bdi>${sentence.text}</bdi>
              </button>
              ${misses.map((miss) => html`<small>${missed(score, sentence, miss)}</small>`)}
            </li>`,
        )}
      </ol>`;
  }

  /** @param {Sentence} sentence @param {number} word */
  #open(sentence, word) {
    this.dispatchEvent(new CustomEvent('open', {detail: {sentence, word}}));
  }
}

/** @param {RelationScore} score @param {Sentence} sentence @param {Miss} miss */
function missed({best}, {words: all}, {word, wanted, found}) {
  const form = (/** @type {number} */ at) => all[at]?.form ?? '';
  return words.missed(best.direction, form(word), form(found), form(wanted));
}

customElements.define('workbench-failures', WorkbenchFailures);
