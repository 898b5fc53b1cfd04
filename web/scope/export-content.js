import {readableTokens} from '../attention/byte-level-tokens.js';
import {range} from '../attention/range.js';
import {layersOf, measureNames, ofAllHeads, plainDisplay} from '../attention/display.js';
import {holds} from '../attention/shape.js';
import {SnapshotError, attentionOf, lazySnapshot} from '../attention/snapshot.js';
import {unknownPieces, unknownTexts} from '../attention/unknown-token.js';
import {baseOf, differenceDrawingOf, drawingOf, sideDrawingsOf} from './view-data.js';
import {describeChange} from '../attention/describe-change.js';
import {formatChanges, parseChanges} from '../attention/reader-change-fields.js';
import {changesOf, withoutUnknownPlaces} from '../attention/reader-changes.js';
import {alignmentRemark, comparisonOf, nameBeside} from './comparison.js';
import {vectorKindsOf} from '../engine/measures.js';
import {createView} from '../views/loaded-views.js';
import {displayIn} from '../views/view-kinds.js';
import {attributesOf} from './tag-attributes.js';
import {spotsIn} from './view-stage.js';

/** @import {ScopeProperties} from './scope-properties.js' */
/** @import {Choice} from './view-data.js' */
/** @import {CompareMode} from '../session/pass-origin.js' */
/** @import {TokensOf} from '../attention/describe-change.js' */
/** @import {ReaderChanges} from '../attention/reader-changes.js' */
/** @import {Pass} from '../session/pass.js' */
/** @import {Baseline} from '../session/baseline-session.js' */
/** @import {Comparison} from './comparison.js' */
/** @import {ViewData, ViewName} from '../views/view-kinds.js' */
/** @import {Content} from '../export/data-files.js' */
/** @import {Shown, ShownComparison, ShownPass} from '../export/export-content.js' */
/** @import {Display, Measure} from '../attention/display.js' */
/** @import {MatrixRef, Extent, Snapshot} from '../attention/snapshot.js' */

/** @typedef {Shown['chosen']} Place */

const nothing = () => {};

/**
 * Collects everything that the export dialog needs about an element's picture.
 *
 * @param {ScopeProperties} scope
 * @param {Pass} pass
 * @param {Baseline | null} baseline
 * @param {Choice} choice
 * @returns {Shown}
 */
export function shownIn(scope, pass, baseline, choice) {
  const view = scope.shownView;
  const display = displayIn(view, choice.display);
  const comparison =
    baseline && comparisonOf({...baseline, mode: 'difference'}, pass, view, choice);
  const [dataBefore, data] = comparison
    ? sideDrawingsOf(comparison.passes, view)
    : [null, {...drawingOf(pass, view, choice), spots: spotsIn(scope)}];
  const addresses = scope.permalink?.();
  const drawing = scope.renderRoot.querySelector('.view-stage');
  const height = heightIn(scope);
  const name = baseline ? nameBeside(pass, baseline.pass) : pass.name;
  const chosen = comparison?.place ?? data.selection;
  return {
    ...shownPass(pass, name, {data, chosen, display, filter: scope.filter}),
    chosen,
    view,
    display,
    create: (next) =>
      createView(view, next, {
        onPin: nothing,
        onSelect: nothing,
        onOpen: nothing,
        onClose: nothing,
      }),
    attributes: {...attributesOf(scope), height},
    viewAttributes: {...attributesOf(scope, ['view']), height},
    element: scope,
    width: Math.max(480, Math.min(1200, drawing?.clientWidth ?? 900)),
    height: drawing ? heightInPost(drawing) : 0,
    script: addresses?.script,
    address: addresses?.page,
    headline: comparison ? headlineIn(scope) : '',
    frame: addresses?.frame && addresses.frame + (height ? `&height=${height}` : ''),
    comparison:
      comparison && dataBefore
        ? shownComparison(baseline.mode, comparison, {
            view,
            choice,
            chosen,
            display,
            data: dataBefore,
          })
        : null,
  };
}

/**
 * @param {Pass} pass
 * @param {string} name
 * @param {Pick<Choice, 'display' | 'filter'> & {data: ViewData, chosen: Place}} shown
 *   `data`: what the view draws
 * @returns {ShownPass}
 */
