import {strings} from '../strings/index.js';
import {statisticNames} from '../attention/head-statistics.js';
import {measures} from '../attention/display.js';
import {filters} from '../attention/selection.js';
import {flag, index, indices, indicesOr, oneOf, share, anyText, tokenPlace, yes} from './codecs.js';
import {
  formatInterventions,
  parseInterventions,
  readInterventions,
} from '../attention/intervention-fields.js';
import {noInterventions} from '../attention/interventions.js';

/** @import {PropertyDeclaration} from 'lit' */
/** @import {Codec} from './codecs.js' */
/** @import {BaselineOrigin} from './pass-origin.js' */
/** @import {Interventions} from '../attention/interventions.js' */
/** @import {StatisticName} from '../attention/head-statistics.js' */
/** @import {Display, Measure} from '../attention/display.js' */
/** @import {ViewName} from '../views/view-kinds.js' */

/** @type {readonly ViewName[]} */
export const viewNames = ['head', 'model', 'neuron', 'matrix'];

/** @type {Codec<Interventions>} */
const changes = {
  parse: (text) => parseInterventions(new URLSearchParams(text)),
  format: (interventions) =>
    new URLSearchParams(formatInterventions(interventions)).toString() || null,
  expected: 'off=3.1&causal=1',
  unread: (text) => readInterventions(new URLSearchParams(text)).unread.join(', '),
};

const compareModes = oneOf(['side', 'difference']);

/** @type {Codec<BaselineOrigin | null>} */
const baseline = {
  parse(text) {
    if (!text) return null;
    const parameters = new URLSearchParams(text);
    const mode = compareModes.parse(parameters.get('mode') ?? '');
    return mode && {...parseFields(originNames, parameters, initialState), mode};
  },
  format: (origin) =>
    origin &&
    `${new URLSearchParams([['mode', origin.mode], ...formatFields(originNames, origin)])}`,
  expected: 'mode=side&text=…, mode=difference&model=…',
};

/** The mode of a comparison with the model as it is. @type {Codec<BaselineOrigin | null>} */
export const contrast = {
  parse: (text) =>
    text && !compareModes.parse(text) ? undefined : baseline.parse(text && `mode=${text}`),
  format: (origin) =>
    origin && baseline.format(origin) === `mode=${origin.mode}` ? origin.mode : null,
  expected: compareModes.expected,
};

/** `controls="none"` locks the picture. @type {Codec<boolean | 'none'>} */
const controls = {
  parse: (text) => (text === 'none' ? text : true),
  format: (value) => (value === 'none' ? value : flag.format(value)),
};

const tabs = oneOf(['', 'change', 'predict', 'heads']);

/**
 * @template T
 * @typedef {object} Field
 * @property {T} initial
 * @property {Codec<T>} codec
 * @property {false} [attribute]  `<bert-scope>` has no attribute for it; by default, the name with hyphens
 * @property {string | false} [key]  in an address; by default, the name with hyphens
 * @property {{name: string, codec: Codec<T>}} [alias]  another key in an address and, for a field that has an
 *   attribute, another attribute
 * @property {string} [prefix]  in an address, of keys of its own: its text is such keys with their values
 * @property {Codec<T>} [inAddress]  by default, that of the codec
 * @property {'layers' | 'heads'} [counts]  numbers that a model may not have
 * @property {'source' | 'view' | 'page'} [role]  source: the numbers depend on it; page: nothing in the picture
 *   does; view, by default: how the numbers are shown
 * @property {(text: string) => string} [problem]  the sentence about an attribute that is not understood
 */

/**
 * @template T
 * @param {T} initial
 * @param {Codec<T>} codec
 * @param {Omit<Field<T>, 'initial' | 'codec'>} [names]
 * @returns {Field<T>}
 */
const field = (initial, codec, names) => ({initial, codec, ...names});

/**
 * The state of a `<bert-scope>`, field by field, in the order of an address. Properties, attributes,
 * addresses, the history and what is written into saved pages and embed codes all follow from this.
 */
