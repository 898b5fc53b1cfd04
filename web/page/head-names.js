import {html, nothing} from 'lit';
import {ownHabit} from '../scope/head-overview-data.js';
import {exploreStrings} from '../strings/explore.js';

/** @import {Block, HeadRef, Shape} from '../attention/shape.js' */
/** @import {ScopeActions} from '../scope/layout.js' */
/** @import {Habit} from '../views/parts/inspector.js' */
/** @import {MeasuredName} from '../workbench/grammar-report.js' */

/** What was measured of a model, under its title. @typedef {{title: string, names: MeasuredName[]}} MeasuredNames */

const {map: words} = exploreStrings;

/** The largest number of places that a name has until it is chosen. */
const most = 6;

/**
 * A list of what the heads of a model do, each with its heads as `layer.head`. The one that the picture shows is marked.
 * A click on a name shows the first of its heads, and each further one the next; the map marks them all.
 *
 * @param {ArrayLike<Habit>} habits  `[layers * heads]`
 * @param {Shape} shape
 * @param {Block} chosen
 * @param {ScopeActions['choose']} choose
 */
export function headNames(habits, shape, chosen, choose) {
  /** @type {Map<string, {rule: string, places: HeadRef[]}>} */
  const named = new Map();
  Array.from(habits).forEach((habit, at) => {
    if (!habit) return;
    const {name, rule} = habit;
    const place = {layer: Math.floor(at / shape.heads), head: at % shape.heads};
    named.set(name, {rule, places: [...(named.get(name)?.places ?? []), place]});
  });
  const own = ownHabit(habits, shape, chosen)?.name;
  return html`<h3>${words.names}</h3>
    <p class="colour">${words.place}</p>
    <ul class="names">
      ${[...named].map(([name, {rule, places}]) => {
        const isOwn = name === own;
        const told = isOwn ? places : places.slice(0, most);
        const at = places.findIndex(
          ({layer, head}) => layer === chosen.layers[0] && head === chosen.heads[0],
        );
        const {layer, head} = places[isOwn ? (at + 1) % places.length : 0];
        const heads = told.map((each) => `${each.layer}.${each.head}`).join(' ');
        const small = told.length < places.length ? `${heads} …` : heads;
        return nameOf({name, rule, small, isOwn}, {layer, head}, choose);
      })}
    </ul>`;
}

/**
 * A list of what heads were found to do with grammar, as {@link headNames} has what they look at. The map is coloured by
 * what the reader chooses in the workbench.
 *
 * @param {MeasuredNames} measured
 * @param {Block} chosen
 * @param {ScopeActions['choose']} choose
 */
export const measuredList = (
  {title, names},
  {layers: [layer], heads: [head, ...others]},
  choose,
) =>
  names.length
    ? html`<details class="measured">
        <summary>${title}</summary>
        <ul class="names">
          ${names.map(({place, name, told}) => {
            const isOwn = !others.length && place.layer === layer && place.head === head;
            const small = `${place.layer}.${place.head}`;
            return nameOf({name, rule: told, small, isOwn}, place, choose);
          })}
        </ul>
      </details>`
    : nothing;

/**
 * @param {{name: string, rule: string, small: string, isOwn: boolean}} told
 * @param {HeadRef} place  what a click shows
 * @param {ScopeActions['choose']} choose
 */
const nameOf = ({name, rule, small, isOwn}, {layer, head}, choose) =>
  html`<li>
    <button
      type="button"
      class="bare"
      title=${rule}
      aria-pressed=${isOwn}
      @click=${() => choose({layer, heads: [head], meanLayers: []})}
    >
      <span>${name}</span>
      <small>${small}</small>
    </button>
  </li>`;
