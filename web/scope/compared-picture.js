import {html, nothing} from 'lit';
import {coloursOfNumbers} from '../views/parts/head-colours.js';
import {rowsOf} from '../attention/selection.js';
import {strings} from '../strings/index.js';
import {views} from '../views/loaded-views.js';
import {differenceDrawingOf, drawingOf, neededOf, pinIn, sideDrawingsOf} from './view-data.js';
import {alignmentRemark, comparisonOf, nameBeside} from './comparison.js';
import {nameOfOrigin} from './origin-fields.js';
import {ViewStage} from './view-stage.js';

/** @import {Choice} from './view-data.js' */
/** @import {CompareMode} from '../session/pass-origin.js' */
/** @import {Pass} from '../session/pass.js' */
/** @import {Baseline} from '../session/baseline-session.js' */
/** @import {ComparedPass, Comparison} from './comparison.js' */
/** @import {ViewActions, ViewData, ViewName} from '../views/view-kinds.js' */
/** @import {Session} from '../session/session.js' */

/**
 * The pass that the map of heads, the inspector and the export describe.
 *
 * @typedef {object} Inspected
 * @property {Pass} pass
 * @property {Choice} choice
 * @property {string} name  the name of the pass in a comparison; empty if it stands alone
 * @property {string} pictureName  the inspector's name for the picture in a comparison; empty if it stands alone
 */

/** The picture of a pass, alone or compared with its baseline. */
export class Picture {
  /** @type {Baseline | null} */
  baseline = null;
  /** Whether the reader wants to inspect the baseline instead of the picture's own pass. */
  prefersBaseline = false;
  /** Null if the picture stands alone. @type {Comparison | null} */
  comparison = null;
  /** Whether a picture has been drawn. */
  hasDrawn = false;
  #onMode;
  #after;
  #before;
  /** The two passes that stand side by side. @type {[ComparedPass, ComparedPass] | undefined} */
  #sides;

