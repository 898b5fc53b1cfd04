import {html} from 'lit';
import {coloursOfNumbers} from '../views/colours.js';
import {SnapshotError} from '../views/snapshot.js';
import {strings} from '../strings/index.js';
import {differenceDrawingOf, drawingOf, neededOf, sideDrawingsOf, unmatchedIn} from './drawing.js';
import {ViewStage} from './view-stage.js';

/** @import {Choice} from './drawing.js' */
/** @import {CompareMode} from './origin.js' */
/** @import {Part, Pass} from './passes.js' */
/** @import {ViewActions, ViewData, ViewName} from './scope-views.js' */

/** @typedef {{pass: Pass, mode: CompareMode}} Kept */

/** The picture of a pass, alone or held against one that was kept. */
export class Picture {
  /** @type {Kept | null} what stands before it */
  before = null;
  #onMode;
  #now;
  #before;
  /** Why there is no difference to draw. */
  #problem = '';

  /**
   * @param {ViewActions & {onMode: (mode: CompareMode) => void}} actions
   *   `onMode`: the reader wants what stands before it otherwise
   */
  constructor({onMode, ...actions}) {
    this.#onMode = onMode;
    this.#now = new ViewStage(actions);
    this.#before = new ViewStage(actions);
  }

  /**
   * @param {Pass} pass
   * @param {ViewName} view
   * @param {Choice} choice
   */
  render(pass, view, choice) {
    const kept = this.before;
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
        ${alignmentNotice(kept, pass, view, choice)}
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
      ${
        this.#problem
          ? this.#noDifference()
          : html`${now}${alignmentNotice(kept, pass, view, choice)}`
      }
    </figure>`;
  }

  /** In the place of the picture. */
  #noDifference() {
    const {side} = strings.compare.modes;
    return html`<div class="notice" role="status">
      <p>${this.#problem}</p>
      <button type="button" class="all" @click=${() => this.#onMode('side')}>${side}</button>
    </div>`;
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
    const kept = this.before;
    let isComplete = true;
    for (const each of kept ? [pass, kept.pass] : [pass]) {
      const parts = neededOf(each, view, choice);
      if (each.has(parts)) continue;
      isComplete = false;
      fetch(each, parts);
    }
    if (!isComplete) return null;
    if (kept?.mode === 'difference') {
      // What stands beside the picture is then of this pass alone.
      if (this.#problem) return drawingOf(pass, view, choice);
      const difference = differenceDrawingOf(kept.pass, pass, view, choice);
      this.#now.show(view, difference);
      return difference;
    }
    const [drawing, before] = kept
      ? sideDrawingsOf(pass, kept.pass, view, choice)
      : [drawingOf(pass, view, choice)];
    this.#now.show(view, drawing);
    if (before) this.#before.show(view, before);
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

/**
 * @param {Kept} kept
 * @param {Pass} after
 * @param {ViewName} view
 * @param {Choice} choice
 */
function alignmentNotice(kept, after, view, choice) {
  const said = alignmentRemark(kept, after, view, choice);
  return said ? html`<p class="aligned" role="status">${said}</p>` : null;
}

/**
 * Says that words are compared, and which of them only one side has.
 *
 * @param {Kept} kept
 * @param {Pass} after
 * @param {ViewName} view
 * @param {Choice} choice
 * @returns {string}  empty where tokens themselves correspond
 */
export function alignmentRemark({pass: before, mode}, after, view, choice) {
  const unmatched = unmatchedIn(before, after, view, choice, mode === 'difference');
  if (!unmatched) return '';
  const {aligned, shared} = strings.compare;
  const only = (/** @type {string} */ side, /** @type {string[]} */ found) =>
    found.length ? aligned.only(side, [...new Set(found)]) : [];
  const said = unmatched.isShared
    ? [shared.rule, only(shared.before, unmatched.before), only(shared.after, unmatched.after)]
    : [
        aligned.rule,
        only(modelOf(before), unmatched.before),
        only(modelOf(after), unmatched.after),
      ];
  return strings.text.sentences(said.flat());
}

/** Passes of two models are told apart by their models. @param {Pass} pass @param {Pass} other */
export function nameBeside(pass, other) {
  const [model, otherModel] = [pass, other].map(modelOf);
  return model && otherModel && model !== otherModel ? `${model}: ${pass.name}` : pass.name;
}

/** @param {Pass} pass  empty: it is not known */
function modelOf({model, snapshot}) {
  return model?.name ?? snapshot.about?.model ?? '';
}

let marked = false;

/** For tests and measurements: the frame that paints the first picture. */
function markFirstAttention() {
  if (marked) return;
  marked = true;
  requestAnimationFrame(() => performance.mark('bertscope:first-attention'));
}
