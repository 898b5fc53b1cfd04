import {TaskStatus} from '@lit/task';
import {html} from 'lit';
import {spellingOfModel} from '../attention/byte-level-tokens.js';
import {toInterventions} from '../attention/reader-changes.js';
import {workbenchStrings} from '../strings/workbench.js';
import {beamTree} from './beam-tree.js';
import {numberFields, numbersOf} from './number-fields.js';
import {PanelTask, WorkbenchPanel} from './panel.js';
import {problem} from './problem-message.js';
import {predictionStyles} from './styles.js';

/** @import {ReaderChanges} from '../attention/reader-changes.js' */
/** @import {Model} from '../session/shared-models.js' */
/** @import {FoundBeam, WrittenStep} from './beam-tree.js' */

/** What a search found, and what it was of. @typedef {{text: string, interventions: ReaderChanges, beams: FoundBeam[], steps: WrittenStep[]}} Search */

const {translationBeams: words, nextToken} = workbenchStrings;

const fields = {
  beams: {least: 2, most: 16, step: 1, value: 4},
  lengthPenalty: {least: -5, most: 5, step: 0.1, value: 1},
};

/** The panel lets an encoder-decoder search with several beams, and draws what it found and gave up. */
export class WorkbenchTranslationBeams extends WorkbenchPanel {
  static properties = {
    text: {},
  };

  static styles = predictionStyles;

  #search = new PanelTask(this, {
    autoRun: false,
    task: async (/** @type {readonly [Model, string]} */ [model, text], {signal}) => {
      const form = /** @type {HTMLFormElement} */ (this.renderRoot.querySelector('form'));
      const {beams: count, lengthPenalty} = numbersOf(form);
      const interventions = toInterventions(this.interventions, model);
      const options = {beams: count, lengthPenalty, interventions, signal};
      const {beams = [], steps = []} = await model.translate(text, options);
      return /** @type {Search} */ ({text, interventions: this.interventions, beams, steps});
    },
  });

  constructor() {
    super();
    /** The text that is translated. */
    this.text = '';
  }

  render() {
    const {model, text} = this;
    if (!model) return '';
    const isPending = this.#search.status === TaskStatus.PENDING;
    return html`<section aria-labelledby="search-title">
      <h3 id="search-title">${words.title}</h3>
      <p class="hint">${words.hint}</p>
      <form
        class="row"
        @submit=${(/** @type {Event} */ event) => {
          event.preventDefault();
          void this.#search.run([model, text]);
        }}
      >
        ${numberFields(fields, nextToken)}
        ${
          isPending
            ? html`<button type="button" @click=${() => this.#search.abort()}>
                ${nextToken.stop}
              </button>`
            : html`<button class="primary">${words.run}</button>`
        }
      </form>
      ${this.#search.render({error: problem, complete: (found) => this.#found(found)})}
    </section>`;
  }

  /** Draws a search of the text and the changes that are there now. @param {Search} found */
  #found({text, interventions, beams, steps}) {
    if (text !== this.text || interventions !== this.interventions) return '';
    const spell = spellingOfModel(this.model);
    const inText = (/** @type {string} */ token) => spell(token).replaceAll('▁', ' ');
    return beamTree({beams, steps}, inText);
  }
}

customElements.define('workbench-translation-beams', WorkbenchTranslationBeams);
