import {attributeOf, fields} from '../scope/state-fields.js';
import {traits} from './traits.js';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {Field} from '../scope/field-table.js' */
/** @import {WidgetModel} from './host.d.ts' */
/** @import {Trait} from './traits.js' */

/** @param {Trait} trait */
const codecOf = ({field}) => /** @type {Field<any>} */ (fields[field]).codec;

/** The value of a field as Python has it. @param {BertScope} scope @param {Trait} trait */
function valueIn(scope, trait) {
  const value = scope[trait.field];
  return trait.isWritten ? (codecOf(trait).format(value) ?? '') : value;
}

/**
 * Gives a field the value that Python has. The text of a value with parts becomes an attribute, so that the element says
 * what it does not understand.
 *
 * @param {BertScope} scope
 * @param {Trait} trait
 * @param {any} value
 */
function write(scope, trait, value) {
  if (isSame(valueIn(scope, trait), value)) return;
  if (!trait.isWritten) Object.assign(scope, {[trait.field]: value});
  else if (value) scope.setAttribute(String(attributeOf(trait.field)), String(value));
  else scope.removeAttribute(String(attributeOf(trait.field)));
}

/**
 * Keeps the fields of an element and the traits in Python equal, and tells Python the selection.
 *
 * @param {BertScope} scope
 * @param {WidgetModel} model
 */
export function syncFields(scope, model) {
  for (const trait of traits) {
    write(scope, trait, model.get(trait.name));
    model.on(`change:${trait.name}`, () => write(scope, trait, model.get(trait.name)));
  }
  model.on('change:selection', () => {
    const wanted = model.get('selection');
    if (!isSame(wanted, scope.selection)) scope.selection = wanted;
  });
  const tell = () => {
    const values = [
      ...traits.map((trait) => /** @type {const} */ ([trait.name, valueIn(scope, trait)])),
      /** @type {const} */ (['selection', scope.selection]),
    ];
    const changed = values.filter(([name, value]) => !isSame(model.get(name), value));
    if (!changed.length) return;
    for (const [name, value] of changed) model.set(name, value);
    model.save_changes();
  };
  scope.addEventListener('change', tell);
  // The first picture says which layers and heads there are.
  scope.addEventListener('result', tell);
}

/** @param {unknown} a @param {unknown} b  values of JSON */
const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);