export const fields = {
  /** What the model reads; the element is live with one. */
  text: field('', anyText, {role: 'source'}),
  /** A second sentence. */
  textPair: field('', anyText, {key: 'pair', role: 'source'}),
  /** A model (`.safetensors`) or a saved picture (`.json`, `.npz`); empty means the embedded model. */
  src: field('', anyText, {key: 'model', role: 'source'}),
  /** Run without `[CLS]` and `[SEP]`. */
  noSpecialTokens: field(false, flag, {key: false, role: 'source'}),
  /** `head`, `model`, `neuron` or `matrix`. */
  view: field('head', oneOf(viewNames), {problem: strings.scope.unknownView}),
  /** Counted from 0. */
  layer: field(0, index, {counts: 'layers'}),
  /** The active heads; empty means all. */
  heads: field([], indices, {counts: 'heads'}),
  /** Which sentences look at which, or which part of an encoder-decoder model is shown. */
  filter: field('all', oneOf([...filters, 'encoder', 'decoder', 'cross'])),
  /** The pinned token, counted before words are merged or tokens hidden. */
  token: field(null, tokenPlace, {attribute: false}),
  /** Pieces of a word are one token. */
  words: field(false, flag),
  /** What becomes of special tokens. */
  special: field('show', oneOf(['show', 'hide', 'renormalise'])),
  /** The share of each row that is kept, strongest weights first. */
  strongest: field(1, share, {key: 'keep'}),
  /** The matrix colours weights from 0 to 1, whatever the largest is. */
  fullScale: field(false, flag, {key: 'scale', inAddress: yes('full')}),
  /** The layers whose weights are averaged; empty means the chosen layer alone. */
  meanLayers: field([], indicesOr('all'), {
    key: 'layers',
    inAddress: indicesOr('mean'),
    counts: 'layers',
  }),
  /** What the numbers of the picture say. */
  measure: field('weight', oneOf(measures), {role: 'source'}),
  /** What colours the map of all heads. */
  statistic: field('previous', oneOf(statisticNames), {key: 'colour', role: 'page'}),
  /** In the model view, the first chosen head is shown large. */
  open: field(false, flag),
  /** The layers that the model view shows; empty means all. */
  onlyLayers: field([], indices, {counts: 'layers'}),
  /** The heads that the model view shows; empty means all. */
  onlyHeads: field([], indices, {counts: 'heads'}),
  /** The name of one of `files`, whose attention is shown in place of the text's. */
  file: field('', anyText, {attribute: false}),
  /** What is changed in the model: `off=3.1&causal=1`. */
  interventions: field(noInterventions, changes, {prefix: '', role: 'source'}),
  /**
   * What the picture is compared with: `mode=side&text=fruit+flies`. With a mode alone, a changed model is
   * compared with the model as it is, for which `contrast="side"` is short.
   */
  compare: field(null, baseline, {
    prefix: 'compare-',
    alias: {name: 'contrast', codec: contrast},
    role: 'source',
  }),
  /** The tab of the workbench that is open; empty: none. */
  workbench: field('', tabs, {
    attribute: false,
    alias: {name: 'lab', codec: tabs},
  }),
  /** Large type, for a projector. */
  large: field(false, flag),
  /** `light`, `dark` or `auto`: as the page is. */
  theme: field('auto', oneOf(['auto', 'light', 'dark'])),
  /** `none`: the reader changes nothing, not even by keys. */
  controls: field(false, controls, {key: false, role: 'page'}),
  /** `lazy`: engine and model load when the element comes near the view; or `eager`. */
  loading: field('lazy', oneOf(['lazy', 'eager']), {key: false, role: 'page'}),
  /** A picture, or a saved snapshot (`.json`), until the model is there. */
  poster: field('', anyText, {key: false, role: 'page'}),
};

/** @typedef {{[Name in keyof typeof fields]: (typeof fields)[Name]['initial']}} State */
/** @typedef {keyof State} FieldName */

const table = /** @type {Record<FieldName, Field<any>>} */ (fields);
const names = /** @type {FieldName[]} */ (Object.keys(fields));

export const initialState = /** @type {Readonly<State>} */ (
  Object.fromEntries(names.map((name) => [name, table[name].initial]))
);

/** What an address has. */
export const addressNames = names.filter((name) => table[name].key !== false);

/** What leads to a picture, so that it can be made again. */
export const originNames = /** @type {const} */ ([
  'text',
  'textPair',
  'src',
  'file',
  'interventions',
]);

/** @param {string} name */
const withHyphens = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** @param {FieldName} name */
const keyOf = (name) => table[name].key || withHyphens(name);

/** @param {FieldName} name @returns {string | false} */
export const attributeOf = (name) => table[name].attribute ?? withHyphens(name);