function shownPass(pass, name, {data, chosen, display, filter}) {
  // A saved snapshot may name its model, its interventions and its measure.
  const {about} = pass.snapshot;
  const model = pass.model?.name ?? about?.model ?? '';
  const measure = measureOf(pass, display);
  const base = baseOf(pass, filter, measure);
  const changed = pass.model
    ? withoutUnknownPlaces(pass.origin.interventions, pass.model)
    : parseChanges(new URLSearchParams(about?.interventions));
  const interventions = addressOf(changed);
  const isOfAllHeads = ofAllHeads.includes(measure);
  /** @type {TokensOf} */
  const tokensOf = (side, part = 'encoder') =>
    readableTokens(pass.parts?.[part] ?? pass.snapshot, side);
  const averaged = layersOf(display.meanLayers, base.layers);
  const drawnLayers = averaged.length ? averaged : [chosen.layer];
  return {
    name,
    text: pass.text,
    unknown: pass.result ? unknownPieces(pass.result) : {token: '', pieces: []},
    changes: changesOf(changed).map((change) => describeChange(change, tokensOf)),
    interventions,
    model,
    measure,
    data,
    layers: drawnLayers,
    heads: (isOfAllHeads ? range(base.heads) : chosen.heads).filter((head) =>
      drawnLayers.some((layer) => holds(base, layer, head)),
    ),
    file: pass.origin.file,
    hasVectors: Boolean(base.vectors) && !isOfAllHeads,
    async fetch(extent) {
      const {layers = range(base.layers), heads = range(base.heads), vectors} = extent;
      const kinds = /** @type {MatrixRef['kind'][]} */ (
        vectors && base.vectors ? ['attention', ...vectorKindsOf(base)] : ['attention']
      );
      await pass.fetch(
        layers.flatMap((layer) =>
          heads.flatMap((head) => kinds.map((kind) => ({kind, measure, layer, head}))),
        ),
      );
      const unknown = pass.result ? unknownTexts(pass.result) : [];
      const of = {name: pass.name, text: pass.text, model, interventions, measure, unknown};
      return {...of, ...withoutCopies(base, extent, measure)};
    },
  };
}

/**
 * A measure of all heads has the same matrix for every head of a layer, so only the first one is exported.
 *
 * @param {Snapshot} snapshot
 * @param {Extent} extent
 * @param {Measure} measure
 */
function withoutCopies(snapshot, extent, measure) {
  if (!ofAllHeads.includes(measure)) return {snapshot, extent};
  const attention = (/** @type {number} */ layer) => attentionOf(snapshot, layer, 0);
  return {
    snapshot: {...lazySnapshot(snapshot), heads: 1, held: undefined, has: undefined, attention},
    extent: {...extent, heads: [0]},
  };
}

/** @param {Pass} pass @param {Display} display @returns {Measure} */
function measureOf({result, snapshot}, {measure}) {
  if (result) return measure;
  return measureNames.find((known) => known === snapshot.about?.measure) ?? 'weight';
}

/**
 * @param {CompareMode} wanted
 * @param {Comparison} comparison
 * @param {{view: ViewName, choice: Choice, chosen: Place, display: Display, data: ViewData}} shown
 *   `data`: what the view draws of the baseline
 * @returns {ShownComparison}
 */
function shownComparison(wanted, {passes, subtraction}, {view, choice, chosen, display, data}) {
  const [{pass}, {pass: after}] = passes;
  const {problem = '', choice: common = choice, lacksChosen} = subtraction ?? {};
  const difference = problem ? null : differenceDrawingOf(pass, after, view, common, lacksChosen);
  const before = shownPass(pass, nameBeside(pass, after), {...choice, data, chosen, display});
  const mode = wanted === 'difference' && difference ? 'difference' : 'side';
  // The exported numbers are those of the models, whatever the display is.
  const plain = {...choice, display: {...plainDisplay, measure: display.measure}};
  const numbers = differenceIn(pass, after, plain);
  return {
    mode,
    before,
    difference,
    problem,
    remark: alignmentRemark({pass, mode}, after, view, choice),
    hasNumbers: numbers !== null,
    differenceOf(contentBefore, content) {
      if (!numbers) return null;
      const both = (/** @type {'layers' | 'heads'} */ kind) =>
        content.extent?.[kind]?.filter(
          (number) => contentBefore.extent?.[kind]?.includes(number) ?? true,
        );
      const extent = {layers: both('layers'), heads: both('heads')};
      if (extent.heads?.length === 0) return null;
      return {...content, ...withoutCopies(numbers.snapshot, extent, display.measure)};
    },
  };
}

/** @param {Pass} before @param {Pass} after @param {Choice} choice */
function differenceIn(before, after, choice) {
  try {
    return differenceDrawingOf(before, after, 'head', choice);
  } catch (error) {
    if (error instanceof SnapshotError) return null;
    throw error;
  }
}

/**
 * Writes interventions as fields of an address, but leaves commas as they are, because people read this text.
 *
 * @param {ReaderChanges} interventions
 */
function addressOf(interventions) {
  return Object.entries(formatChanges(interventions))
    .map((field) => field.join('='))
    .join('&');
}

/** What the page says over the picture. @param {ScopeProperties} scope */
const headlineIn = ({renderRoot}) =>
  renderRoot.querySelector('.headline .told')?.textContent.replace(/\s+/g, ' ').trim() ?? '';

/** The parts of views that scroll, and that fill a given height. */
const filling = '.scroller, .map, .model-scroller, .neuron-scroller';

/** The height of a picture that fills a given one, in CSS pixels. @param {ScopeProperties} scope */
function heightIn({renderRoot}) {
  const part = renderRoot.querySelector(`.filled .view-stage :is(${filling})`);
  return part ? Math.ceil(parseFloat(getComputedStyle(part).height)) : undefined;
}

/** The height of a line beside the picture, in CSS pixels. */
const line = 33;

/**
 * The height that the picture has in a post, in CSS pixels. The page may show the sentence over it and the table below it
 * elsewhere.
 *
 * @param {Element} drawing
 */
function heightInPost(drawing) {
  const beside = [...drawing.querySelectorAll('.reading, details')];
  return drawing.clientHeight + line * beside.filter(({clientHeight}) => clientHeight < 2).length;
}
