import {strings} from '../../strings/index.js';
import {create} from '../parts/create-element.js';
import {pointIn} from '../parts/element-size.js';
import {formatNumber} from '../parts/number-format.js';
import {tokenName} from '../parts/token-names.js';
import {divisorOf, positionOf, scoreFormula} from './scene.js';

/** @import {Focus, Spot} from './canvas.js' */
/** @import {NeuronScene, QueryScene} from './scene.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/**
 * Puts the numbers of one key, and of one of its dimensions, into sentences.
 *
 * @param {NeuronScene} head
 * @param {QueryScene} scene
 * @param {Focus} focus
 */
export function numbersOf(head, {arithmetic, weights}, {key, dimension}) {
  const {vectors, sides} = head;
  const {headDim, query, products, sums, scores, softmax, weighted} = arithmetic;
  const at = key * headDim + dimension;
  const text = (/** @type {number} */ number) => formatNumber(number);
  const {productSum, weightedSum, scoreSum, change} = strings.neuron;
  if (sides) {
    // The difference of two products is not the product of the differences.
    return {
      product: change.product(text(query[dimension]), text(vectors.keys[at]), text(products[at])),
      weighted: change.weighted(text(weights[key]), text(vectors.values[at]), text(weighted[at])),
      score: change.score({
        ...{sum: text(sums[key]), position: positionOf(arithmetic, key)},
        ...{formula: scoreFormula(head), score: text(scores[key]), weight: text(softmax[key])},
      }),
    };
  }
  return {
    product: productSum(text(query[dimension]), text(vectors.keys[at]), text(products[at])),
    weighted: weightedSum(text(weights[key]), text(vectors.values[at]), text(weighted[at])),
    score: scoreSum({
      ...{
        size: headDim,
        divisor: divisorOf(vectors, headDim),
        position: positionOf(arithmetic, key),
      },
      ...{sum: text(sums[key]), score: text(scores[key]), weight: text(softmax[key])},
    }),
  };
}

/** Shows a box beside the pointer, with the numbers of the cell under it. */
export class NeuronTooltip {
  element = create('div', 'tooltip');

  constructor() {
    this.element.hidden = true;
  }

  /**
   * @param {Spot} spot
   * @param {{head: NeuronScene, scene: QueryScene, focus: Focus}} content
   * @param {Snapshot} snapshot
   * @param {{clientX: number, clientY: number}} pointer
   */
  show({column, dimension}, {head, scene, focus}, snapshot, pointer) {
    const {score, product, weighted} = numbersOf(head, scene, focus);
    const isSecondHalf = column === 'value' || column === 'weighted';
    const text = dimension === null ? score : isSecondHalf ? weighted : product;
    const where =
      dimension === null ? '' : `${strings.text.comma}${strings.neuron.inDimension(dimension)}`;
    const title = create(
      'p',
      'pair',
      ...tokenName(snapshot, 'query', scene.query),
      ' → ',
      ...tokenName(snapshot, 'key', focus.key),
      where,
    );
    this.element.replaceChildren(title, text);
    this.element.hidden = false;
    const box = /** @type {HTMLElement} */ (this.element.parentElement);
    const {offsetWidth, offsetHeight} = this.element;
    const {x, y} = pointIn(box, pointer);
    // The box is below the pointer, or above it if there is no room, and within the width of the view.
    const left = Math.max(0, Math.min(x + 12, box.offsetWidth - offsetWidth));
    const below = pointer.clientY + 20 + offsetHeight < innerHeight;
    this.element.style.transform = `translate(${left}px, ${below ? y + 20 : y - 20 - offsetHeight}px)`;
  }

  hide() {
    this.element.hidden = true;
  }
}
