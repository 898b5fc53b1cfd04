/** @import {MeanLayers} from '../views/readability.js' */

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

/** @param {unknown} a @param {unknown} b */
const differ = (a, b) => String(a) !== String(b);

/** Of `<bert-scope>`. Each is reflected by a property of the same name in camel case. */
export const attributes = {
  src: {reflect: true},
  text: {reflect: true},
  textPair: {attribute: 'text-pair', reflect: true},
  view: {reflect: true},
  layer: {type: Number, reflect: true},
  heads: {
    converter: headList,
    reflect: true,
    hasChanged: differ,
  },
  filter: {reflect: true},
  theme: {reflect: true},
  controls: {type: Boolean, reflect: true},
  words: {type: Boolean, reflect: true},
  special: {reflect: true},
  strongest: {type: Number, reflect: true},
  meanLayers: {
    attribute: 'mean-layers',
    converter: layerList,
    reflect: true,
    hasChanged: differ,
  },
  statistic: {reflect: true},
  large: {type: Boolean, reflect: true},
  token: {attribute: false},
};
