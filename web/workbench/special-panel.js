import {Task} from '@lit/task';
import {html, nothing} from 'lit';
import {namingOfModel} from '../attention/byte-level-tokens.js';
import {toInterventions, withItem} from '../attention/reader-changes.js';
import {workbenchStrings} from '../strings/workbench.js';
import {formatProbability} from '../views/parts/number-format.js';
import {maskedAt} from './masked-words.js';
import {WorkbenchPanel} from './panel.js';
import {problem} from './problem-message.js';
import {predictionStyles} from './styles.js';

/** @import {Model} from '../session/shared-models.js' */
/** @import {Result} from '../session/pass.js' */

/** @typedef {{token: string, probability: number}} Guess */
/** @typedef {{word: string, seen: Guess, hidden: Guess}} Row  the likeliest guess for a word, with and without the token */

const {special: words} = workbenchStrings;

/** The most words that are masked. Each takes the model two passes. */
const most = 12;

/** Tells what a special token such as `[SEP]` does for the guesses: of each word, with it and while it is hidden. */
export class WorkbenchSpecial extends WorkbenchPanel {
  static styles = predictionStyles;

  #rows = new Task(this, {
    args: () => /** @type {const} */ ([this.result, this.pinned, this.interventions]),
    task: async ([result, pinned, interventions], {signal}) =>
      result && this.model && pinned !== null
        ? rowsOf(this.model, result, pinned, interventions, signal)
        : null,
  });

  render() {
    const {model, result, pinned} = this;
    const rows = this.#rows.value;
    if (!model || !result || pinned === null) return nothing;
    const named = namingOfModel(model);
    const name = result.tokens[pinned];
    const guess = (/** @type {Guess} */ {token, probability}) =>
      html`<td style="--share: ${probability}">
        <bdi>${named(token)}</bdi> ${formatProbability(probability)}
      </td>`;
    return html`<section aria-labelledby="special-title">
      <h3 id="special-title">${words.title(name)}</h3>
      ${
        rows
          ? html`<table class="guess">
                <thead>
                  <tr>
                    ${[words.masked, words.seen(name), words.hidden(name)].map(
                      (title) => html`<th scope="col">${title}</th>`,
                    )}
                  </tr>
                </thead>
                <tbody>
                  ${rows.map(
                    ({word, seen, hidden}) =>
                      html`<tr>
                        <th scope="row"><bdi>${named(word)}</bdi></th>
                        ${guess(seen)} ${guess(hidden)}
                      </tr>`,
                  )}
                </tbody>
              </table>
              <p role="status">
                ${words.found(rows.filter(({seen, hidden}) => seen.token === hidden.token).length, rows.length)}
              </p>`
          : html`<p class="hint">${words.wait}</p>`
      }
      <p><a href="#/lessons/does-it-matter">${words.lesson}</a></p>
      ${this.#rows.render({error: problem})}
    </section>`;
  }
}

/**
 * @param {Model} model
 * @param {Result} result
 * @param {number} pinned
 * @param {WorkbenchSpecial['interventions']} interventions
 * @param {AbortSignal} signal
 * @returns {Promise<Row[]>}
 */
async function rowsOf(model, result, pinned, interventions, signal) {
  const {words: places, sentences} = result;
  const isFirst = (/** @type {number} */ index) =>
    places[index] !== null &&
    (places[index] !== places[index - 1] || sentences[index] !== sentences[index - 1]);
  /** @type {Row[]} */
  const rows = [];
  for (let index = 0; index < places.length && rows.length < most; index++) {
    const masked = isFirst(index) ? maskedAt(result, index, model.maskToken ?? '') : null;
    if (!masked) continue;
    const [seen, hidden] = await Promise.all(
      [false, true].map(async (isHidden) => {
        const maskedTokens = withItem(interventions.maskedTokens, pinned, isHidden);
        const changed = toInterventions({...interventions, maskedTokens}, model);
        const run = await model.attend(masked.text, {
          pair: masked.pair,
          signal,
          interventions: changed,
        });
        const [found] = await run.predictions(1, {places: [index]});
        return found?.top[0];
      }),
    );
    if (seen && hidden) rows.push({word: result.tokens[index], seen, hidden});
  }
  return rows;
}

customElements.define('workbench-special', WorkbenchSpecial);
