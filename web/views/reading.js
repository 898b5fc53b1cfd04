import {create} from './dom.js';
import {formatDifference, formatPercent} from './formats.js';
import {strings} from '../strings/index.js';

/** @import {TokenRef} from './selection.js' */
/** @import {Snapshot} from './snapshot.js' */

/** How many partners a sentence names. */
const named = 4;

/** A smaller share is not named, unless it is the largest. */
const least = 0.01;

/**
 * One sentence that says what the picture shows of a token, or how to look at one.
 *
 * @param {Snapshot} snapshot
 * @param {TokenRef | null} focus
 * @param {{index: number, weight: number}[]} partners  on the other side, strongest first
 * @returns {(Node | string)[]}
 */
export function readingLine({queryTokens, keyTokens, isDifference}, focus, partners) {
  if (!focus) {
    const touch = matchMedia('(hover: none)').matches;
    return [touch ? strings.view.touchHint : strings.view.hint];
  }
  const given = focus.side === 'query';
  const [own, other] = given ? [queryTokens, keyTokens] : [keyTokens, queryTokens];
  const {attends, to, receives, of} = strings.view;
  const format = isDifference ? formatDifference : formatPercent;
  const worthy = isDifference
    ? partners
    : partners.filter(({weight}, position) => position === 0 || weight >= least);
  return [
    create('bdi', 'name', own[focus.index]),
    ` ${given ? attends : receives}`,
    ...worthy
      .slice(0, named)
      .flatMap(({index, weight}, position) => [
        `${position ? ',' : ''} ${format(weight)} ${given ? to : of} `,
        create('bdi', 'name', other[index]),
      ]),
    worthy.length > named ? ' …' : '',
  ];
}
