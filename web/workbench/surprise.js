import {TaskStatus} from '@lit/task';
import {html, nothing} from 'lit';
import {workbenchStrings} from '../strings/workbench.js';
import {PanelTask} from './panel.js';
import {problem} from './problem-message.js';

/** @import {Result} from '../session/pass.js' */
/** @import {WorkbenchPanel} from './panel.js' */

/** @typedef {Awaited<ReturnType<Result['surprise']>>[number]} Surprise */

/**
 * The button of a token.
 *
 * @typedef {object} Word
 * @property {string} text
 * @property {string} title
 * @property {boolean} isPressed
 * @property {boolean} [isDisabled]
 * @property {() => void} onClick
 */

/** The number of bits that fill a button, unless a token of the text has more. */
const usualMost = 10;

/** The tokens of a text as buttons, and how much each surprises the model, once the reader asks for that. */
export class SurpriseWords {
  #found;

  /** @param {WorkbenchPanel} panel */
  constructor(panel) {
    this.#found = new PanelTask(panel, {
      autoRun: false,
      task: async (_, {signal}) => {
        const result = /** @type {Result} */ (panel.result);
        return {result, surprises: await result.surprise({topK: 1, signal})};
      },
    });
  }

  /**
   * @param {Result} result
   * @param {string} note  what the numbers say
   * @param {(token: string, index: number, found: Surprise | undefined) => Word | string} wordOf
   *   returns a text for what is no button
   */
  template(result, note, wordOf) {
    const {value, status} = this.#found;
    const known = value?.result === result ? value.surprises : null;
    const most = Math.max(usualMost, ...(known ?? []).map(({bits}) => bits));
    return html`<p class="words">
        ${result.tokens.map((token, index) => {
          const surprise = known?.find((each) => each.index === index);
          const word = wordOf(token, index, surprise);
          if (typeof word === 'string') return html`<span class="frame">${word}</span>`;
          return html`<button
            type="button"
            class="word"
            style=${surprise ? `--length: ${(100 * surprise.bits) / most}%` : nothing}
            aria-pressed=${word.isPressed}
            ?disabled=${word.isDisabled}
            title=${word.title}
            @click=${word.onClick}
          >
            <bdi>${word.text}</bdi
            >${surprise ? html`<small>${surprise.bits.toFixed(1)}</small>` : nothing}
          </button>`;
        })}
      </p>
      ${
        known
          ? html`<p class="hint">${note}</p>`
          : html`<button
              type="button"
              ?disabled=${status === TaskStatus.PENDING}
              @click=${() => this.#found.run()}
            >
              ${workbenchStrings.predictions.surprise}
            </button>`
      }
      ${this.#found.render({error: problem})}`;
  }
}
