import {attributes} from './attributes.js';
import {baseOf} from './drawing.js';
import {ofAllHeads} from './passes.js';
import {kindsOf} from './scope-views.js';
import {describeChange} from './lab/describe.js';
import {formatInterventions, parseInterventions} from './lab/intervention-fields.js';
import {changesOf, placed} from './lab/interventions.js';
import {measures} from '../views/readability.js';

/** @import {BertScope} from './bert-scope.js' */
/** @import {Interventions} from './lab/interventions.js' */
/** @import {Part, Pass} from './passes.js' */
/** @import {ViewData, ViewName} from './scope-views.js' */
/** @import {Shown} from '../export/dialog.js' */
/** @import {Attributes} from '../export/markup.js' */

const nothing = () => {};

/**
 * What an element shows, as the export dialog takes it.
 *
 * @param {BertScope} scope
 * @param {Pass} pass
 * @param {ViewData} data  as it is drawn
 * @param {string} ran  the model's name; empty: none was run
 * @returns {Shown}
 */
export function shownIn(scope, pass, data, ran) {
  const view = /** @type {ViewName} */ (scope.view);
  const display = kindsOf[view].reads?.(scope.display) ?? scope.display;
  // A file may say where it comes from.
  const {about, queryTokens} = pass.snapshot;
  const model = ran || (about?.model ?? '');
  const measure = pass.result
    ? display.measure
    : (measures.find((known) => known === about?.measure) ?? 'weight');
  const base = baseOf(pass, scope.filter, measure);
  const changed = pass.result
    ? placed(pass.origin.interventions, base)
    : parseInterventions(new URLSearchParams(about?.interventions));
  const interventions = addressOf(changed);
  const isOfAllHeads = ofAllHeads.includes(measure);
  const range = (/** @type {number} */ length) => Array.from({length}, (_, i) => i);
  const addresses = scope.permalink?.();
  const drawing = scope.renderRoot.querySelector('.view-stage');
  return {
    text: pass.text,
    changes: changesOf(changed).map((change) => describeChange(change, queryTokens)),
    interventions,
    model,
    measure,
    view,
    display,
    data,
    create: (next) =>
      kindsOf[view].create(next, {
        onPin: nothing,
        onSelect: nothing,
        onOpen: nothing,
        onClose: nothing,
      }),
    attributes: attributesOf(scope),
    element: scope,
    width: Math.max(480, Math.min(1200, drawing?.clientWidth ?? 900)),
    hasVectors: Boolean(base.vectors) && !isOfAllHeads,
    address: addresses?.page,
    frame: addresses?.frame,
    async fetch(extent) {
      const {layers = range(base.layers), heads = range(base.heads), vectors} = extent;
      const kinds = /** @type {Part['kind'][]} */ (
        vectors && base.vectors ? ['attention', 'queries', 'keys', 'values'] : ['attention']
      );
      await pass.fetch(
        layers.flatMap((layer) =>
          heads.flatMap((head) => kinds.map((kind) => ({kind, measure, layer, head}))),
        ),
      );
      const of = {text: pass.text, model, interventions, measure};
      if (!isOfAllHeads) return {...of, snapshot: base, extent};
      // All heads together are as one head of each layer.
      const attention = (/** @type {number} */ layer) => base.attention(layer, heads[0]);
      return {...of, snapshot: {...base, heads: 1, attention}, extent: {...extent, heads: [0]}};
    },
  };
}

/** As it is read: commas and points as they are. @param {Interventions} interventions */
function addressOf(interventions) {
  return Object.entries(formatInterventions(interventions))
    .map((field) => field.join('='))
    .join('&');
}

/** Of how it is used, not of what it shows. */
const ownMatter = new Set(['controls', 'loading', 'poster', 'statistic']);

/** @param {BertScope} scope @returns {Attributes} */
function attributesOf(scope) {
  /** @type {Attributes} */
  const found = {};
  for (const [property, declared] of Object.entries(attributes)) {
    const name = 'attribute' in declared ? declared.attribute : property.toLowerCase();
    if (typeof name !== 'string' || ownMatter.has(property)) continue;
    const isFlag = 'type' in declared && declared.type === Boolean;
    const value = scope.getAttribute(name);
    if (value) found[name] = value;
    else if (value === '' && isFlag) found[name] = true;
  }
  return found;
}
