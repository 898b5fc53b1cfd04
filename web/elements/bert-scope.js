import {LitElement, html, nothing, unsafeCSS} from 'lit';
import {drawnToken, originalToken} from '../views/readability.js';
import {activeHeads, filters, isolateHead, toggleHead} from '../views/selection.js';
import {strings} from '../strings.js';
import scopeStyle from './bert-scope.css?inline';
import tokenStyle from './tokens.css?inline';
import {defaultModel} from './default-model.js';
import {displayControls} from './display-controls.js';
import {readingOf} from './readings.js';
import {scopeControls, viewSwitch} from './scope-controls.js';
import {failureMessage, failureText, progressMessage} from './scope-messages.js';
import {isViewName, kindsOf, partsOf, viewStyles} from './scope-views.js';
import {Session} from './session.js';
import {shortcutDialog} from './shortcut-dialog.js';
import {runShortcut, shortcutActions} from './shortcuts.js';
import {ViewStage} from './view-stage.js';

/** @import {PropertyValues} from 'lit' */
/** @import {Pass} from './passes.js' */
/** @import {ViewData, ViewName} from './scope-views.js' */
/** @import {Display} from '../views/readability.js' */
/** @import {Filter, Selection, TokenRef} from '../views/selection.js' */

const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const wideScreen = matchMedia('(min-width: 64rem)');

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
 * @fires selection  the reader chose what is shown; detail is the selection
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
    words: {type: Boolean, reflect: true},
    special: {reflect: true},
    strongest: {type: Number, reflect: true},
    meanLayers: {type: Boolean, attribute: 'mean-layers', reflect: true},
    large: {type: Boolean, reflect: true},
    token: {attribute: false},
  };

  static styles = [tokenStyle, scopeStyle, ...viewStyles].map(unsafeCSS);

  #session = new Session({
    onChange: () => this.requestUpdate(),
    onReady: (loaded) => {
      this.#emit('ready', loaded);
      this.#run();
    },
    onPass: (pass, before) => {
      if (before && this.token && !sameToken(this.token, before, pass)) this.choose({token: null});
      this.#emit('result', pass.result);
    },
    onError: (error) => this.#emit('error', error),
  });
  #stage = new ViewStage({
    onPin: (token) => this.choose({token: this.#original(token)}),
    onOpen: (layer, head) => this.choose({view: 'head', layer, heads: [head]}),
  });
  #actions = shortcutActions(this, () => this.renderRoot.querySelector('dialog')?.showModal());

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
    this.words = false;
    /** @type {Display['special']} */
    this.special = 'show';
    this.strongest = 1;
    this.meanLayers = false;
    /** Large type, for a projector. */
    this.large = false;
    /** @type {TokenRef | null} the pinned token, counted before words are merged or tokens hidden */
    this.token = null;
  }

  /** What the engine last returned, or null. */
  get result() {
    return this.#session.pass?.result ?? null;
  }

  /** What the model, or the saved snapshot, has of layers and heads. */
  get shape() {
    return this.#session.shape;
  }

  /**
   * What is selected of the model that is loaded: never a layer or head it has not.
   *
   * @returns {Selection}
   */
  get selection() {
    const {layers, heads} = this.shape;
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
    if (heads !== undefined) this.heads = heads.length === this.shape.heads ? [] : heads;
    if (filter !== undefined) this.filter = filter;
    if (token !== undefined) this.token = token;
  }

  /** @returns {Display} */
  get display() {
    const {words, meanLayers} = this;
    const special = ['hide', 'renormalise'].includes(this.special) ? this.special : 'show';
    return {
      words,
      special,
      strongest: Math.min(1, Math.max(0.05, this.strongest || 1)),
      meanLayers,
    };
  }

  /** @param {Partial<Display & {large: boolean}>} display */
  set display(display) {
    const {words, special, strongest, meanLayers, large} = {...this.display, ...display};
    Object.assign(this, {words, special, strongest, meanLayers, large: large ?? this.large});
  }

  /**
   * What the reader does with the selection, the display or the view.
   *
   * @param {Partial<Selection & Display & {large: boolean, view: string}>} choice
   */
  choose(choice) {
    this.selection = choice;
    this.display = choice;
    if (choice.view !== undefined) this.view = choice.view;
    this.#emit('selection', this.selection);
  }

  connectedCallback() {
    super.connectedCallback();
    darkScheme.addEventListener('change', this.#onScheme);
    document.addEventListener('keydown', this.#onKey);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    darkScheme.removeEventListener('change', this.#onScheme);
    document.removeEventListener('keydown', this.#onKey);
  }

  #onScheme = () => this.requestUpdate();

  /** Keys count when this element has the focus, or nothing has it and this is the first. */
  #onKey = (/** @type {KeyboardEvent} */ event) => {
    const focused = document.activeElement ?? document.body;
    const isFirst = document.querySelector('bert-scope') === this;
    if (focused === this || (focused === document.body && isFirst))
      runShortcut(event, this.#actions);
  };

  get #isPair() {
    return (this.#session.pass?.snapshot.sentenceB ?? null) !== null;
  }

  get #isDark() {
    return this.theme === 'dark' || (this.theme !== 'light' && darkScheme.matches);
  }

  /** @param {TokenRef | null} token  as it is drawn */
  #original(token) {
    const data = this.drawn;
    return data ? originalToken(data.snapshot, token) : token;
  }

  /**
   * What the view draws, as it draws it: words merged, tokens hidden; null before the first pass.
   *
   * @returns {ViewData | null}
   */
  get drawn() {
    const {pass} = this.#session;
    if (!pass || !isViewName(this.view)) return null;
    const {selection} = this;
    const {reads = (display) => display} = kindsOf[this.view];
    const snapshot = readingOf(pass.snapshot, reads(this.display));
    const token = drawnToken(snapshot, this.token);
    return {snapshot, selection: {...selection, token}, dark: this.#isDark};
  }

  /** @param {ViewName} view */
  #parts(view) {
    return partsOf(view, this.selection, this.shape, this.meanLayers);
  }

  /** @param {PropertyValues<this>} changed */
  willUpdate(changed) {
    if (changed.has('src')) this.#load();
    else if (changed.has('text') || changed.has('textPair')) this.#run();
  }

  render() {
    return html`<div class="scope" role="region" aria-label=${strings.scope.region} tabindex="-1">
      ${this.controls ? this.#controls() : nothing}
      <div class="content">
        ${
          this.controls
            ? viewSwitch(
                this.view,
                (view) => this.choose({view}),
                () => this.#actions.help(),
              )
            : nothing
        }
        ${this.#content()}
      </div>
      ${shortcutDialog()}
    </div>`;
  }

  updated() {
    const {pass, failure} = this.#session;
    const data = this.drawn;
    if (!pass || failure || !data || !isViewName(this.view)) return;
    // Until what was newly chosen has arrived, the old picture stays.
    const parts = this.#parts(this.view);
    if (!pass.has(parts)) {
      this.#session.fetch(parts);
      return;
    }
    this.#stage.show(this.view, data);
    markFirstAttention();
  }

  #controls() {
    const {model, pass} = this.#session;
    if (!model && !pass) return html`<div class="controls"></div>`;
    const {layers, heads} = this.shape;
    const {selection} = this;
    const state = {selection, layers, heads, isPair: this.#isPair, dark: this.#isDark};
    return html`<div class="controls">
      ${scopeControls(state, {
        chooseLayer: (layer) => this.choose({layer}),
        toggleHead: (head) => this.choose({heads: toggleHead(selection.heads, head)}),
        isolateHead: (head) => this.choose({heads: isolateHead(selection.heads, head, heads)}),
        showAllHeads: () => this.choose({heads: activeHeads([], heads)}),
        chooseFilter: (filter) => this.choose({filter}),
      })}
      ${displayControls(
        {...this.display, large: this.large, view: this.view, isOpen: wideScreen.matches},
        (changed) => this.choose(changed),
      )}
    </div>`;
  }

  #content() {
    if (!isViewName(this.view)) {
      return html`<p class="message">${strings.scope.unknownView(this.view)}</p>`;
    }
    const {failure, model, pass, progress} = this.#session;
    if (failure) {
      const retry = model ? () => this.#run() : () => this.#load();
      return failureMessage(failureText(failure, Boolean(model)), retry);
    }
    if (pass) return html`${cutNotice(pass)} ${this.#stage.element}`;
    if (!model) return progressMessage(progress);
    return this.text.trim() ? nothing : html`<p class="message">${strings.scope.empty}</p>`;
  }

  #load() {
    this.#session.load(this.src || defaultModel);
  }

  #run() {
    this.#session.run(this.text, this.textPair, () =>
      isViewName(this.view) ? this.#parts(this.view) : [],
    );
  }

  /**
   * @param {string} type
   * @param {unknown} detail
   */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, {detail}));
  }
}

/** @param {Pass} pass */
function cutNotice({result, snapshot}) {
  const cut = result?.truncated ?? 0;
  const fit = snapshot.queryTokens.length;
  return cut
    ? html`<p class="notice" role="status">${strings.scope.truncated(fit, cut)}</p>`
    : nothing;
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
