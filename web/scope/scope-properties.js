import {LitElement} from 'lit';
import {attributes} from './attributes.js';
import {noInterventions} from '../attention/interventions.js';
import {measures} from '../attention/display.js';

/** @import {Choice} from './view-data.js' */
/** @import {BaselineOrigin, CompareMode} from './pass-origin.js' */
/** @import {Interventions} from '../attention/interventions.js' */
/** @import {ReaderChoice} from './reader-choice.js' */
/** @import {StatisticName} from '../attention/head-statistics.js' */
/** @import {Parts} from '../attention/import-attention.js' */
/** @import {Display, MeanLayers, Measure} from '../attention/display.js' */
/** @import {Filter, TokenRef} from '../attention/selection.js' */

/** Whether the reader's system asks for dark colours. */
export const darkScheme = matchMedia('(prefers-color-scheme: dark)');

/** What an author or a reader sets of `<bert-scope>`; `attributes` says how each is written. */
export class ScopeProperties extends LitElement {
  static properties = attributes;

  constructor() {
    super();
    /** A model (`.safetensors`) or a saved picture (`.json`, `.npz`); empty means the embedded model. */
    this.src = '';
    /** What the model reads; the element is live with one. */
    this.text = '';
    /** A second sentence. */
    this.textPair = '';
    /** Run without `[CLS]` and `[SEP]`. */
    this.noSpecialTokens = false;
    /** `head`, `model`, `neuron` or `matrix`. */
    this.view = 'head';
    /** Counted from 0. */
    this.layer = 0;
    /** @type {number[]} active heads; empty means all */
    this.heads = [];
    /** @type {Filter} which sentences look at which */
    this.filter = 'all';
    /** @type {'light' | 'dark' | 'auto'} auto: as the page is */
    this.theme = 'auto';
    /** @type {boolean | 'none'} none: the reader changes nothing, not even by keys */
    this.controls = false;
    /** @type {'lazy' | 'eager'} lazy: engine and model load when the element comes near the view */
    this.loading = 'lazy';
    /** A picture, or a saved snapshot (`.json`), until the model is there. */
    this.poster = '';
    /** The page that shows the same, and that page for a frame. @type {(() => {page: string, frame: string}) | null} */
    this.permalink = null;
    /** Said above the picture, and as an `error` event. */
    this.notice = '';
    /** Pieces of a word are one token. */
    this.words = false;
    /** @type {Display['special']} what becomes of special tokens */
    this.special = 'show';
    /** The share of each row that is kept, strongest weights first. */
    this.strongest = 1;
    /** @type {MeanLayers} whose weights are averaged; empty means the chosen layer alone */
    this.meanLayers = [];
    /** The matrix colours weights from 0 to 1, whatever the largest is. */
    this.fullScale = false;
    /** @type {Measure} what the picture's numbers say */
    this.measure = 'weight';
    /** @type {StatisticName} what colours the map of all heads */
    this.statistic = 'previous';
    /** In the model view, the first chosen head is shown large. */
    this.open = false;
    /** @type {number[]} the layers that the model view shows; empty means all */
    this.onlyLayers = [];
    /** @type {number[]} likewise its heads */
    this.onlyHeads = [];
    /** Large type, for a projector. */
    this.large = false;
    /** @type {TokenRef | null} the pinned token, counted before words are merged or tokens hidden */
    this.token = null;
    /** @type {Interventions} what is changed in the model */
    this.interventions = noInterventions;
    /** @type {CompareMode | ''} how the model as it is stands beside a changed one */
    this.contrast = '';
    /** @type {BaselineOrigin | null} where what the picture is compared with comes from */
    this.compare = null;
    /** @type {ReadonlyMap<string, Parts>} attention that a comparison may name, by its file */
    this.files = new Map();
  }

  /** @returns {Display} */
  get display() {
    const {words, meanLayers, fullScale} = this;
    const measure = measures.includes(this.measure) ? this.measure : 'weight';
    const special = ['hide', 'renormalise'].includes(this.special) ? this.special : 'show';
    return {
      words,
      special,
      strongest: Math.min(1, Math.max(0.05, this.strongest || 1)),
      meanLayers,
      fullScale,
      measure,
    };
  }

  /** @param {Partial<Display & {large: boolean}>} display */
  set display(display) {
    const {large, ...chosen} = {...this.display, large: this.large, ...display};
    for (const name of /** @type {(keyof Display)[]} */ (Object.keys(this.display))) {
      Object.assign(this, {[name]: chosen[name]});
    }
    this.large = large;
  }

  get isDark() {
    return this.theme === 'dark' || (this.theme !== 'light' && darkScheme.matches);
  }
}

/** Of the views but one. */
const noGrid = Object.freeze({isOpen: false, layers: [], heads: []});

/**
 * What the properties ask for, whether or not there is such a layer or head.
 *
 * @param {ScopeProperties} scope
 * @returns {Choice}
 */
export function choiceOf(scope) {
  const {layer, heads, filter, token, display, open, onlyLayers, onlyHeads} = scope;
  const isGrid = scope.view === 'model';
  const grid = isGrid ? {isOpen: open, layers: onlyLayers, heads: onlyHeads} : noGrid;
  return {layer, heads, filter, token, display, grid, dark: scope.isDark};
}

/**
 * Sets those that are given.
 *
 * @param {ScopeProperties} scope
 * @param {ReaderChoice & {display?: ReaderChoice}} values
 */
export function setGiven(scope, values) {
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) Object.assign(scope, {[name]: value});
  }
}
