/** @import {StepRun} from '../step-run.js' */
/** @import {Step} from '../step.js' */
/** @import {AnswerBook} from './answer-book.js' */

/** The question of the step that is shown: the reader predicts, the engine answers, and the reader can try again. */
export class StepQuestion {
  #root;
  #run;
  #step;
  #onChange;

  /**
   * @param {HTMLElement} root
   * @param {AnswerBook} book
   * @param {StepRun} run
   * @param {{step: () => Step | undefined, onChange: () => void}} page  `step`: the one that is shown, if any
   */
  constructor(root, book, run, {step, onChange}) {
    this.#root = root;
    this.book = book;
    this.#run = run;
    this.#step = step;
    this.#onChange = onChange;
  }

  /** Lets the engine answer, once the reader wants to see the answer. */
  async find() {
    const step = this.#step();
    if (!step || !this.book.isRevealed) return;
    const answer = await this.#run.find(step);
    if (!answer || step !== this.#step()) return;
    this.book.settle(step.asked, answer.found, answer.facts);
    this.#onChange();
  }

  /** Shows the answer. @param {string} said  what the reader predicts */
  reveal(said) {
    this.book.reveal(said);
    this.#onChange();
    this.#focus('.revealed');
    void this.find();
  }

  /** Asks again. */
  retract() {
    this.book.retract();
    this.#onChange();
    this.#focus('.predictions :is(button, input)');
  }

  /** @param {string} selector */
  #focus(selector) {
    /** @type {HTMLElement | null} */ (this.#root.querySelector(selector))?.focus();
  }
}