/** How a picture is read. @type {readonly (keyof Display)[]} */
const displayNames = ['words', 'special', 'strongest', 'fullScale', 'meanLayers', 'measure'];

/**
 * @template T
 * @param {Codec<T>} codec
 * @param {string | null} text  null: there is none
 * @param {T} otherwise
 */
const read = (codec, text, otherwise) =>
  (text === null ? undefined : codec.parse(text)) ?? otherwise;

/**
 * Fields as they can be used: a script may have set a property to anything.
 *
 * @template {FieldName} N
 * @param {readonly N[]} wanted
 * @param {State} state
 * @returns {Pick<State, N>}
 */
export function usable(wanted, state) {
  const value = (/** @type {N} */ name) => {
    const {initial, codec} = table[name];
    return read(codec, codec.format(state[name]), initial);
  };
  return /** @type {any} */ (Object.fromEntries(wanted.map((name) => [name, value(name)])));
}

/**
 * Reads fields from the parameters of an address. What is missing or not understood is as in `base`.
 *
 * @template {FieldName} N
 * @param {readonly N[]} wanted
 * @param {URLSearchParams} parameters
 * @param {Readonly<State>} base
 * @returns {Pick<State, N>}
 */
export function parseFields(wanted, parameters, base) {
  const value = (/** @type {N} */ name) => {
    const {codec, inAddress = codec.inAddress ?? codec, alias, prefix} = table[name];
    const text =
      prefix === undefined
        ? parameters.get(keyOf(name))
        : `${new URLSearchParams(
            [...parameters]
              .filter(([key]) => key.startsWith(prefix))
              .map(([key, part]) => [key.slice(prefix.length), part]),
          )}`;
    return text || !alias
      ? read(inAddress, text, base[name])
      : read(alias.codec, parameters.get(alias.name), base[name]);
  };
  return /** @type {any} */ (Object.fromEntries(wanted.map((name) => [name, value(name)])));
}

/**
 * The parameters of an address that say what is not as usual.
 *
 * @template {FieldName} N
 * @param {readonly N[]} wanted
 * @param {Pick<State, N>} state
 * @param {readonly FieldName[]} [always]  written even if it is as usual
 * @returns {string[][]}
 */
export function formatFields(wanted, state, always = []) {
  return wanted.flatMap((name) => {
    const {initial, codec, inAddress = codec.inAddress ?? codec, prefix} = table[name];
    const text = inAddress.format(state[name]);
    if (text === inAddress.format(initial) && !always.includes(name)) return [];
    if (prefix === undefined) return [[keyOf(name), text ?? '']];
    return [...new URLSearchParams(text ?? '')].map(([key, value]) => [prefix + key, value]);
  });
}

/**
 * The reactive properties of `<bert-scope>`. Each is reflected by its attribute; an attribute that is not
 * understood stays as its author wrote it, and the property has its initial value.
 */
export const properties = /** @type {Record<FieldName, PropertyDeclaration>} */ (
  Object.fromEntries(
    names.map((name) => {
      const {initial, codec} = table[name];
      const attribute = attributeOf(name);
      // A pin that is set again is a new one: it came with a new text.
      if (!attribute) return [name, {attribute}];
      return [
        name,
        {
          attribute,
          reflect: true,
          converter: {
            fromAttribute: (/** @type {string | null} */ text) => read(codec, text, initial),
            toAttribute: codec.format,
          },
          hasChanged: (/** @type {unknown} */ value, /** @type {unknown} */ before = initial) =>
            codec.format(value) !== codec.format(before),
        },
      ];
    }),
  )
);

/**
 * The first attribute of an element that is not understood, as a sentence.
 *
 * @param {Element} element
 * @returns {string}  empty when there is none
 */
export function attributeProblem(element) {
  for (const name of names) {
    const {codec, alias, problem} = table[name];
    const attribute = attributeOf(name);
    if (!attribute) continue;
    for (const each of [{name: attribute, codec}, ...(alias ? [alias] : [])]) {
      const {parse, unread, expected = ''} = each.codec;
      const text = element.getAttribute(each.name);
      if (text === null) continue;
      const isUnread = parse(text) === undefined;
      const found = isUnread ? text : (unread?.(text) ?? '');
      if (!isUnread && !found) continue;
      return problem?.(found) ?? strings.scope.badAttribute(each.name, expected, found);
    }
  }
  return '';
}

/** How the numbers of a picture are read. @param {State} state @returns {Display} */
export const displayOf = (state) => usable(displayNames, state);
