import {Task} from '@lit/task';
import {html, nothing} from 'lit';
import {namingOfModel} from '../attention/byte-level-tokens.js';
import {explanationStrings} from '../strings/explanation.js';
import {workbenchStrings} from '../strings/workbench.js';
import {formatGuess} from '../views/parts/number-format.js';
import {WorkbenchPanel} from './panel.js';
import {inPoints} from './percentage-points.js';
import {predictionStyles} from './styles.js';
import {canGuess, Guesser, questionOf, usualPlace} from './guess.js';
import {problem} from './problem-message.js';

/** @import {Model} from '../session/shared-models.js' */

const {guess: words} = workbenchStrings;

/**
 * Masks the pinned word, unless the text has a mask itself, and shows what the model guesses in its place, before and
 * after the changes to the model. Of a model that predicts the next token it shows what that is.
 *
 * @fires why  The reader asks why the likeliest word is guessed.
 */
export class WorkbenchGuess extends WorkbenchPanel {
  static styles = predictionStyles;

  #guesser = new Guesser();
  #guess = new Task(this, {
    args: () => /** @type {const} */ ([this.result, this.pinned, this.interventions]),
    task: async ([result, pinned, interventions], {signal}) => {
      const {model} = this;
      if (!result || !model) return null;
      const index = pinned ?? usualPlace(model, result);
      if (index < 0) return null;
      const question = questionOf(model, result, this.untouched, index);
      return this.#guesser.guess(question, model, interventions, signal);
    },
  });

  render() {
    const {model} = this;
    if (!model || !canGuess(model)) return nothing;
    // The guess before stays until the next one is there, so that nothing below it moves.
    const {value} = this.#guess;
    if (!value) return html`<p class="hint">${this.pinned === null ? words.pin : nothing}</p>`;
    const name = namingOfModel(model);
    const isChanged = value.top.some(({changed}) => changed !== null);
    return html`<section aria-labelledby="guess-title">
      <h3 id="guess-title">${this.#title(model, value.token)}</h3>
      <table class="guess">
        <thead>
          <tr>
            <th scope="col">${words.word}</th>
            <th scope="col" class="number">${words.before}</th>
            ${isChanged ? html`<th scope="col" class="number">${words.now}</th>` : nothing}
          </tr>
        </thead>
        <tbody>
          ${value.top.map(
            ({token, probability, changed}) =>
              html`<tr>
                <th scope="row"><bdi>${name(token)}</bdi></th>
                <td class="number" style="--share: ${probability}">${formatGuess(probability)}</td>
                ${
                  changed === null
                    ? nothing
                    : html`<td class="number" style="--share: ${changed}">
                        ${formatGuess(changed)}
                        <small>${inPoints(changed - probability)}</small>
                      </td>`
                }
              </tr>`,
          )}
        </tbody>
      </table>
      ${isChanged ? nothing : html`<p class="hint">${words.hint}</p>`}
      <button type="button" @click=${() => this.dispatchEvent(new CustomEvent('why'))}>
        ${explanationStrings.why(name(value.top[0].token))}
      </button>
      ${this.#guess.render({error: problem})}
    </section>`;
  }

  /** @param {Model} model @param {string} token */
  #title(model, token) {
    const mask = model.maskToken ?? '';
    if (token === mask) return words.ofMask(token);
    return model.predictionHeads.nextToken
      ? words.after(token)
      : words.title(namingOfModel(model)(token), mask);
  }
}

customElements.define('workbench-guess', WorkbenchGuess);
