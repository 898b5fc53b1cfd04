import {html, nothing} from 'lit';
import {toldLink} from '../attention/findings.js';
import {exploreStrings} from '../strings/explore.js';
import {formatPercent} from '../views/parts/number-format.js';

/** @import {TokenRef} from '../attention/selection.js' */
/** @import {Block} from '../attention/shape.js' */
/** @import {ScopeState} from '../scope/layout.js' */
/** @import {NamedLink} from '../strings/en/explore.js' */

/** @typedef {NonNullable<ScopeState['drawn']>} Drawn */

const {headline: words} = exploreStrings;

/**
 * The sentence that says in large type what the picture shows of the token in focus, and where: the headline and the
 * picture speak of the same token and the same number.
 *
 * @param {Drawn} drawn
 * @param {Block} chosen  the heads that the picture shows
 * @param {TokenRef | null} hovered  the token under the pointer or the focus
 * @returns {unknown}  null while the weights are not there
 */
export function headline({snapshot, selection}, chosen, hovered) {
  const told = toldLink(snapshot, selection, hovered ?? selection.token);
  if (!told) return null;
  const {query, key, kind, weight} = told;
  const link = {
    from: snapshot.queryTokens[query],
    to: snapshot.keyTokens[key],
    share: formatPercent(weight),
    kind,
    isBefore: key < query,
  };
  return html`<p class="told">
      ${words
        .looks(link)
        .map((part) =>
          typeof part === 'string' ? part : html`<bdi class="word">${part.token}</bdi>`,
        )}
    </p>
    <p class="shows">
      <span class="where">${placeOf(chosen)}</span
      >${kind ? ` · ${words.shows[kind](link)}` : nothing}
    </p>`;
}

/** Names the heads of the picture. @param {Block} chosen */
function placeOf({layers, heads}) {
  if (layers.length === 1 && heads.length === 1) return words.place(layers[0], heads[0]);
  const mean = words.mean(layers.length, heads.length);
  return layers.length === 1 ? `${mean}, ${words.ofLayer(layers[0])}` : mean;
}
