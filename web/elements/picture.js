import {html} from 'lit';
import {coloursOfNumbers} from '../views/colours.js';
import {SnapshotError} from '../views/snapshot.js';
import {strings} from '../strings/index.js';
import {compareControls} from './compare-controls.js';
import {differenceDrawingOf, drawingOf, neededOf} from './drawing.js';
import {pageModels} from './model-shelf.js';
import {LivePass} from './passes.js';
import {ViewStage} from './view-stage.js';

/** @import {Choice} from './drawing.js' */
/** @import {Part, Pass} from './passes.js' */
/** @import {ViewActions, ViewData, ViewName} from './scope-views.js' */

/**
 * @typedef {'side' | 'difference'} CompareMode
 * @typedef {{pass: Pass, mode: CompareMode}} Kept
 */

/** The picture of a pass, alone or held against one that was kept. */
export class Picture {
  /** @type {Kept | null} what the reader kept */
  #kept = null;
  /** @type {Kept | null} what stands before it: the model as it is, where something is changed */
  before = null;
  #onChange;
  #now;
  #before;
  /** Why there is no difference to draw. */
  #problem = '';

  /**
   * @param {ViewActions & {onChange: () => void}} actions
   *   `onChange`: it is to be rendered anew
   */
  constructor({onChange, ...actions}) {
    this.#onChange = onChange;
    this.#now = new ViewStage(actions);
    this.#before = new ViewStage(actions);
  }

  /** @param {Pass} pass @param {string} view */
  controls(pass, view) {
    const show = (/** @type {Kept | null} */ kept) => {
      this.#keep(kept);
      this.#onChange();
    };
    return compareControls(this.#kept, {
      keep: () => show({pass, mode: 'side'}),
      choose: (mode) => show(this.#kept && {...this.#kept, mode}),
      end: () => show(null),
    });
  }

  /** What was kept can be asked for more, so its model stays too. @param {Kept | null} kept */
  #keep(kept) {
    this.#kept = kept;
    pageModels.release(this);
    if (kept?.pass instanceof LivePass && !pageModels.hold(this, kept.pass.model)) {
      this.#kept = null;
    }
  }

  /** The element has left the page: models may make room for others. */
  rest() {
    pageModels.release(this);
  }

  /** It is back; what it compared with may be gone. */
  resume() {
    this.#keep(this.#kept);
  }

  get #other() {
    return this.before ?? this.#kept;
  }

  /**
   * @param {Pass} pass
   * @param {ViewName} view
   * @param {Choice} choice
   */
  render(pass, view, choice) {
    const kept = this.#other;
    const now = this.#now.element;
    if (!kept) return now;
    if (kept.mode === 'side') {
      return html`<div class=${`side-by-side of-${view}`}>
        <figure>
          <figcaption><bdi>${nameBeside(kept.pass, pass)}</bdi></figcaption>
          ${this.#before.element}
        </figure>
        <figure>
          <figcaption><bdi>${nameBeside(pass, kept.pass)}</bdi></figcaption>
          ${now}
        </figure>
      </div>`;
    }
    this.#problem = problemOf(kept.pass, pass, view, choice);
    const {positive, negative} = coloursOfNumbers(choice.dark);
    return html`<figure>
      <figcaption>
        <bdi>${nameBeside(pass, kept.pass)}</bdi> <b>${strings.compare.minus}</b>
        <bdi>${nameBeside(kept.pass, pass)}</bdi>
        <span class="signs">
          <i style="background: ${positive}"></i>${strings.compare.more}
          <i style="background: ${negative}"></i>${strings.compare.less}
        </span>
      </figcaption>
      ${this.#problem ? html`<p class="notice" role="status">${this.#problem}</p>` : now}
    </figure>`;
  }

  /**
   * Draws, unless something has to be fetched first: until it has arrived, the old picture stays.
   *
   * @param {Pass} pass
   * @param {ViewName} view
   * @param {Choice} choice
   * @param {(pass: Pass, parts: Part[]) => void} fetch
   * @returns {ViewData | null} what is drawn; null: the old picture stays
   */
  draw(pass, view, choice, fetch) {
    const kept = this.#other;
    let isComplete = true;
    for (const each of kept ? [pass, kept.pass] : [pass]) {
      const parts = neededOf(each, view, choice);
      if (each.has(parts)) continue;
      isComplete = false;
      fetch(each, parts);
    }
    if (!isComplete) return null;
    if (kept?.mode === 'difference') {
      if (this.#problem) return null;
      const difference = differenceDrawingOf(kept.pass, pass, view, choice);
      this.#now.show(view, difference);
      return difference;
    }
    const drawing = drawingOf(pass, view, choice);
    this.#now.show(view, drawing);
    if (kept) this.#before.show(view, drawingOf(kept.pass, view, choice));
    markFirstAttention();
    return drawing;
  }
}

/**
 * @param {Pass} before
 * @param {Pass} after
 * @param {ViewName} view
 * @param {Choice} choice
 */
function problemOf(before, after, view, choice) {
  try {
    differenceDrawingOf(before, after, view, choice);
    return '';
  } catch (error) {
    if (error instanceof SnapshotError) return error.message;
    throw error;
  }
}

/** Passes of two models are told apart by their models. @param {Pass} pass @param {Pass} other */
function nameBeside(pass, other) {
  const [model, otherModel] = [pass, other].map((each) =>
    each instanceof LivePass ? each.model.name : '',
  );
  return model && otherModel && model !== otherModel ? `${model}: ${pass.name}` : pass.name;
}

let marked = false;

/** For tests and measurements: the frame that paints the first picture. */
function markFirstAttention() {
  if (marked) return;
  marked = true;
  requestAnimationFrame(() => performance.mark('bertscope:first-attention'));
}
