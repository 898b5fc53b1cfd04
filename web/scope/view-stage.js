import {create} from '../views/parts/create-element.js';
import {originalToken} from '../attention/display.js';
import {createView} from '../views/loaded-views.js';

/** @import {ScopeProperties} from './scope-properties.js' */
/** @import {ViewActions, ViewData, ViewElement, ViewName} from '../views/view-kinds.js' */

/** The place of one view in the page. It keeps the view until one of another name is shown. */
export class ViewStage {
  element = create('div', 'view-stage');
  #actions;
  /** @type {ViewName | null} */
  #name = null;
  /** @type {ViewElement | null} */
  #view = null;
  /** @type {ViewData | null} */
  #data = null;
  /** What the view has drawn of `#data`, apart from its snapshot. */
  #drawn = '';

  /** @param {ViewActions} actions  `onPin` gets a token as counted before words are merged and tokens are hidden */
  constructor(actions) {
    this.#actions = {
      ...actions,
      onPin: (/** @type {Parameters<ViewActions['onPin']>[0]} */ token) =>
        actions.onPin(this.#data && originalToken(this.#data.snapshot, token)),
    };
  }

  /**
   * Draws nothing if the same picture is there: the element also updates for the text before its pass and for the map
   * of heads.
   *
   * @param {ViewName} name  a view that is loaded
   * @param {ViewData} data
   * @param {number} rows  those that share the height, which are more if the picture beside it has more
   * @param {number} [own]  the rows of this picture
   */
  show(name, data, rows, own = rows) {
    const {snapshot, ...others} = data;
    const drawn = JSON.stringify([name, others, rows, devicePixelRatio]);
    if (snapshot === this.#data?.snapshot && drawn === this.#drawn) return;
    this.#data = data;
    this.#drawn = drawn;
    this.element.style.cssText = `--rows: ${rows}; --own-rows: ${own}`;
    if (name === this.#name) {
      this.#view?.update(data);
      return;
    }
    this.#name = name;
    this.#view = createView(name, data, this.#actions);
    // The element keeps the focus, and so its keys, although what had the focus is gone.
    if (this.element.matches(':focus-within'))
      /** @type {HTMLElement | null} */ (this.element.closest('.scope'))?.focus();
    this.element.replaceChildren(this.#view);
  }

  /** Makes the next picture be drawn, even if it is the same: its style has changed. */
  forget() {
    this.#drawn = '';
  }
}

/** Returns what the reader has chosen in the neuron view, besides the selection. @param {ScopeProperties} scope */
export function spotsIn({renderRoot}) {
  const view = /** @type {ViewElement | null} */ (renderRoot.querySelector('.neuron-view'));
  return view?.spots?.();
}
