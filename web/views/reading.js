import {create, formatWeight} from './dom.js';
import {strongestPartners} from './head-scene.js';
import {strings} from '../strings.js';

/** @import {Scene} from './head-scene.js' */
/** @import {Snapshot} from './snapshot.js' */

/**
 * One sentence that says what the picture shows.
 *
 * @param {Scene} scene
 * @param {Snapshot} snapshot
 * @returns {(Node | string)[]}
 */
export function readingLine(scene, {queryTokens, keyTokens}) {
  const {focus} = scene;
  if (!focus) {
    const touch = matchMedia('(hover: none)').matches;
    return [touch ? strings.view.touchHint : strings.view.hint];
  }
  const given = focus.side === 'query';
  const [own, other] = given ? [queryTokens, keyTokens] : [keyTokens, queryTokens];
  const partners = strongestPartners(scene, focus, 3).flatMap(({index, weight}, position) => [
    position ? ', ' : ' ',
    create('bdi', 'name', other[index]),
    ` ${formatWeight(weight)}`,
  ]);
  return [
    create('bdi', 'name', own[focus.index]),
    ` ${given ? strings.view.attends : strings.view.receives}`,
    ...partners,
  ];
}
