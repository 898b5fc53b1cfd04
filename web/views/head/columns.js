import {meanWeight} from '../../attention/weights.js';
import {strings} from '../../strings/index.js';
import {create, write} from '../parts/create-element.js';
import {weightFormat} from '../parts/number-format.js';
import {tokenColumns} from '../parts/token-columns.js';

/** @import {Pair, Scene} from './scene.js' */
/** @import {Side, TokenRef} from '../../attention/selection.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/** The tokens of both sides, the captions above them, and the numbers that stand beside those across from the focus. */
export class HeadColumns {
  #captions = {
    query: create('span', 'caption query'),
    key: create('span', 'caption key'),
  };
  #direction = create('span', 'caption direction');
  header = create('div', 'captions', this.#captions.query, this.#direction, this.#captions.key);

  sides;

  /**
   * @param {(side: Side, index: number | null) => void} onHover  gets the token under pointer or focus; null when left
   * @param {(side: Side, index: number) => void} onClick
   */
  constructor(onHover, onClick) {
    this.sides = tokenColumns(onHover, onClick);
  }

  /** @param {Snapshot} snapshot @param {Scene} scene */
  update(snapshot, {query, key, signs, limit}) {
    const {direction, fullAt} = strings.view;
    write(this.#direction, signs ? `${direction}${strings.text.comma}${fullAt(limit)}` : direction);
    this.sides.query.update(snapshot, query);
    this.sides.key.update(snapshot, key);
  }

  /**
   * @param {Snapshot} snapshot
   * @param {Scene} scene
   * @param {{pair: Pair | null, pinned: TokenRef | null}} marked
   */
  mark(snapshot, scene, {pair, pinned}) {
    const {focus} = scene;
    const format = weightFormat(snapshot);
    for (const side of /** @type {const} */ (['query', 'key'])) {
      const opposite = focus && focus.side !== side;
      this.sides[side].mark({
        current: focus?.side === side ? focus.index : null,
        partner: pair ? pair[side] : null,
        pinned: pinned?.side === side ? pinned.index : null,
        value: opposite
          ? (index) =>
              format(
                side === 'key'
                  ? meanWeight(scene, focus.index, index)
                  : meanWeight(scene, index, focus.index),
              )
          : null,
      });
      this.#captions[side].replaceChildren(
        create('span', '', strings.view[side]),
        create('span', 'unit', opposite ? strings.view.mean(scene.matrices.length) : ''),
      );
    }
  }
}
