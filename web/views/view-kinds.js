import {range} from '../attention/range.js';
import {layersOf, plainDisplay} from '../attention/display.js';
import {vectorKindsOf} from '../attention/snapshot.js';

/** @import {HeadPainter} from './parts/line-raster.js' */
/** @import {Spots} from './neuron/spots.js' */
/** @import {ModelChoice} from './model/model-view.js' */
/** @import {Display, Measure} from '../attention/display.js' */
/** @import {Selection, TokenRef} from '../attention/selection.js' */
/** @import {LazySnapshot, MatrixRef, Snapshot, VectorKind} from '../attention/snapshot.js' */

/**
 * @typedef {{snapshot: LazySnapshot, selection: Selection, dark: boolean, grid: ModelChoice, fullScale: boolean, isUnmarked?: boolean, labels?: Pick<Snapshot, 'queryTokens' | 'keyTokens'>, spots?: Spots, ratio?: number, paintHead?: HeadPainter}} ViewData
 *   `isUnmarked`: no head is marked, because none of the chosen heads is there; `labels`: the tokens of this
 *   picture and of the one beside it, which have equal room; `spots`: see `NeuronViewData`;
 *   `ratio`: device pixels per CSS pixel, the screen's unless given; `paintHead`: draws the lines of a head in the model
 *   view, as pixels unless given
 * @typedef {HTMLElement & {update: (data: ViewData) => void, spots?: () => Spots}} ViewElement
 *   `spots`: what the reader has chosen in the neuron view, besides the selection
 *
 * @typedef {object} ViewActions
 * @property {(token: TokenRef | null) => void} onPin
 * @property {(layer: number, head: number) => void} onSelect  is called when the model view shows a head large
 * @property {() => void} onClose  is called when no head is shown large any more
 * @property {(layer: number, head: number) => void} onOpen
 *
 * @typedef {(data: ViewData, actions: ViewActions) => ViewElement} CreateView
 *
 * @typedef {object} ViewKind
 * @property {(wanted: Wanted) => MatrixRef[]} parts  lists the matrices that it draws
 * @property {boolean} [isSingle]  whether it shows only one head, the first active one
 * @property {boolean} [hasGrid]  whether it shows every head of every layer, and one of them large when it is chosen
 * @property {boolean} [isPlain]  whether it draws a model's own tokens and weights, whatever the display
 * @property {boolean} [hasVectors]  whether it draws queries, keys and values too, for a query and a key
 * @property {boolean} [hasScale]  whether its colours can span all weights from 0 to 1
 * @property {boolean} [hasLines]  whether it draws lines between two columns, of a colour for each head. The rows of two
 *   texts, one beside the other, fill the same height then
 * @property {boolean} [isWide]  whether its tables need the full width, so that two stand one below the other
 * @property {boolean} [showsPinnedWeights]  whether it says itself how much a pinned token gives or gets
 *
 * @typedef {object} Wanted
 * @property {number} layer  the chosen layer
 * @property {number[]} layers  the chosen layer, or the layers whose mean is shown
 * @property {number[]} allLayers
 * @property {number[]} heads  the chosen heads
 * @property {number[]} allHeads
 * @property {ModelChoice} grid  the layers and heads that the model view shows
 * @property {Measure} measure
 * @property {VectorKind[]} vectorKinds  the kinds of vectors that there are
 */

/** @type {Record<'head' | 'model' | 'neuron' | 'matrix', ViewKind>} */
export const kindsOf = {
  head: {
    parts: ({layers, heads, measure}) => attentionOf(layers, heads, measure),
    hasLines: true,
    showsPinnedWeights: true,
  },
  model: {
    hasGrid: true,
    isWide: true,
    // The head shown large can be one that is not in the grid.
    parts: ({layer, allLayers, heads, allHeads, grid, measure}) => [
      ...attentionOf(
        grid.layers.length ? allLayers.filter((each) => grid.layers.includes(each)) : allLayers,
        grid.heads.length ? allHeads.filter((each) => grid.heads.includes(each)) : allHeads,
        measure,
      ),
      ...attentionOf([layer], heads, measure),
    ],
  },
  neuron: {
    parts: ({layer, heads: [head], vectorKinds}) => [
      ...attentionOf([layer], [head], 'weight'),
      ...vectorKinds.map((kind) => ({kind, layer, head})),
    ],
    isSingle: true,
    isPlain: true,
    hasVectors: true,
    isWide: true,
  },
  matrix: {
    parts: ({layers, heads, measure}) => attentionOf(layers, heads, measure),
    hasScale: true,
    showsPinnedWeights: true,
  },
};

/** @typedef {keyof typeof kindsOf} ViewName */

/** Whether a view shows only one head, whatever is chosen. @param {ViewName} name @param {ModelChoice} grid */
export function showsOneHead(name, grid) {
  return Boolean(kindsOf[name].isSingle || grid.isOpen);
}

/** Keeps only the parts of a display that a view can show. @param {ViewName} name @param {Display} display */
export function displayIn(name, display) {
  const {isPlain, hasGrid} = kindsOf[name];
  if (isPlain) return plainDisplay;
  return hasGrid ? {...display, meanLayers: []} : display;
}

/**
 * Lists the matrices that a view needs.
 *
 * @param {ViewName} name
 * @param {Pick<Selection, 'layer' | 'heads'>} selection
 * @param {{layers: number, heads: number, hasPositionScores?: boolean}} shape
 * @param {{display: Display, grid: ModelChoice}} choice
 */
export function partsOf(name, {layer, heads}, shape, {display, grid}) {
  const allLayers = range(shape.layers);
  const mean = layersOf(display.meanLayers, shape.layers);
  const layers = mean.length ? mean : [layer];
  const allHeads = range(shape.heads);
  const {measure} = display;
  const vectorKinds = vectorKindsOf(shape);
  return kindsOf[name].parts({
    layer,
    layers,
    allLayers,
    heads,
    allHeads,
    grid,
    measure,
    vectorKinds,
  });
}

/**
 * Lists the layers and heads that a view shows; of several layers, it shows the mean.
 *
 * @param {ViewName} name
 * @param {Selection} selection
 * @param {{layers: number}} shape
 * @param {{display: Display, grid: ModelChoice}} choice
 */
export function chosenIn(name, {layer, heads}, {layers}, {display, grid}) {
  const mean = layersOf(displayIn(name, display).meanLayers, layers);
  const isOne = showsOneHead(name, grid);
  return {layers: mean.length ? mean : [layer], heads: isOne ? heads.slice(0, 1) : heads};
}

/**
 * @param {number[]} layers
 * @param {number[]} heads
 * @param {Measure} measure
 * @returns {MatrixRef[]}
 */
function attentionOf(layers, heads, measure) {
  return layers.flatMap((layer) =>
    heads.map((head) => ({kind: /** @type {const} */ ('attention'), measure, layer, head})),
  );
}
