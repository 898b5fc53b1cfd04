import {enterFullScreen, leaveFullScreen} from '../controls/full-screen.js';
import {followPresenter} from '../controls/presentation.js';

/** @import {Direction} from '../controls/presentation.js' */

/** Whether the step that is shown is presented to an audience, in large type and with little around it. */
export class PresentedStep {
  isOn = false;
  go;
  #change;

  /**
   * @param {(by: Direction) => void} go  shows what comes next, or what came before
   * @param {(apply: () => void) => void} change  applies an act of the presenter
   */
  constructor(go, change) {
    this.go = go;
    this.#change = change;
    followPresenter({isOn: () => this.isOn, go, end: () => this.show(false)});
  }

  /** @param {boolean} isOn */
  show(isOn) {
    if (isOn) enterFullScreen();
    else leaveFullScreen();
    this.#change(() => (this.isOn = isOn));
  }

  /**
   * Lets the style sheets know how the step is shown.
   *
   * @param {boolean} large  whether the reader wants large type
   * @returns {boolean}  whether the type is large
   */
  mark(large) {
    const root = document.documentElement;
    root.toggleAttribute('data-present', this.isOn);
    return root.toggleAttribute('data-large', large || this.isOn);
  }
}