  /**
   * @param {ViewActions & {onMode: (mode: CompareMode) => void}} actions
   *   `onMode`: called when the reader chooses another mode of the comparison
   */
  constructor({onMode, ...actions}) {
    this.#onMode = onMode;
    this.#after = new ViewStage(actions);
    this.#before = new ViewStage({
      ...actions,
      // What is pinned is a token of the picture's own pass.
      onPin: (token) => this.#sides && actions.onPin(pinIn(...this.#sides, token)),
    });
  }

  /**
   * Compares a pass with the baseline. It stands alone also when nothing has changed since the baseline was kept.
   *
   * @param {Pass | null} pass
   * @param {ViewName} view
   * @param {Choice} choice
   */
  compare(pass, view, choice) {
    const {baseline} = this;
    this.comparison =
      pass && baseline && !isSamePass(baseline.pass, pass)
        ? comparisonOf(baseline, pass, view, choice, this.prefersBaseline)
        : null;
  }

  /**
   * Returns what the map, the inspector and the export describe. A pass that stands alone needs no name.
   *
   * @param {Pass} pass
   * @param {Choice} choice
   * @returns {Inspected}
   */
  inspectedOf(pass, choice) {
    const {comparison} = this;
    if (!comparison) return {pass, choice, name: '', pictureName: ''};
    return {...comparison.inspected, pictureName: comparison.pictureName};
  }

  /**
   * Returns what the export is about: both sides of a comparison, or only one if the other one has none of the chosen
   * heads.
   *
   * @param {Pass} pass
   * @param {Choice} choice
   * @returns {{pass: Pass, baseline: Baseline | null, choice: Choice}}
   */
  exportedOf(pass, choice) {
    const {baseline, comparison} = this;
    if (baseline && !comparison?.passes.some(({isEmpty}) => isEmpty))
      return {pass, baseline, choice};
    return {...this.inspectedOf(pass, choice), baseline: null};
  }

  /**
   * @param {Pass} pass
   * @param {ViewName} view
   * @param {Choice} choice
   */
  render(pass, view, choice) {
    const {baseline, comparison} = this;
    const picture = this.#after.element;
    if (!baseline || !comparison) return picture;
    const {passes, subtraction} = comparison;
    if (!subtraction) {
      return html`<div class=${`side-by-side of-${view}`}>
        ${[this.#before.element, picture].map((each, at) => {
          const [own, other] = [passes[at], passes[1 - at]];
          return html`<figure>
            <figcaption><bdi>${nameBeside(own.pass, other.pass)}</bdi></figcaption>
            <div>${lackNotice(own.missing)} ${own.isEmpty ? nothing : each}</div>
          </figure>`;
        })}
        ${alignmentNotice(baseline, pass, view, choice)}
      </div>`;
    }
    const {positive, negative} = coloursOfNumbers(choice.dark);
    return html`<figure>
      <figcaption>
        <bdi>${nameBeside(pass, baseline.pass)}</bdi> <b>${strings.compare.minus}</b>
        <bdi>${nameBeside(baseline.pass, pass)}</bdi>
        <span class="signs">
          <i style="background: ${positive}"></i>${strings.compare.more}
          <i style="background: ${negative}"></i>${strings.compare.less}
        </span>
      </figcaption>
      ${
        subtraction.problem
          ? this.#noDifference(subtraction.problem)
          : html`${lackNotice(subtraction.missing)} ${picture}
            ${alignmentNotice(baseline, pass, view, choice)}`
      }
    </figure>`;
  }

  /**
   * A message instead of a difference that cannot be made, with a button that shows both sides.
   *
   * @param {string} problem
   */
  #noDifference(problem) {
    const {side} = strings.compare.modes;
    return html`<div class="notice" role="status">
      <p>${problem}</p>
      <button type="button" @click=${() => this.#onMode('side')}>${side}</button>
    </div>`;
  }

  /** Makes the next picture be drawn, even if it is the same: its style has changed. */
  forget() {
    this.#after.forget();
    this.#before.forget();
  }

  /**
   * Draws the picture. The old picture stays until the view and its matrices have arrived.
   *
   * @param {Pass} pass
   * @param {ViewName} view
   * @param {Choice} choice
   * @param {Pick<Session, 'fetch'>} session  fetches the matrices that are missing
   * @returns {ViewData | null} the data for the inspector: in a comparison, the difference or the inspected side;
   *   null if the old picture stays
   */
  draw(pass, view, choice, session) {
    const {comparison} = this;
    let isComplete = views[view] !== undefined;
    for (const each of comparison?.passes ?? [{pass, choice, isEmpty: false}]) {
      const parts = neededOf(each.pass, view, each.choice);
      if (each.isEmpty || each.pass.has(parts)) continue;
      isComplete = false;
      void session.fetch(each.pass, parts);
    }
    if (!isComplete) return null;
    this.hasDrawn = true;
    if (!comparison) {
      const drawing = drawingOf(pass, view, choice);
      this.#after.show(view, drawing, rowsOf(drawing));
      markFirstAttention();
      return drawing;
    }
    const {passes, inspected, subtraction} = comparison;
    const [before, after] = passes;
    if (subtraction) {
      const ofInspected = () => drawingOf(inspected.pass, view, inspected.choice);
      if (subtraction.problem) return ofInspected();
      const {choice: shared, lacksChosen} = subtraction;
      const difference = differenceDrawingOf(before.pass, after.pass, view, shared, lacksChosen);
      this.#after.show(view, difference, rowsOf(difference));
      return lacksChosen ? ofInspected() : difference;
    }
    this.#sides = passes;
    const [drawingBefore, drawing] = sideDrawingsOf(passes, view);
    const [rowsBefore, rowsAfter] = [drawingBefore, drawing].map(rowsOf);
    const rows = Math.max(rowsBefore, rowsAfter);
    if (!after.isEmpty) this.#after.show(view, drawing, rows, rowsAfter);
    if (!before.isEmpty) this.#before.show(view, drawingBefore, rows, rowsBefore);
    markFirstAttention();
    return inspected === after ? drawing : drawingBefore;
  }
}

/**
 * Whether a pass was made like the kept one. The origin of a saved picture is only a name, which others may have too.
 *
 * @param {Pass} kept
 * @param {Pass} pass
 */
function isSamePass(kept, pass) {
  return kept === pass || (pass.model && nameOfOrigin(kept.origin) === nameOfOrigin(pass.origin));
}

/** A notice about the heads that a pass lacks. @param {string[]} missing */
function lackNotice(missing) {
  return missing.length
    ? html`<p class="notice" role="status">${strings.text.sentences(missing)}</p>`
    : nothing;
}

/**
 * @param {Baseline} baseline
 * @param {Pass} after
 * @param {ViewName} view
 * @param {Choice} choice
 */
function alignmentNotice(baseline, after, view, choice) {
  const said = alignmentRemark(baseline, after, view, choice);
  return said ? html`<p class="aligned" role="status">${said}</p>` : null;
}

let marked = false;

/** Marks the frame that paints the first picture, for tests and measurements. */
function markFirstAttention() {
  if (marked) return;
  marked = true;
  requestAnimationFrame(() => performance.mark('bertscope:first-attention'));
}
