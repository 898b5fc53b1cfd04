import {LitElement, html, nothing} from 'lit';
import {checkbox} from '../controls/fields.js';
import {grammarStrings} from '../strings/grammar.js';
import {annotationOf, wholeAnnotationOf} from './grammar-report.js';
import {PanelTask} from './panel.js';
import {problem} from './problem-message.js';
import {grammarStyles} from './styles.js';
import {builtInTreebank, sentenceAfter, sentenceOf} from './treebank.js';

/** @import {Sentence} from '../engine/syntax/conllu.js' */
/** @import {RelationScore} from '../engine/syntax/relation-counts.js' */
/** @import {Annotation} from './grammar-report.js' */
/** @import {Treebank} from './treebank.js' */

const {sentence: words} = grammarStrings;

/**
 * The panel goes through the annotated sentences one by one, and has the annotation of the one on show drawn over its
 * picture.
 *
 * @fires found  detail: the annotation of the text on show, a `Sentence`; null without one
 * @fires annotation  detail: an `Annotation`, the links to draw; null for none
 * @fires open  detail: a `Sentence` to show
 */
export class WorkbenchAnnotatedSentence extends LitElement {
  static properties = {
    text: {attribute: false},
    treebank: {attribute: false},
    opened: {attribute: false},
    score: {attribute: false},
    isWhole: {state: true},
  };

  static styles = grammarStyles;

  #found = new PanelTask(this, {
    args: () => /** @type {const} */ ([this.text, this.treebank, this.opened]),
    task: async ([text, treebank, opened], {signal}) => {
      const found =
        opened && opened.text === text
          ? opened
          : treebank && (await sentenceOf(text, treebank, signal));
      this.#send('found', found);
      return found;
    },
  });

  #next = new PanelTask(this, {
    autoRun: false,
    task: async (_, {signal}) => {
      const treebank = this.treebank ?? (await builtInTreebank());
      const next = await sentenceAfter(this.#shown, treebank, signal);
      if (next) this.#send('open', next);
    },
  });

  constructor() {
    super();
    /** What is on show; empty if a pair of sentences is. */
    this.text = '';
    /** The sentences that were measured. @type {Treebank | null} */
    this.treebank = null;
    /** The sentence that the reader has opened, whose annotation is known. @type {Sentence | null} */
    this.opened = null;
    /** The relation that the reader has chosen. @type {RelationScore | null} */
    this.score = null;
    /** Whether all its relations are drawn. */
    this.isWhole = false;
  }

  /** The annotation that was sent last, as text: it is sent again only if it has changed. */
  #drawn = 'null';

  updated() {
    const annotation = this.#annotation();
    const drawn = JSON.stringify(annotation);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#send('annotation', annotation);
  }

  /** The annotation of the text on show. @returns {Sentence | null} */
  get #shown() {
    const {value = null} = this.#found;
    return value?.text === this.text ? value : null;
  }

  /** @returns {Annotation | null} */
  #annotation() {
    const sentence = this.#shown;
    if (!sentence) return null;
    if (this.isWhole) return wholeAnnotationOf(sentence);
    const ofRelation = this.score && annotationOf(this.score, sentence);
    return ofRelation?.links.length ? ofRelation : null;
  }

  render() {
    const isAnnotated = this.#shown !== null;
    return html`<div class="row">
        <button type="button" @click=${() => void this.#next.run([])}>
          ${isAnnotated ? words.next : words.open}
        </button>
        ${isAnnotated ? checkbox(words.whole, this.isWhole, (isWhole) => (this.isWhole = isWhole)) : nothing}
      </div>
      ${this.#next.render({error: problem})} ${this.#found.render({error: problem})}`;
  }

  /** @param {string} event @param {object | null} detail */
  #send(event, detail) {
    this.dispatchEvent(new CustomEvent(event, {detail}));
  }
}

customElements.define('workbench-annotated-sentence', WorkbenchAnnotatedSentence);
