import {html, nothing} from 'lit';
import {strings} from '../strings/index.js';
import {workbenchStrings} from '../strings/workbench.js';
import {formatGuess, formatPercent} from '../views/parts/number-format.js';
import {inPoints} from './percentage-points.js';

/** @import {Result} from '../session/pass.js' */

/** @typedef {Awaited<ReturnType<Result['predictions']>>[number]['top'][number]} Candidate */

/**
 * What a model guesses in one place of a text.
 *
 * @typedef {object} Guesses
 * @property {number} index  the index of the token
 * @property {Candidate[]} top  the likeliest words
 * @property {Float32Array | null} untouched  their probabilities in the unchanged model; null: nothing is changed
 * @property {Candidate[][]} lens  the likeliest words after the embeddings and after each layer
 */

const {predictions: words} = workbenchStrings;

/** The number of words offered for a place, and of words shown for each layer. */
const offered = 8;
const perLayer = 3;

/**
 * @param {Result} result
 * @param {Result | null} untouched
 * @param {readonly number[]} [places]  the default is every place where the model guesses
 * @returns {Promise<Guesses[]>}
 */
export async function guessesOf(result, untouched, places) {
  const predictions = await result.predictions(offered, {places});
  return Promise.all(
    predictions.map(async ({index, top}) => {
      const ids = top.map(({id}) => id);
      const [lens, probabilities] = await Promise.all([
        result.logitLens(index, perLayer),
        untouched?.probabilities(index, ids) ?? null,
      ]);
      return {index, top, lens, untouched: probabilities};
    }),
  );
}

/**
 * Draws the likeliest words as buttons with their probabilities.
 *
 * @param {Guesses} guesses
 * @param {(token: string) => string} spell
 * @param {(candidate: Candidate) => (() => void) | null} onChoose  null for a word that cannot be put there
 */
export function candidateList({top, untouched}, spell, onChoose) {
  return html`<ol class="candidates">
    ${top.map((candidate, i) => {
      const {token, probability} = candidate;
      const choose = onChoose(candidate);
      return html`<li>
        <button
          type="button"
          style="--length: ${100 * probability}%"
          ?disabled=${!choose}
          title=${words.fill(token)}
          @click=${() => choose?.()}
        >
          <bdi>${spell(token)}</bdi>
          <span class="number">
            ${formatGuess(probability)}
            ${untouched ? html`<small>${inPoints(probability - untouched[i])}</small>` : nothing}
          </span>
        </button>
      </li>`;
    })}
  </ol>`;
}

/**
 * Draws what the prediction head reads after each layer.
 *
 * @param {Guesses} guesses
 * @param {(token: string) => string} spell
 */
export function lensTable({lens}, spell) {
  return html`<details>
    <summary>${words.lens}</summary>
    <p class="hint">${words.lensHint}</p>
    <table class="lens">
      <tbody>
        ${lens.map(
          (candidates, depth) =>
            html`<tr>
              <th scope="row">
                ${depth === 0 ? workbenchStrings.embeddings : strings.model.layer(depth - 1)}
              </th>
              ${candidates.map(
                ({token, probability}) =>
                  html`<td class=${depth === lens.length - 1 ? 'last' : ''}>
                    <bdi>${spell(token)}</bdi>
                    <small>${formatPercent(probability)}</small>
                  </td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}
