import {html, nothing} from 'lit';
import {exploreStrings} from '../strings/explore.js';

/** @import {Block, HeadRef, Shape} from '../attention/shape.js' */
/** @import {ScopeActions} from '../scope/layout.js' */
/** @import {Habit} from '../views/parts/inspector.js' */

/** A name, and the heads that have it. @typedef {{name: string, rule: string, places: HeadRef[]}} NamedHeads */

/** What was measured of a model, under its title. @typedef {{title: string, names: NamedHeads[]}} MeasuredNames */

const {map: words} = exploreStrings;

/** The largest number of places that a name has until it is chosen. */
const most = 6;

/**
 * A list of what the heads of a model do, each with its heads as `layer.head`, and below it what was measured of them. The
 * one that the picture shows is marked. A click on a name shows the first of its heads, and each further one the next; the
 * map marks them all.
 *
 * @param {ArrayLike<Habit>} habits  `[layers * heads]`
 * @param {Shape} shape
 * @param {Block} chosen
 * @param {ScopeActions['choose']} choose
 * @param {MeasuredNames} [measured]
 */
export function headNames(habits, shape, chosen, choose, measured) {
  /** @type {Map<string, NamedHeads>} */
  const named = new Map();
  Array.from(habits).forEach((habit, at) => {
    if (!habit) return;
    const {name, rule} = habit;
    const place = {layer: Math.floor(at / shape.heads), head: at % shape.heads};
    named.set(name, {name, rule, places: [...(named.get(name)?.places ?? []), place]});
  });
  const list = (/** @type {Iterable<NamedHeads>} */ names) =>
    html`<ul class="names">
      ${Array.from(names, (each) => nameOf(each, chosen, choose))}
    </ul>`;
  return html`<h3>${words.names}</h3>
    <p class="colour">${words.place}</p>
    ${list(named.values())}
    ${
      measured?.names.length
        ? html`<details>
            <summary>${measured.title}</summary>
            ${list(measured.names)}
          </details>`
        : nothing
    }`;
}

/** @param {NamedHeads} named @param {Block} chosen @param {ScopeActions['choose']} choose */
function nameOf({name, rule, places}, chosen, choose) {
  const heads = places.map(({layer, head}) => `${layer}.${head}`);
  // No head is marked while several are chosen.
  const at = heads.indexOf(`${chosen.layers}.${chosen.heads}`);
  const isOwn = at >= 0;
  const told = isOwn ? heads : heads.slice(0, most);
  const {layer, head} = places[(at + 1) % places.length];
  return html`<li>
    <button
      type="button"
      class="bare"
      title=${rule}
      aria-pressed=${isOwn}
      @click=${() => choose({layer, heads: [head], meanLayers: []})}
    >
      <span>${name}</span>
      <small>${told.join(' ')}${told.length < heads.length ? ' …' : nothing}</small>
    </button>
  </li>`;
}
