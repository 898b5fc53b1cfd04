import {strings} from '../strings/index.js';

/** @import {Shown} from './dialog.js' */

const {publish: words, display: aids, analysis, controls} = strings;

/**
 * What stands below a picture: the text, and everything that its numbers depend on.
 *
 * @param {Shown} shown
 * @returns {string[]}  lines
 */
export function captionOf(shown) {
  const {text, model, changes, measure} = shown;
  const remarks = [
    model,
    ...changes,
    measure === 'weight' ? '' : analysis.measures[measure].name,
    ...placesOf(shown),
    ...aidsOf(shown),
    words.direction,
  ];
  return [text, remarks.filter(Boolean).join(' · ')];
}

/** Which heads, and what is made of several. @param {Shown} shown */
function placesOf({view, data, display}) {
  const {layer, heads, filter} = data.selection;
  const part = filter === 'all' ? [] : [controls.filterHelp[filter]];
  if (view === 'model' && !data.grid.isOpen) {
    return [words.grid(data.grid.layers, data.grid.heads), ...part];
  }
  const isOne = view === 'model' || view === 'neuron' || heads.length === 1;
  const shown = isOne ? heads.slice(0, 1) : heads;
  const {meanLayers} = display;
  const where = meanLayers.length
    ? words.meanOfLayers(meanLayers, shown)
    : words.where(layer, shown);
  return [where, isOne ? '' : words.meanOfHeads, ...part];
}

/** Reading aids that change numbers. @param {Shown} shown */
function aidsOf({display: {words: isOfWords, special, strongest}}) {
  return [
    isOfWords ? aids.words : '',
    special === 'show' ? '' : `${aids.special}: ${aids.specialChoices[special]}`,
    strongest < 1 ? aids.strongest(Math.round(strongest * 100)) : '',
  ];
}
