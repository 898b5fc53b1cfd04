import {create} from './create-element.js';
import {formatDifference, formatPercent} from './number-format.js';
import {partnerName, tokenName} from './token-names.js';
import {strings} from '../../strings/index.js';

/** @import {TokenRef} from '../../attention/selection.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/** This mark stands between two items of a list; a line may end after it, but not before it. */
const mark = strings.text.comma.trimEnd();
const space = strings.text.comma.slice(mark.length);

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
    ' ',
    ...worthy.slice(0, named).flatMap(({index, weight}, position, {length}) => {
      const amount = format(weight);
      const told = given && position === 0 && !isDifference ? share(amount) : amount;
      const name = partnerName(snapshot, focus, index);
      return [
        `${told} ${given ? to : of} `,
        ...(position === length - 1 ? name : [create('span', 'item', ...name, mark), space]),
      ];
    }),
    worthy.length > named ? ' …' : '',
  ];
}
