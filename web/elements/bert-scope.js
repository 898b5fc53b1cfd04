import {LitElement, html, nothing, unsafeCSS} from 'lit';
import {headView} from '../views/head-view.js';
import {activeHeads, filters, isolateHead, toggleHead} from '../views/selection.js';
import {strings} from '../strings.js';
import headViewStyle from '../views/head-view.css?inline';
import scopeStyle from './bert-scope.css?inline';
import tokenStyle from './tokens.css?inline';
import {defaultModel} from './default-model.js';
import {scopeControls} from './scope-controls.js';
import {failureMessage, failureText, progressMessage} from './scope-messages.js';
import {Session} from './session.js';

/** @import {PropertyValues} from 'lit' */
/** @import {Pass} from './passes.js' */
/** @import {HeadViewData} from '../views/head-view.js' */
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
 * @fires result  a new text is about to be drawn; detail is the engine's result
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

  #session = new Session({
    onChange: () => this.requestUpdate(),
    onReady: (loaded) => {
      this.#emit('ready', loaded);
      this.#run();
    },
    onPass: (pass, before) => {
      if (before && this.token && !sameToken(this.token, before, pass)) this.#choose({token: null});
      this.#emit('result', pass.result);
    },
    onError: (error) => this.#emit('error', error),
  });
  /** @type {(HTMLElement & {update: (data: HeadViewData) => void}) | null} */
  #view = null;

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
    return this.#session.pass?.result ?? null;
  }

  /**
   * What is selected of the model that is loaded: never a layer or head it has not.
   *
   * @returns {Selection}
   */
  get selection() {
    const {layers, heads} = this.#session.shape;
    const known = filters.includes(this.filter) ? this.filter : 'all';
    return {
      layer: Math.max(0, Math.min(Math.trunc(this.layer) || 0, layers - 1)),
      heads: activeHeads(this.heads, heads),
      filter: this.#isPair ? known : 'all',
      token: this.token,
    };
  }

  /** @param {Partial<Selection>} selection */
  set selection({layer, heads, filter, token}) {
    if (layer !== undefined) this.layer = layer;
    if (heads !== undefined) this.heads = heads.length === this.#session.shape.heads ? [] : heads;
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

  get #isPair() {
    return (this.#session.pass?.snapshot.sentenceB ?? null) !== null;
  }

  get #isDark() {
    return this.theme === 'dark' || (this.theme !== 'light' && darkScheme.matches);
  }

  /** The picture can be drawn: all its matrices are here. */
  get #isDrawable() {
    const {layer, heads} = this.selection;
    return this.#session.pass?.has(layer, heads) ?? false;
  }

  /** @param {PropertyValues<this>} changed */
  willUpdate(changed) {
    if (changed.has('src')) this.#load();
    else if (changed.has('text') || changed.has('textPair')) this.#run();
    const {pass} = this.#session;
    if (!this.#view && pass && this.#isDrawable) {
      this.#view = headView(this.#viewData(pass), {
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
    const {pass, failure} = this.#session;
    if (!pass || failure) return;
    // Until a newly chosen layer has arrived, the old picture stays.
    if (!this.#isDrawable) {
      const {layer, heads} = this.selection;
      this.#session.fetch(layer, heads);
      return;
    }
    if (!this.#view?.isConnected) return;
    this.#view.update(this.#viewData(pass));
    markFirstAttention();
  }

  /** @param {Pass} pass */
  #viewData({snapshot}) {
    return {snapshot, selection: this.selection, dark: this.#isDark};
  }

  #controls() {
    const {model, pass} = this.#session;
    if (!model && !pass) return html`<div class="controls"></div>`;
    const {layers, heads} = this.#session.shape;
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
    const {failure, model, pass, progress} = this.#session;
    if (failure) {
      const retry = model ? () => this.#run() : () => this.#load();
      return failureMessage(failureText(failure, Boolean(model)), retry);
    }
    if (pass && this.#view) {
      const cut = pass.result?.truncated ?? 0;
      const fit = pass.snapshot.queryTokens.length;
      return html`${
        cut
          ? html`<p class="notice" role="status">${strings.scope.truncated(fit, cut)}</p>`
          : nothing
      }
      ${this.#view}`;
    }
    if (!model && !pass) return progressMessage(progress);
    return this.text.trim() ? nothing : html`<p class="message">${strings.scope.empty}</p>`;
  }

  /** @param {Partial<Selection>} choice */
  #choose(choice) {
    this.selection = choice;
    this.#emit('selection', this.selection);
  }

  #load() {
    this.#session.load(this.src || defaultModel);
  }

  #run() {
    this.#session.run(this.text, this.textPair, () => this.selection);
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
