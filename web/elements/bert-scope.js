import {LitElement, html, nothing, unsafeCSS} from 'lit';
import {headView} from '../views/head-view.js';
import {activeHeads, filters, isolateHead, toggleHead} from '../views/selection.js';
import {strings} from '../strings.js';
import headViewStyle from '../views/head-view.css?inline';
import scopeStyle from './bert-scope.css?inline';
import tokenStyle from './tokens.css?inline';
import {defaultModel} from './default-model.js';
import {sharedModel} from './model-pool.js';
import {LivePass, loadFrozenPass} from './passes.js';
import {scopeControls} from './scope-controls.js';
import {failureMessage, failureText, progressMessage} from './scope-messages.js';

/** @import {PropertyValues} from 'lit' */
/** @import {Model, Progress} from './model-pool.js' */
/** @import {Pass} from './passes.js' */
/** @import {Filter, Selection, TokenRef} from '../views/selection.js' */

const darkScheme = matchMedia('(prefers-color-scheme: dark)');

/** `heads="0.4"`: the active heads; empty means all. */
const headList = {
  /** @param {string | null} value */
  fromAttribute: (value) => (value ? value.split('.').map(Number).filter(Number.isInteger) : []),
  /** @param {number[]} heads */
  toAttribute: (heads) => (heads.length ? heads.join('.') : null),
};

/**
 * `<bert-scope>`: attention of one text through one model.
 *
 * @fires ready  the model is loaded; detail `{engine, model, bytes}`
 * @fires result  a new text is drawn; detail is the engine's result
 * @fires error  detail is the Error
 * @fires selection  the reader chose a layer, heads, a filter or a token; detail is the selection
 */
export class BertScope extends LitElement {
  static properties = {
    src: {reflect: true},
    text: {reflect: true},
    textPair: {attribute: 'text-pair', reflect: true},
    view: {reflect: true},
    layer: {type: Number, reflect: true},
    heads: {
      converter: headList,
      reflect: true,
      hasChanged: (/** @type {number[]} */ a, /** @type {number[]} */ b) => String(a) !== String(b),
    },
    filter: {reflect: true},
    theme: {reflect: true},
    controls: {type: Boolean, reflect: true},
    token: {attribute: false},
  };

  static styles = [tokenStyle, scopeStyle, headViewStyle].map(unsafeCSS);

  /** @type {Model | null} */
  #model = null;
  /** @type {Pass | null} */
  #pass = null;
  /** @type {(HTMLElement & {update: (data: import('../views/head-view.js').HeadViewData) => void}) | null} */
  #view = null;
  /** @type {Error | null} */
  #failure = null;
  /** @type {Progress} */
  #progress = {loaded: 0, total: 0};
  #loading = new AbortController();
  /** Everything done for the current text. */
  #work = new AbortController();
  #isRunning = false;

  constructor() {
    super();
    /** A model (`.safetensors`) or a saved snapshot (`.json`); empty means the embedded model. */
    this.src = '';
    this.text = '';
    this.textPair = '';
    this.view = 'head';
    this.layer = 0;
    /** @type {number[]} active heads; empty means all */
    this.heads = [];
    /** @type {Filter} */
    this.filter = 'all';
    /** @type {'light' | 'dark' | 'auto'} */
    this.theme = 'auto';
    this.controls = false;
    /** @type {TokenRef | null} the pinned token */
    this.token = null;
  }

  /** What the engine last returned, or null. */
  get result() {
    return this.#pass?.result ?? null;
  }

  /**
   * What is selected of the model that is loaded: never a layer or head it has not.
   *
   * @returns {Selection}
   */
  get selection() {
    const {layers, heads} = this.#shape;
    const known = filters.includes(this.filter) ? this.filter : 'all';
    return {
      layer: Math.max(0, Math.min(this.layer, layers - 1)),
      heads: activeHeads(this.heads, heads),
      filter: this.#isPair ? known : 'all',
      token: this.token,
    };
  }

  /** @param {Partial<Selection>} selection */
  set selection({layer, heads, filter, token}) {
    if (layer !== undefined) this.layer = layer;
    if (heads !== undefined) this.heads = heads.length === this.#shape.heads ? [] : heads;
    if (filter !== undefined) this.filter = filter;
    if (token !== undefined) this.token = token;
  }

  connectedCallback() {
    super.connectedCallback();
    darkScheme.addEventListener('change', this.#onScheme);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    darkScheme.removeEventListener('change', this.#onScheme);
  }

  #onScheme = () => this.requestUpdate();

  get #shape() {
    return this.#pass?.snapshot ?? this.#model?.shape ?? {layers: 1, heads: 0};
  }

