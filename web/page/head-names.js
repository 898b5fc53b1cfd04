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
  /** @type {Map<Habit, string[]>} */
  const places = new Map();
  Array.from(habits).forEach((habit, at) => {
    if (!habit) return;
    const place = `${Math.floor(at / heads)}.${at % heads}`;
    places.set(habit, [...(places.get(habit) ?? []), place]);
  });
  const isSingle = chosen.layers.length * chosen.heads.length === 1;
  const own = isSingle ? habits[chosen.layers[0] * heads + chosen.heads[0]] : null;
  return html`<h3>${words.names}</h3>
    <p class="colour">${words.place}</p>
    <ul class="names">
      ${[...places].map(
        ([habit, ofHabit]) =>
          html`<li title=${habit.rule} class=${habit === own ? 'own' : ''}>
            <span>${habit.name}</span>
            <small
              >${ofHabit.slice(0, most).join(' ')}${ofHabit.length > most ? ' …' : nothing}</small
            >
          </li>`,
      )}
    </ul>`;
}
