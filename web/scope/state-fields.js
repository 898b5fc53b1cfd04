import {statisticNames} from '../attention/head-statistics.js';
import {measureNames} from '../attention/display.js';
import {filters} from '../attention/selection.js';
import {baseline, contrast} from './baseline-codec.js';
import {
  flag,
  index,
  indices,
  indicesOr,
  oneOf,
  pixels,
  share,
  anyText,
  tokenPlace,
  yes,
} from './codecs.js';
import {field, formatFields, initialOf, keyOf, withHyphens} from './field-table.js';
import {changeFields, textFields} from './origin-fields.js';
import {kindsOf} from '../views/view-kinds.js';

/** @import {Codec} from './codecs.js' */
/** @import {Field} from './field-table.js' */
/** @import {Display} from '../attention/display.js' */
/** @import {ViewName} from '../views/view-kinds.js' */

export const viewNames = /** @type {ViewName[]} */ (Object.keys(kindsOf));

/** Reads and writes `controls`; any value except `none` shows the controls. @type {Codec<boolean | 'none'>} */
const controls = {
  parse: (text) => (text === 'none' ? text : true),
  format: (value) => (value === 'none' ? value : flag.format(value)),
  expected: 'true, false, none',
  words: ['none'],
};

const tabs = oneOf(['', 'change', 'predict', 'grammar', 'why', 'heads']);

/**
 * The fields of a `<bert-scope>`'s state, in the order of an address. Its properties and attributes, addresses,
 * the history, saved pages and embed codes are all derived from this list.
 */
export const fields = {
  ...textFields,
  /** Whether the text is run without the tokens that the tokenizer adds, such as `[CLS]` and `[SEP]`. */
  noSpecialTokens: field(false, flag, {role: 'source'}),
  /** The view: `head`, `model`, `neuron` or `matrix`. */
  view: field('head', oneOf(viewNames)),
  /** The chosen layer, counted from 0. */
  layer: field(0, index, {counts: 'layers'}),
  /** The chosen heads, counted from 0, such as `0.4.7`; empty means all. */
  heads: field([], indices, {counts: 'heads'}),
  /**
   * The part of the attention that is shown: `all`; for a pair, `ab` for queries of the first sentence and keys of
   * the second, and `aa`, `bb`, `ba` alike; for an encoder-decoder model, `encoder`, `decoder` or `cross`.
   */
  filter: field('all', oneOf([...filters, 'encoder', 'decoder', 'cross'])),
  /** The pinned token, such as `q3`, the query of token 3, or `k3`, its key; counted before words are merged and tokens are hidden. */
  token: field(null, tokenPlace),
  /** Whether the pieces of a word are merged; weights are summed over keys and averaged over queries. */
  words: field(false, flag, {leavesChoice: true}),
  /** Whether special tokens are shown (`show`), hidden (`hide`), or hidden with rows that sum to 1 (`renormalise`). */
  special: field('show', oneOf(['show', 'hide', 'renormalise']), {leavesChoice: true}),
  /** The share of each row that is kept: `0.9` keeps the strongest weights that make up 90 %, `1` keeps all. */
  strongest: field(1, share, {key: 'keep'}),
  /** Whether the colours of the matrix view always range from 0 to 1, and not to the largest weight. */
  fullScale: field(false, flag, {key: 'scale', inAddress: yes('full')}),
  /** The layers whose weights are averaged, such as `0.4.7` or `all`; an empty list means the chosen layer alone. */
  meanLayers: field([], indicesOr('all'), {
    key: 'layers',
    inAddress: indicesOr('mean'),
    counts: 'layers',
  }),
  /** The measure that the picture shows: `weight`, `norm`, `rollout` or `flow`. */
  measure: field('weight', oneOf(measureNames), {role: 'source'}),
  /** The statistic that colours the map of all heads; `word`: what answers the word, else the first statistic. */
  statistic: field('word', oneOf(['word', ...statisticNames]), {
    key: 'colour',
    role: 'page',
    leavesChoice: true,
  }),
  /** Whether the model view shows the first chosen head large. */
  open: field(false, flag),
  /** The layers that the model view shows; empty means all. */
  onlyLayers: field([], indices, {counts: 'layers'}),
  /** The heads that the model view shows; empty means all. */
  onlyHeads: field([], indices, {counts: 'heads'}),
  ...changeFields,
  /**
   * The baseline that the picture is compared with: `mode=side&text=fruit+flies` shows it beside the picture,
   * `mode=difference&…` subtracts it. With a mode alone, the baseline is the unchanged model; `contrast="side"` is
   * short for that.
   */
  compare: field(null, baseline, {
    prefix: 'compare-',
    alias: {name: 'contrast', codec: contrast},
    role: 'source',
  }),
  /** The open tab of the workbench; empty if none is open. */
  workbench: field('', tabs, {
    attribute: false,
    alias: {name: 'lab', codec: tabs},
    leavesChoice: true,
  }),
  /** The method by which the workbench explains an answer, such as `alti`; empty means the usual one. */
  method: field('', anyText, {attribute: false, role: 'page', leavesChoice: true}),
  /** The word or class that the workbench explains; empty means the likeliest. */
  answer: field('', anyText, {attribute: false, role: 'page', leavesChoice: true}),
  /** The grammatical relation whose best head the workbench shows, such as `nsubj`; empty for none. */
  relation: field('', anyText, {attribute: false, role: 'page', leavesChoice: true}),
  /** The pairs of words that the workbench has measured: a row for each, of its sentence and the two words, with tabs between. */
  pairs: field('', anyText, {attribute: false, role: 'page', leavesChoice: true}),
  /**
   * What stands beside the picture of bertscope's own page: one of its panels, such as `numbers`, everything at once
   * (`all`), or nothing. Other pages always have everything.
   */
  panel: field('', anyText, {attribute: false, leavesChoice: true}),
  /** Whether bertscope's own page presents the picture to an audience, with its headline and little else. */
  present: field(false, flag, {attribute: false, role: 'page', leavesChoice: true}),
  /** Whether the type is large, for a projector. */
  large: field(false, flag, {leavesChoice: true}),
  /** The height in CSS pixels that the rows of the picture share; 0 leaves each as high as usual. */
  height: field(0, pixels, {leavesChoice: true}),
  /** The colours: `light`, `dark`, or `auto`, which is as the page around the element is. */
  theme: field('auto', oneOf(['auto', 'light', 'dark']), {leavesChoice: true}),
  /** Whether the element has controls. `none` locks the picture: the reader cannot change it, not even with keys. */
  controls: field(false, controls, {key: false, role: 'page'}),
  /** Whether an element without controls has its sentence as a field that the reader can change, with the headline. */
  editable: field(false, flag, {key: false, role: 'page'}),
  /** When engine and model load: `lazy` waits until the reader scrolls near the element, `eager` does not wait. */
  loading: field('lazy', oneOf(['lazy', 'eager']), {key: false, role: 'page'}),
  /** The address of an image or a saved picture (`.json`, `.npz`) that is shown until the model is ready. */
  poster: field('', anyText, {key: false, role: 'page'}),
};

