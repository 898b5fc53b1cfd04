import {html, nothing} from 'lit';
import {grammarStrings} from '../strings/grammar.js';

/** @import {Pairs, WordInText} from '../engine/syntax/word-pairs.js' */

const {pairs: words} = grammarStrings;

/**
 * Draws a sentence whose words are buttons. The first click marks the word to look from, the second one the word that it
 * should find.
 *
 * @param {WordInText[]} inText
 * @param {number | null} from  the word that is marked first and has no second one
 * @param {Pairs} pairs
 * @param {(word: number) => void} onWord
 */
export const wordButtons = (inText, from, pairs, onWord) =>
  html`<p class="words">
    ${inText.map(({form, isWord}, at) =>
      isWord
        ? html`<button
            type="button"
            aria-pressed=${at === from}
            data-marked=${markOf(at, pairs) ?? nothing}
            @click=${() => onWord(at)}
          >
            <bdi>${form}</bdi>
          </button>`
        : html`<span>${form}</span>`,
    )}
  </p>`;

/** @param {number} at @param {Pairs} pairs */
function markOf(at, pairs) {
  if (pairs.has(at)) return 'from';
  return [...pairs.values()].includes(at) ? 'to' : null;
}

/**
 * Draws the pairs of a sentence, each with a button that removes it.
 *
 * @param {WordInText[]} inText
 * @param {Pairs} pairs
 * @param {(from: number) => void} onRemove
 */
export const pairChips = (inText, pairs, onRemove) =>
  pairs.size
    ? html`<ul class="chips" aria-label=${words.marked}>
        ${[...pairs].map(([from, to]) => {
          const name = words.pair(inText[from].form, inText[to].form);
          return html`<li>
            <span>${name}</span>
            <button
              type="button"
              aria-label=${words.remove(name)}
              title=${words.remove(name)}
              @click=${() => onRemove(from)}
            >
              ×
            </button>
          </li>`;
        })}
      </ul>`
    : nothing;
