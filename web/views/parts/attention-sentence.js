import {formatDifference, formatPercent} from './number-format.js';
import {partnerName, tokenName} from './token-names.js';
import {strings} from '../../strings/index.js';

/** @import {TokenRef} from '../../attention/selection.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/** The largest number of partners that a sentence names. */
const named = 4;

/** A share below this is not named, unless it is the largest. */
const least = 0.01;

/**
 * Writes a sentence that says what the picture shows of a token, or without a token how to point at one.
 *
 * @param {Snapshot} snapshot
 * @param {TokenRef | null} focus
 * @param {{index: number, weight: number}[]} partners  the tokens on the other side, strongest first
 * @returns {(Node | string)[]}
 */
export function readingLine(snapshot, focus, partners) {
  if (!focus) {
    const touch = matchMedia('(hover: none)').matches;
    return [touch ? strings.view.touchHint : strings.view.hint];
  }
  const given = focus.side === 'query';
  const {isDifference} = snapshot;
  const {attends, share, to, receives, of} = strings.view;
  const format = isDifference ? formatDifference : formatPercent;
  const worthy = isDifference
    ? partners
    : partners.filter(({weight}, position) => position === 0 || weight >= least);
  return [
    ...tokenName(snapshot, focus.side, focus.index),
    ` ${given ? attends : receives}`,
    ...worthy.slice(0, named).flatMap(({index, weight}, position) => {
      const isFirst = position === 0;
      const amount = format(weight);
      const told = given && isFirst && !isDifference ? share(amount) : amount;
      return [
        `${isFirst ? ' ' : strings.text.comma}${told} ${given ? to : of} `,
        ...partnerName(snapshot, focus, index),
      ];
    }),
    worthy.length > named ? ' …' : '',
  ];
}