/** @typedef {{[Name in keyof typeof fields]: (typeof fields)[Name]['initial']}} State  the value of each field */
/** @typedef {keyof State} FieldName */

const table = /** @type {Record<FieldName, Field<any>>} */ (fields);
export const fieldNames = /** @type {FieldName[]} */ (Object.keys(fields));

export const initialState = initialOf(fields);

/** The fields that an address can have. */
export const addressFields = /** @type {typeof fields} */ (
  Object.fromEntries(Object.entries(table).filter(([, {key}]) => key !== false))
);

/** The keys of the fields that choose nothing of a text. */
export const openKeys = Object.entries(addressFields)
  .filter(([, {leavesChoice}]) => leavesChoice)
  .map(([name, each]) => keyOf(name, each));

/** @param {FieldName} name @returns {string | false} */
export const attributeOf = (name) => table[name].attribute ?? withHyphens(name);

/** The attributes that say how a picture is shown, and not what it is made from. */
export const viewAttributes = fieldNames.flatMap((name) =>
  table[name].role ? [] : attributeOf(name) || [],
);

/** The fields that say how a snapshot is made readable. @type {readonly (keyof Display)[]} */
const displayNames = ['words', 'special', 'strongest', 'fullScale', 'meanLayers', 'measure'];

/** @param {State} state */
export const formatAddress = (state) =>
  `#${new URLSearchParams(formatFields(addressFields, state, ['text', 'view', 'layer']))}`;

/** Returns how the snapshot of a picture is made readable. @param {State} state @returns {Display} */
export const displayOf = (state) =>
  /** @type {any} */ (Object.fromEntries(displayNames.map((name) => [name, state[name]])));
