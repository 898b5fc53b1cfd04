import {formatInterventions, parseInterventions} from '../attention/intervention-fields.js';
import {formatBaseline, parseBaseline} from './pass-origin.js';

/** @import {Interventions} from '../attention/interventions.js' */
/** @import {BaselineOrigin} from './pass-origin.js' */
/** @import {MeanLayers} from '../attention/display.js' */

/** `heads="0.4"`: the active heads; empty means all. */
const headList = {
  /** @param {string | null} value */
  fromAttribute: (value) => (value ? value.split('.').map(Number).filter(Number.isInteger) : []),
  /** @param {number[]} heads */
  toAttribute: (heads) => (heads.length ? heads.join('.') : null),
};

/** `mean-layers="0.4"`, or `all`. */
const layerList = {
  /** @param {string | null} value */
  fromAttribute: (value) =>
    value === '' || value === 'all' ? 'all' : headList.fromAttribute(value),
  /** @param {MeanLayers} layers */
  toAttribute: (layers) => (layers === 'all' ? 'all' : headList.toAttribute([...layers])),
};

/** `interventions="off=3.1&causal=1"`, as in an address of the page. */
const interventionFields = {
  /** @param {string | null} value */
  fromAttribute: (value) => parseInterventions(new URLSearchParams(value ?? '')),
  /** @param {Interventions} interventions */
  toAttribute: (interventions) =>
    new URLSearchParams(formatInterventions(interventions)).toString() || null,
};

/** `compare="mode=side&text=fruit+flies"`: another text, `pair`, `model` or changed model. */
const baselineFields = {
  /** @param {string | null} value */
  fromAttribute: (value) => parseBaseline(new URLSearchParams(value ?? '')),
  /** @param {BaselineOrigin | null} baseline */
  toAttribute: (baseline) => new URLSearchParams(formatBaseline(baseline)).toString() || null,
};

/** @param {unknown} a @param {unknown} b */
const differ = (a, b) => String(a) !== String(b);

/** `controls` has them, `controls="none"` locks the picture: it can be read, not changed. */
const controlsConverter = {
  /** @param {string | null} value */
  fromAttribute: (value) => (value === 'none' ? 'none' : value !== null),
  /** @param {boolean | 'none'} controls */
  toAttribute: (controls) => (controls === 'none' ? 'none' : controls ? '' : null),
};

/**
 * Of `<bert-scope>`. Each is reflected by a property of the same name in camel case. `useDefault`
 * leaves what an author wrote in place where it could not be understood.
 */
export const attributes = {
  src: {reflect: true},
  text: {reflect: true},
  textPair: {attribute: 'text-pair', reflect: true},
  noSpecialTokens: {type: Boolean, attribute: 'no-special-tokens', reflect: true},
  view: {reflect: true},
  layer: {type: Number, reflect: true, useDefault: true},
  heads: {
    converter: headList,
    reflect: true,
    useDefault: true,
    hasChanged: differ,
  },
  filter: {reflect: true},
  theme: {reflect: true},
  controls: {converter: controlsConverter, reflect: true},
  loading: {reflect: true},
  poster: {reflect: true},
  words: {type: Boolean, reflect: true},
  special: {reflect: true},
  strongest: {type: Number, reflect: true, useDefault: true},
  meanLayers: {
    attribute: 'mean-layers',
    converter: layerList,
    reflect: true,
    hasChanged: differ,
  },
  fullScale: {type: Boolean, attribute: 'full-scale', reflect: true},
  statistic: {reflect: true},
  open: {type: Boolean, reflect: true},
  onlyLayers: {
    attribute: 'only-layers',
    converter: headList,
    reflect: true,
    hasChanged: differ,
  },
  onlyHeads: {attribute: 'only-heads', converter: headList, reflect: true, hasChanged: differ},
  large: {type: Boolean, reflect: true},
  measure: {reflect: true},
  token: {attribute: false},
  interventions: {converter: interventionFields, reflect: true},
  contrast: {reflect: true},
  compare: {
    converter: baselineFields,
    reflect: true,
    /** @param {BaselineOrigin | null} a @param {BaselineOrigin | null} b */
    hasChanged: (a, b) => baselineFields.toAttribute(a) !== baselineFields.toAttribute(b),
  },
  files: {attribute: false},
  notice: {attribute: false},
};
