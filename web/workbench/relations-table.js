import {html, nothing} from 'lit';
import {grammarStrings as words} from '../strings/grammar.js';
import {formatPercent} from '../views/parts/number-format.js';
import {frequentIn, isBetter, isRare} from './grammar-report.js';
import {relationCode, relationName} from './relation-name.js';

/** @import {RelationScore} from '../engine/syntax/relation-counts.js' */
/** @import {Measured} from './measurements.js' */

/**
 * Draws the table of the relations with the head that finds each most often, beside what position alone finds.
 *
 * @param {Measured} found
 * @param {object} chosen
 * @param {string} chosen.relation  the one that the reader has chosen; empty for none
 * @param {(score: RelationScore) => void} chosen.choose
 * @param {(score: RelationScore) => unknown} chosen.told  what stands below the chosen one
 */
export function relationsTable(found, chosen) {
  const frequent = frequentIn(found);
  if (!frequent.length) return nothing;
  const {relation, head, found: right, position} = words.columns;
  return html`<div class="wide" tabindex="0" role="region" aria-label=${words.table}>
    <table class="relations">
      <thead>
        <tr>
          <th scope="col">${relation}</th>
          <th scope="col">${head}</th>
          <th scope="col" title=${words.intervalHelp}>${right}</th>
          <th scope="col" title=${words.positionHelp}>${position}</th>
        </tr>
      </thead>
      <tbody>
        ${frequent.map((score) => rowOf(score, chosen))}
      </tbody>
    </table>
  </div>`;
}

/** @param {RelationScore} score @param {Parameters<typeof relationsTable>[1]} chosen */
function rowOf(score, {relation: own, choose, told}) {
  const {relation, links, best, position} = score;
  const isChosen = relation === own;
  const {layer, head, direction, right, share, interval} = best;
  const [low, high] = interval.map(formatPercent);
  const doubt = isRare(score) ? words.fewSentences : isBetter(score) ? '' : words.noBetter;
  return html`<tr>
      <th scope="row">
        <button type="button" class="bare" aria-expanded=${isChosen} @click=${() => choose(score)}>
          ${relationName(relation)}
        </button>
        <small>${relationCode(relation)}${doubt && ` · ${doubt}`}</small>
      </th>
      <td title=${words.directions[direction]}>${layer}.${head}</td>
      <td class="number" style="--share: ${isBetter(score) ? share : 0}">
        ${words.of(right, links)}
        ${isRare(score) ? nothing : html`<small title=${words.intervalHelp}>${words.interval(low, high)}</small>`}
      </td>
      <td class="number">
        ${position.right}
        <small>${formatPercent(position.share)}</small>
      </td>
    </tr>
    ${
      isChosen
        ? html`<tr>
            <td colspan="4">${told(score)}</td>
          </tr>`
        : nothing
    }`;
}
