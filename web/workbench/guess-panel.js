import {Task} from '@lit/task';
import {html, nothing} from 'lit';
import {namingOfModel, spellingOfModel} from '../attention/byte-level-tokens.js';
import {fit, isUntouched} from '../attention/interventions.js';
import {explanationStrings} from '../strings/explanation.js';
import {workbenchStrings} from '../strings/workbench.js';
import {formatProbability} from '../views/parts/number-format.js';
import {textUpTo} from './guess-lists.js';
import {WorkbenchPanel} from './panel.js';
import {inPoints} from './percentage-points.js';
import {predictionStyles} from './styles.js';
import {maskedAt} from './masked-words.js';
import {problem} from './problem-message.js';

/** @import {Model} from '../scope/shared-models.js' */
/** @import {Result} from '../scope/pass.js' */

/**
 * What the model guesses in place of a word of the text.
 *
 * @typedef {object} Guess
 * @property {string} token  the word that is hidden, or the text before the next token
 * @property {{token: string, probability: number, changed: number | null}[]} top  the likeliest words and their
 *   probabilities, also in the changed model; null if nothing is changed
 */

const {guess: words} = workbenchStrings;

/** The number of words in the list. */
const offered = 5;

/**
 * Hides the pinned word, unless the text hides one itself, and shows what the model guesses in its place, before and
 * after the changes to the model. Of a model that predicts the next token it shows what that is.
 *
 * @fires why  The reader asks why the likeliest word is guessed.
 */
export class WorkbenchGuess extends WorkbenchPanel {
  static styles = predictionStyles;

  #guess = new Task(this, {
    args: () => /** @type {const} */ ([this.result, this.pinned, this.interventions]),
    task: async ([result, pinned, interventions], {signal}) => {
      const {model} = this;
      if (!result || !model) return null;
      const {nextToken} = model.predictionHeads;
      const usual = nextToken
        ? result.tokens.length - 1
        : result.tokens.indexOf(model.maskToken ?? '');
      const index = pinned ?? usual;
      return index < 0 ? null : guessOf(model, result, index, interventions, signal);
    },
  });

  render() {
    const {model} = this;
    if (!model?.predictionHeads.maskedLm && !model?.predictionHeads.nextToken) return nothing;
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
                <td class="number" style="--share: ${probability}">
                  ${formatProbability(probability)}
                </td>
                ${
                  changed === null
                    ? nothing
                    : html`<td class="number" style="--share: ${changed}">
                        ${formatProbability(changed)}
                        <small>${inPoints(changed - probability)}</small>
                      </td>`
                }
              </tr>`,
          )}
        </tbody>
      </table>
      ${isChanged ? nothing : html`<p class="hint">${words.hint}</p>`}
      ${
        model.predictionHeads.nextToken
          ? nothing
          : html`<button type="button" @click=${() => this.dispatchEvent(new CustomEvent('why'))}>
              ${explanationStrings.why(name(value.top[0].token))}
            </button>`
      }
      ${this.#guess.render({error: problem})}
    </section>`;
  }

  /** @param {Model} model @param {string} token */
  #title(model, token) {
    if (token === model.maskToken) return words.ofMask(token);
    return model.predictionHeads.nextToken
      ? words.after(token)
      : words.title(namingOfModel(model)(token));
  }
}

/**
 * Runs the text with a hidden word through the model, and through the changed model.
 *
 * @param {Model} model
 * @param {Result} result
 * @param {number} pinned
 * @param {WorkbenchGuess['interventions']} interventions
 * @param {AbortSignal} signal
 * @returns {Promise<Guess | null>}  null for a token that is not a word of the text
 */
async function guessOf(model, result, pinned, interventions, signal) {
  if (model.predictionHeads.nextToken) {
    const {text, pair} = result;
    const run = (/** @type {object} */ options) =>
      model.attend(text, {pair: pair || undefined, signal, ...options});
    const before = textUpTo(
      result.tokens.map(spellingOfModel(model)),
      pinned,
      result.specialTokens,
    );
    return compare(model, before, pinned, interventions, run);
  }
  const {sentences, words: places} = result;
  const index = places.findIndex((word, at) => word === places[pinned] && sentences[at] === sentences[pinned]); // prettier-ignore
  const masked = maskedAt(result, index, model.maskToken ?? '');
  if (!masked) return null;
  const run = (/** @type {object} */ options) =>
    model.attend(masked.text, {pair: masked.pair, signal, ...options});
  return compare(model, result.tokens[index], index, interventions, run);
}

/**
 * @param {Model} model
 * @param {string} token
 * @param {number} index
 * @param {WorkbenchGuess['interventions']} interventions
 * @param {(options: object) => Promise<Result>} run
 * @returns {Promise<Guess | null>}
 */
async function compare(model, token, index, interventions, run) {
  const before = await run({});
  const [found] = await before.predictions(offered, {places: [index]});
  if (!found) return null;
  const ids = found.top.map(({id}) => id);
  const changed = isUntouched(interventions)
    ? null
    : await (await run({interventions: fit(interventions, model)})).probabilities(index, ids);
  return {
    token,
    top: found.top.map(({token: word, probability}, at) => ({
      ...{token: word, probability},
      changed: changed && changed[at],
    })),
  };
}

customElements.define('workbench-guess', WorkbenchGuess);
