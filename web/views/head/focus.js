/** @import {Pair, Scene} from './scene.js' */
/** @import {TokenRef} from '../../attention/selection.js' */

/** Whether the picture has a token. @param {Scene} scene @param {TokenRef} token */
export function isShown(scene, {side, index}) {
  const {start, end} = scene[side];
  return index >= start && index < end;
}

/** @param {TokenRef | null} a @param {TokenRef | null} b */
export const isSameToken = (a, b) => a?.side === b?.side && a?.index === b?.index;

/** Whether the picture has both tokens of a line. @param {Scene} scene @param {Pair} pair */
export const isPairShown = (scene, {query, key}) =>
  isShown(scene, {side: 'query', index: query}) && isShown(scene, {side: 'key', index: key});

/**
 * Finds the token whose lines are drawn, and the line whose weights are told. A pinned token stays in focus while the
 * pointer reads its partners on the other side.
 *
 * @param {TokenRef | null} pinned
 * @param {TokenRef | null} hover  the token under the pointer
 * @param {Pair | null} pair  the line under the pointer
 * @returns {{focus: TokenRef | null, pair: Pair | null}}
 */
export function focusOf(pinned, hover, pair) {
  if (!pinned || !hover || hover.side === pinned.side) return {focus: hover ?? pinned, pair};
  const [query, key] = pinned.side === 'query' ? [pinned, hover] : [hover, pinned];
  return {focus: pinned, pair: {query: query.index, key: key.index}};
}
