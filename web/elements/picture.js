import {html, nothing} from 'lit';
import {coloursOfNumbers} from '../views/colours.js';
import {unionOf} from '../views/shape.js';
import {strings} from '../strings/index.js';
import {baseOf, differenceDrawingOf, drawingOf, neededOf, sideDrawingsOf} from './drawing.js';
import {alignmentRemark, comparedIn, nameBeside} from './sides.js';
import {ViewStage} from './view-stage.js';

/** @import {Choice} from './drawing.js' */
/** @import {CompareMode} from './origin.js' */
/** @import {Part, Pass} from './passes.js' */
/** @import {Compared, Kept} from './sides.js' */
/** @import {ViewActions, ViewData, ViewName} from './scope-views.js' */
/** @import {Filter} from '../views/selection.js' */
/** @import {Shape} from '../views/shape.js' */

/** The picture of a pass, alone or held against one that was kept. */
export class Picture {
  /** @type {Kept | null} what stands before it */
  before = null;
  /** Of two, what stands beside the picture speaks of the one that was kept, where it can. */
  isOfKept = false;
  #onMode;
  #now;
  #before;

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
   * The layers and heads that can be chosen.
   *
   * @param {Pass} pass
   * @param {Filter} filter
   * @returns {Shape}
   */
  reach(pass, filter) {
    const own = baseOf(pass, filter);
    return this.before ? unionOf(baseOf(this.before.pass, filter), own) : own;
  }

  /**
   * What is held against each other, and which of them is spoken of beside the picture: the other one
   * only where it alone has what is chosen.
   *
   * @param {Pass} pass
   * @param {ViewName} view
   * @param {Choice} choice
   * @returns {Compared | null}  null where the picture stands alone
   */
  compared(pass, view, choice) {
    return this.before && comparedIn(this.before, pass, view, choice, this.isOfKept);
  }

  /**
   * @param {Pass} pass
   * @param {ViewName} view
   * @param {Choice} choice
   * @param {Compared | null} compared
   */
  render(pass, view, choice, compared) {
    const kept = this.before;
    const now = this.#now.element;
    if (!kept || !compared) return now;
    const {sides, common} = compared;
    if (!common) {
      return html`<div class=${`side-by-side of-${view}`}>
        ${[this.#before.element, now].map(
          (picture, at) =>
            html`<figure>
              <figcaption><bdi>${nameBeside(sides[at].pass, sides[1 - at].pass)}</bdi></figcaption>
              ${lackNotice(sides[at].said)} ${sides[at].isEmpty ? nothing : picture}
            </figure>`,
        )}
        ${alignmentNotice(kept, pass, view, choice)}
      </div>`;
    }
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
        common.problem
          ? this.#noDifference(common.problem)
          : html`${lackNotice(common.said)} ${now} ${alignmentNotice(kept, pass, view, choice)}`
      }
    </figure>`;
  }

  /** In the place of the picture. @param {string} problem */
  #noDifference(problem) {
    const {side} = strings.compare.modes;
    return html`<div class="notice" role="status">
      <p>${problem}</p>
      <button type="button" class="all" @click=${() => this.#onMode('side')}>${side}</button>
    </div>`;
  }

  /**
   * Draws, unless something has to be fetched first: until it has arrived, the old picture stays.
   *
   * @param {Pass} pass
   * @param {ViewName} view
   * @param {Choice} choice
   * @param {Compared | null} compared
   * @param {(pass: Pass, parts: Part[]) => void} fetch
   * @returns {ViewData | null} what is drawn, of two what is spoken of; null: the old picture stays
   */
  draw(pass, view, choice, compared, fetch) {
    let isComplete = true;
    for (const side of compared?.sides ?? [{pass, choice, isEmpty: false}]) {
      const parts = neededOf(side.pass, view, side.choice);
      if (side.isEmpty || side.pass.has(parts)) continue;
      isComplete = false;
      fetch(side.pass, parts);
    }
    if (!isComplete) return null;
    if (!compared) {
      const drawing = drawingOf(pass, view, choice);
      this.#now.show(view, drawing);
      markFirstAttention();
      return drawing;
    }
    const {sides, speaker, common} = compared;
    const [before, now] = sides;
    if (common) {
      const ofSpeaker = () => drawingOf(speaker.pass, view, speaker.choice);
      if (common.problem) return ofSpeaker();
      const {choice, lacks} = common;
      const difference = differenceDrawingOf(before.pass, now.pass, view, choice, lacks);
      this.#now.show(view, difference);
      return lacks ? ofSpeaker() : difference;
    }
    const [drawing, kept] = sideDrawingsOf(now, before, view);
    if (!now.isEmpty) this.#now.show(view, drawing);
    if (!before.isEmpty) this.#before.show(view, kept);
    markFirstAttention();
    return speaker === now ? drawing : kept;
  }
}

/** @param {string[]} said  in the place of what is not there */
function lackNotice(said) {
  return said.length
    ? html`<p class="notice" role="status">${strings.text.sentences(said)}</p>`
    : nothing;
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

let marked = false;

/** For tests and measurements: the frame that paints the first picture. */
function markFirstAttention() {
  if (marked) return;
  marked = true;
  requestAnimationFrame(() => performance.mark('bertscope:first-attention'));
}
