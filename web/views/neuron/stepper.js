import {strings} from '../../strings/index.js';
import {create} from '../parts/create-element.js';

/** @import {ColumnName} from './canvas.js' */
/** @import {Story} from '../../strings/en/neuron.js' */

/**
 * The columns that each step describes.
 *
 * @type {readonly (readonly (ColumnName | 'output')[])[]}
 */
export const litColumns = [
  ['query', 'key'],
  ['product'],
  ['position', 'score'],
  ['softmax'],
  ['value', 'weighted'],
  ['weighted', 'output'],
];

/** Explains the arithmetic in steps, each in words and with the reader's own numbers. */
export class NeuronStepper {
  element = create('section', 'stepper');
  step = 0;
  #onStep;
  /** @type {Story | null} */
  #story = null;
  #back = createButton(strings.neuron.stepper.back);
  #next = createButton(strings.neuron.stepper.next);
  #position = create('span', 'position');
  #text = create('p', 'story');

  /** @param {() => void} onStep */
  constructor(onStep) {
    this.#onStep = onStep;
    this.#text.setAttribute('aria-live', 'polite');
    this.element.setAttribute('aria-label', strings.neuron.stepper.label);
    this.element.append(create('div', 'steps', this.#back, this.#next, this.#position), this.#text);
    this.#back.addEventListener('click', () => this.#go(this.step - 1));
    this.#next.addEventListener('click', () => this.advance());
  }

  /** Goes to the next step, or from the last to the first. */
  advance() {
    this.#go((this.step + 1) % strings.neuron.steps.length);
  }

  /** @param {Story} story */
  update(story) {
    this.#story = story;
    const {stepper, steps} = strings.neuron;
    const parts = steps[this.step](story).map((part) =>
      typeof part === 'string' ? part : create('bdi', 'name', part.token),
    );
    this.#position.textContent = stepper.position(this.step + 1, steps.length);
    const text = create('p', '', ...parts);
    // Equal text is not replaced, because a screen reader would read it again.
    if (text.innerHTML !== this.#text.innerHTML) this.#text.replaceChildren(...text.childNodes);
    this.#next.textContent = this.step === steps.length - 1 ? stepper.again : stepper.next;
    this.#back.setAttribute('aria-disabled', String(this.step === 0));
  }

  /** @param {number} step */
  #go(step) {
    if (step < 0 || !this.#story) return;
    this.step = step;
    this.update(this.#story);
    this.#onStep();
  }
}

/** @param {string} text */
function createButton(text) {
  const button = create('button', 'step', text);
  button.type = 'button';
  return button;
}
