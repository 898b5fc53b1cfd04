import {html, nothing} from 'lit';
import {measureNames} from '../attention/display.js';
import {measures} from '../engine/measures.js';
import {select} from '../controls/fields.js';
import {strings} from '../strings/index.js';
import {liveStrings} from '../strings/live.js';

/** @import {Display} from '../attention/display.js' */

const {analysis: words} = liveStrings;

/**
 * The choice of the measure, with a sentence about what it shows and what it does not.
 *
 * @param {Display} display
 * @param {(changed: Partial<Display>) => void} choose
 */
export function measureChoice({measure}, choose) {
  const {shows, caution} = words.measures[measure];
  const names = Object.fromEntries(measureNames.map((each) => [each, words.measures[each].name]));
  return html`${select(words.measure, names, measure, (chosen) => choose({measure: chosen}))}
  ${
    measure === 'weight'
      ? nothing
      : html`<small
          >${strings.text.sentences([shows, caution, ...(measures[measure].drawnAsShares ? [words.normalised] : [])])}</small
        >`
  }`;
}