  get #isPair() {
    return this.#pass ? this.#pass.snapshot.sentenceB !== null : false;
  }

  get #isDark() {
    return this.theme === 'dark' || (this.theme !== 'light' && darkScheme.matches);
  }

  /** The picture can be drawn: all its matrices are here. */
  get #isDrawable() {
    const {layer, heads} = this.selection;
    return this.#pass?.has(layer, heads) ?? false;
  }

  /** @param {PropertyValues<this>} changed */
  willUpdate(changed) {
    if (changed.has('src')) this.#load();
    else if (changed.has('text') || changed.has('textPair')) this.#run();
    if (!this.#view && this.#pass && this.#isDrawable) {
      this.#view = headView(this.#viewData(this.#pass), {
        onPin: (token) => this.#choose({token}),
      });
    }
  }

  render() {
    return html`<div class="scope" role="region" aria-label=${strings.scope.region}>
      ${this.controls ? this.#controls() : nothing}
      <div class="content">${this.#content()}</div>
    </div>`;
  }

  updated() {
    const pass = this.#pass;
    if (!pass || !this.#view?.isConnected) return;
    // Until a newly chosen layer has arrived, the old picture stays.
    if (!this.#isDrawable) {
      if (!this.#isRunning) this.#fetch(pass);
      return;
    }
    this.#view.update(this.#viewData(pass));
    markFirstAttention();
  }

  /** @param {Pass} pass */
  #viewData({snapshot}) {
    return {snapshot, selection: this.selection, dark: this.#isDark};
  }

  #controls() {
    if (!this.#model && !this.#pass) return html`<div class="controls"></div>`;
    const {layers, heads} = this.#shape;
    const {selection} = this;
    const state = {selection, layers, heads, isPair: this.#isPair, dark: this.#isDark};
    return scopeControls(state, {
      chooseLayer: (layer) => this.#choose({layer}),
      toggleHead: (head) => this.#choose({heads: toggleHead(selection.heads, head)}),
      isolateHead: (head) => this.#choose({heads: isolateHead(selection.heads, head, heads)}),
      showAllHeads: () => this.#choose({heads: activeHeads([], heads)}),
      chooseFilter: (filter) => this.#choose({filter}),
    });
  }

  #content() {
    if (this.view !== 'head') {
      return html`<p class="message">${strings.scope.unknownView(this.view)}</p>`;
    }
    if (this.#failure) {
      const retry = this.#model ? () => this.#run() : () => this.#load();
      return failureMessage(failureText(this.#failure, Boolean(this.#model)), retry);
    }
    if (this.#pass && this.#view) {
      const cut = this.result?.truncated ?? 0;
      const fit = this.#pass.snapshot.queryTokens.length;
      return html`${
        cut
          ? html`<p class="notice" role="status">${strings.scope.truncated(fit, cut)}</p>`
          : nothing
      }
      ${this.#view}`;
    }
    if (!this.#model) return progressMessage(this.#progress);
    return this.text.trim() ? nothing : html`<p class="message">${strings.scope.empty}</p>`;
  }

  /** @param {Partial<Selection>} choice */
  #choose(choice) {
    this.selection = choice;
    this.#emit('selection', this.selection);
  }

  async #load() {
    this.#loading.abort();
    this.#work.abort();
    const {signal} = (this.#loading = new AbortController());
    this.#model = null;
    this.#pass = null;
    this.#failure = null;
    this.#progress = {loaded: 0, total: 0};
    this.requestUpdate();
    try {
      const url = new URL(this.src || defaultModel, document.baseURI);
      if (url.pathname.endsWith('.json')) {
        const pass = await loadFrozenPass(url.href, signal);
        this.#show(pass);
        return;
      }
      const {engine, model, bytes} = await sharedModel(url.href, (progress) => {
        this.#progress = progress;
        this.requestUpdate();
      });
      if (signal.aborted) return;
      this.#model = model;
      this.#emit('ready', {engine, model, bytes});
      this.#run();
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** The latest text wins: an older pass is aborted. */
  async #run() {
    this.#work.abort();
    const work = (this.#work = new AbortController());
    const {signal} = work;
    const {text, textPair: pair} = this;
    if (!this.#model) return;
    if (!text.trim()) {
      this.#pass = null;
      this.requestUpdate();
      return;
    }
    this.#isRunning = true;
    try {
      const options = {pair: pair.trim() ? pair : undefined, signal};
      const pass = new LivePass(this.#model, await this.#model.attend(text, options));
      const {layer, heads} = this.selection;
      await pass.fetch(layer, heads);
      if (!signal.aborted) this.#show(pass);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    } finally {
      if (work === this.#work) this.#isRunning = false;
    }
  }

  /** @param {Pass} pass */
  #show(pass) {
    const before = this.#pass;
    this.#pass = pass;
    this.#failure = null;
    if (before && this.token && !sameToken(this.token, before, pass)) this.#choose({token: null});
    this.requestUpdate();
    this.#emit('result', pass.result);
  }

  /** @param {Pass} pass */
  async #fetch(pass) {
    const {signal} = this.#work;
    try {
      const {layer, heads} = this.selection;
      await pass.fetch(layer, heads);
      this.requestUpdate();
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#failure = error instanceof Error ? error : new Error(String(error));
    this.requestUpdate();
    this.#emit('error', this.#failure);
  }

  /**
   * @param {string} type
   * @param {unknown} detail
   */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, {detail}));
  }
}

/**
 * A pin stays while its place holds the same token.
 *
 * @param {TokenRef} token
 * @param {Pass} before
 * @param {Pass} after
 */
function sameToken({side, index}, before, after) {
  const tokens = (/** @type {Pass} */ {snapshot}) =>
    side === 'query' ? snapshot.queryTokens : snapshot.keyTokens;
  return tokens(before)[index] === tokens(after)[index];
}

let marked = false;

/** For tests and measurements: the frame that paints the first picture. */
function markFirstAttention() {
  if (marked) return;
  marked = true;
  requestAnimationFrame(() => performance.mark('bertscope:first-attention'));
}

customElements.define('bert-scope', BertScope);
