import {LitElement, html, nothing} from 'lit';
import {sentencesOfPairs} from '../engine/syntax/word-pairs.js';
import {grammarStrings} from '../strings/grammar.js';
import {strings} from '../strings/index.js';
import {numberList} from '../strings/number-list.js';
import {keepPairs, keptPairs} from './kept-pairs.js';
import {pastedPairs, writtenPairs} from './pasted-pairs.js';
import {problem} from './problem-message.js';
import {grammarStyles} from './styles.js';
import {pairChips, wordButtons} from './word-buttons.js';
import {linesIn} from './word-pairs.js';

/** @import {Line, Pairs} from '../engine/syntax/word-pairs.js' */

const {pairs: words} = grammarStrings;

/** What the reader has typed and marked. A line that is typed again has its pairs. */
const kept = keptPairs();

/** In the language of the model that comes with the page. */
const example = 'The red car stopped.\nA small dog barked at the old man.';

/** @type {Pairs} */
const none = new Map();
const pairsOf = (/** @type {string} */ text) => kept.pairs.get(text) ?? none;

/**
 * The panel takes sentences in which the reader marks pairs of words, to measure which head leads from one to the other.
 *
 * @fires measure  detail: `{sentences, rows}`, the sentences with a pair, and their pairs as rows for a link
 */
export class WorkbenchPairs extends LitElement {
  static properties = {
    isBusy: {type: Boolean},
    linked: {attribute: false},
    from: {state: true},
    refused: {state: true},
  };

  static styles = grammarStyles;

  constructor() {
    super();
    /** Whether something is measured now. */
    this.isBusy = false;
    /** The pairs of a link, as rows, which the reader can go on from. */
    this.linked = '';
    /** The first word of a pair without a second one. @type {{text: string, word: number} | null} */
    this.from = null;
    /** Why rows that were pasted are not there. @type {unknown} */
    this.refused = null;
  }

  /** It is open where something was typed before. */
  #isOpen = false;

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    // Nothing that was typed is mixed with what somebody else has sent.
    if (changed.has('linked') && this.linked && !kept.text) this.#take(this.linked, '', '');
    this.#isOpen ||= kept.text !== '';
  }

  render() {
    return html`<details ?open=${this.#isOpen}>
      <summary>${words.title}</summary>
      <div class="tools">
        <p class="hint">${words.hint}</p>
        <label class="field">
          <span>${words.text}</span>
          <textarea
            rows="3"
            placeholder=${example}
            .value=${kept.text}
            @input=${(/** @type {Event} */ {target}) => this.#type(/** @type {HTMLTextAreaElement} */ (target).value)}
            @paste=${(/** @type {ClipboardEvent} */ event) => this.#paste(event)}
          ></textarea>
        </label>
        ${this.refused ? problem(this.refused) : nothing} ${this.#marked()}
      </div>
    </details>`;
  }

  /** @param {string} text */
  #type(text) {
    kept.text = text;
    keepPairs(kept);
    this.from = null;
    this.refused = null;
    this.requestUpdate();
  }

  /** @param {ClipboardEvent} event */
  #paste(event) {
    const {value, selectionStart, selectionEnd} = /** @type {HTMLTextAreaElement} */ (event.target);
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const isTaken = this.#take(text, value.slice(0, selectionStart), value.slice(selectionEnd));
    if (isTaken) event.preventDefault();
  }

  /**
   * Takes the sentences of rows, with their pairs.
   *
   * @param {string} rows  as a spreadsheet copies them
   * @param {string} before  what stands before them
   * @param {string} after
   * @returns {boolean}  false if these are no such rows
   */
  #take(rows, before, after) {
    try {
      const pasted = pastedPairs(rows);
      if (!pasted) return false;
      const there = `${before}\n${after}`.split('\n').map((line) => line.trim());
      const added = pasted.map(({text}) => text).filter((text) => !there.includes(text));
      for (const {text, pairs} of pasted)
        kept.pairs.set(text, new Map([...pairsOf(text), ...pairs]));
      this.#type([before.trimEnd(), ...added, after.trimStart()].filter(Boolean).join('\n'));
    } catch (error) {
      this.refused = error;
    }
    return true;
  }

  #marked() {
    try {
      const lines = linesIn(kept.text);
      return lines.length ? this.#lines(lines) : nothing;
    } catch (error) {
      return problem(error);
    }
  }

  /** @param {Line[]} lines */
  #lines(lines) {
    const count = lines.reduce((sum, {text}) => sum + pairsOf(text).size, 0);
    const empty = lines.filter(({text}) => !pairsOf(text).size).map(({line}) => line);
    return html`<ol class="sentences">
        ${lines.map((line) => html`<li value=${line.line}>${this.#line(line)}</li>`)}
      </ol>
      <p class="hint" role="status">${this.#status(lines)}</p>
      ${count && empty.length ? html`<p class="hint">${words.empty(numberList(empty, strings.text.numbers))}</p>` : nothing}
      <div>
        <button
          type="button"
          class="primary"
          ?disabled=${!count || this.isBusy}
          @click=${() => this.#measure(lines)}
        >
          ${words.run(count)}
        </button>
      </div>`;
  }

  /** @param {Line[]} lines */
  #measure(lines) {
    const detail = {
      sentences: sentencesOfPairs(lines, pairsOf),
      rows: writtenPairs(lines, pairsOf),
    };
    this.dispatchEvent(new CustomEvent('measure', {detail}));
  }

  /** @param {Line} line */
  #line({text, words: inLine}) {
    const pairs = pairsOf(text);
    const from = this.from?.text === text ? this.from.word : null;
    return [
      wordButtons(inLine, from, pairs, (word) => this.#mark(text, word)),
      pairChips(inLine, pairs, (first) => this.#remove(text, first)),
    ];
  }

  /** Says which word comes next. @param {Line[]} lines */
  #status(lines) {
    const {from} = this;
    const line = from && lines.find(({text}) => text === from.text);
    return line ? words.second(line.words[from.word].form) : words.first;
  }

  /** @param {string} text @param {number} word */
  #mark(text, word) {
    const {from} = this;
    const isSecond = from?.text === text;
    this.from = isSecond ? null : {text, word};
    if (!isSecond || from.word === word) return;
    this.#keep(text, new Map(pairsOf(text)).set(from.word, word));
  }

  /** @param {string} text @param {number} first */
  #remove(text, first) {
    const pairs = new Map(pairsOf(text));
    pairs.delete(first);
    this.#keep(text, pairs);
    this.requestUpdate();
  }

  /** @param {string} text @param {Pairs} pairs */
  #keep(text, pairs) {
    kept.pairs.set(text, pairs);
    keepPairs(kept);
  }
}

customElements.define('workbench-pairs', WorkbenchPairs);
