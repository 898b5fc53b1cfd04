import {liveStrings} from '../strings/live.js';
import {create} from '../views/parts/create-element.js';
import style from './text-fields.css?inline';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {WidgetModel} from './host.d.ts' */

const words = liveStrings.notebook;

/**
 * The fields for the texts that a live widget reads.
 *
 * @param {BertScope} scope
 * @param {WidgetModel} model
 */
export function textFields(scope, model) {
  const rows = [
    field(words.sentence, 'text', 'text', scope, model),
    field(words.secondSentence, 'textPair', 'text_pair', scope, model),
  ];
  return create('div', 'bertscope-texts', create('style', '', style), ...rows);
}

/**
 * @param {string} label
 * @param {'text' | 'textPair'} property
 * @param {'text' | 'text_pair'} trait
 * @param {BertScope} scope
 * @param {WidgetModel} model
 */
function field(label, property, trait, scope, model) {
  const area = create('textarea');
  area.rows = 1;
  area.dir = 'auto';
  area.spellcheck = false;
  area.value = model.get(trait);
  area.addEventListener('input', () => {
    scope[property] = area.value;
    model.set(trait, area.value);
    model.save_changes();
  });
  model.on(`change:${trait}`, () => {
    const text = model.get(trait);
    // Writing the same text would move the cursor.
    if (area.value !== text) area.value = text;
  });
  return create('label', '', create('span', '', label), area);
}
