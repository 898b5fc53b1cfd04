import {html, nothing} from 'lit';
import {exploreStrings} from '../strings/explore.js';

/** @import {Block, Shape} from '../attention/shape.js' */
/** @import {Habit} from '../views/parts/inspector.js' */

const {map: words} = exploreStrings;

/** The largest number of places that a name has. */
const most = 6;

/**
 * A list of what the heads of a model do, each with its heads as `layer.head`. The one that the picture shows is marked.
 *
 * @param {ArrayLike<Habit>} habits  `[layers * heads]`
 * @param {Shape} shape
 * @param {Block} chosen
 */
export function headNames(habits, {heads}, chosen) {
  /** @type {Map<string, {rule: string, places: string[]}>} */
  const named = new Map();
  Array.from(habits).forEach((habit, at) => {
    if (!habit) return;
    const {name, rule} = habit;
    const {places} = named.get(name) ?? {places: []};
    named.set(name, {rule, places: [...places, `${Math.floor(at / heads)}.${at % heads}`]});
  });
  const isSingle = chosen.layers.length * chosen.heads.length === 1;
  const own = isSingle ? habits[chosen.layers[0] * heads + chosen.heads[0]]?.name : null;
  return html`<h3>${words.names}</h3>
    <p class="colour">${words.place}</p>
    <ul class="names">
      ${[...named].map(
        ([name, {rule, places}]) =>
          html`<li title=${rule} class=${name === own ? 'own' : ''}>
            <span>${name}</span>
            <small
              >${places.slice(0, most).join(' ')}${places.length > most ? ' …' : nothing}</small
            >
          </li>`,
      )}
    </ul>`;
}
