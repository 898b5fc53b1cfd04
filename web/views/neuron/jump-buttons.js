import {strings} from '../../strings/index.js';
import {create, labelled} from '../parts/create-element.js';
import {formatNumber} from '../parts/number-format.js';
import {strongestKeys} from './scene.js';
import {tokenName} from '../parts/token-names.js';

/** @import {QueryScene} from './scene.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/** The largest number of keys with a button. */
const most = 5;
/** A weaker key has a button only if it is the strongest of all. */
const leastWeight = 0.005;

/** Lists the strongest keys of a text that is taller than the view. A click on one scrolls to it and pins it. */
export class NeuronJumps {
  element = create('div', 'jumps');
  #buttons = Array.from({length: most}, () => create('button', 'jump'));
  /** @type {number[]} */
  #keys = [];

  /** @param {(key: number) => void} onJump */
  constructor(onJump) {
    labelled(this.element, 'group', strings.neuron.strongest);
    this.element.hidden = true; // until it is known that the text is taller, so that nothing moves
    this.#buttons.forEach((button, at) => {
      button.type = 'button';
      button.addEventListener('click', () => onJump(this.#keys[at]));
    });
    this.element.append(create('span', '', strings.neuron.strongest), ...this.#buttons);
  }

  /** @param {QueryScene} scene @param {Snapshot} snapshot */
  update(scene, snapshot) {
    this.#keys = strongestKeys(scene, most).filter(
      (key, at) => !at || Math.abs(scene.weights[key]) >= leastWeight,
    );
    this.#buttons.forEach((button, at) => {
      const key = this.#keys[at];
      button.hidden = key === undefined;
      if (key === undefined) return;
      const weight = create('span', 'weight', formatNumber(scene.weights[key]));
      button.replaceChildren(create('span', '', ...tokenName(snapshot, 'key', key)), weight);
    });
  }
}
