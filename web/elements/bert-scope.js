import {LitElement, html, nothing, unsafeCSS} from 'lit';
import {strings} from '../strings/index.js';
import {holds} from '../views/shape.js';
import {tokenStyle, viewStyles} from '../views/styles.js';
import scopeStyle from './bert-scope.css?inline';
import {version} from '../../package.json';
import {Arrival} from './arrival.js';
import {attributeProblem} from './attribute-problem.js';
import {attributes} from './attributes.js';
import {compareControls} from './compare-controls.js';
import {Comparison, savedBeside} from './comparison.js';
import {define} from './define.js';
import {displayControls} from './display-controls.js';
import {baseOf, drawingOf, filtersOf, neededOf, selectionOf} from './drawing.js';
import {isFrozenBuild} from './frozen-build.js';
import {workbenchActions, offNotice} from './workbench/workbench-actions.js';
import {isOff, noInterventions} from './workbench/interventions.js';
import {originOf} from './origin.js';
import {Overview} from './overview.js';
import {sameToken} from './passes.js';
import {inspectorPanel, mapControls} from './overview-panels.js';
import {Picture} from './picture.js';
import {scopeContent} from './scope-content.js';
import {scopeControls, viewSwitch} from './scope-controls.js';
import {chosenIn, isViewName, kindsOf} from './scope-views.js';
import {Session} from './session.js';
import {shortcutDialog} from './shortcut-dialog.js';
import {choiceInControls, choiceOnMap} from './reader-choice.js';
import {runShortcut, shortcutActions} from './shortcuts.js';
import {measures} from '../views/readability.js';

/** @import {PropertyValues} from 'lit' */
/** @import {Choice} from './drawing.js' */
/** @import {Interventions} from './workbench/interventions.js' */
/** @import {Compared, CompareMode} from './origin.js' */
/** @import {Pass} from './passes.js' */
/** @import {ReaderChoice} from './reader-choice.js' */
/** @import {Compared as Both} from './sides.js' */
/** @import {ViewData, ViewName} from './scope-views.js' */
/** @import {StatisticName} from '../views/head-statistics.js' */
/** @import {Parts} from '../views/import-attention.js' */
/** @import {Display, MeanLayers, Measure} from '../views/readability.js' */
/** @import {Filter, Selection, TokenRef} from '../views/selection.js' */
/** @import {Shape} from '../views/shape.js' */

const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const wideScreen = matchMedia('(min-width: 64rem)');

/** Those of the embedded model: room for its map while no model is known. */
const usualLayers = 6;

/** Of the views but one. */
const noGrid = Object.freeze({isOpen: false, layers: [], heads: []});

/** What a pass is made from. */
const textProperties = /** @type {const} */ ([
  'text',
  'textPair',
  'noSpecialTokens',
  'interventions',
]);

/**
 * `<bert-scope>`: attention of one text through one model, or a picture that was saved.
 *
 * A saved picture is in a file that `src` names or in a `<script type="application/json">` inside the
 * element; it needs no engine. With a text it is live: the engine and the model load when the element
 * comes near the view, and the picture inside the element, or `poster`, stands in until then.
 *
 * @fires ready  the model is loaded; detail `{engine, model, bytes}`
 * @fires result  a new text is about to be drawn; detail is the engine's result
 * @fires untouched  where something is changed, what the model as it is makes of the text is there too
 * @fires compared  what the picture is held against is there, or is known not to be
 * @fires error  detail is the Error
 * @fires selection  the reader chose what is shown; detail is the selection
 */
export class BertScope extends LitElement {
  static properties = attributes;

  static version = version;

  /** Those on the page. @type {Set<BertScope>} */
  static instances = new Set();

  static styles = [tokenStyle, scopeStyle, ...viewStyles].map(unsafeCSS);

  #session = new Session({
    onChange: () => this.requestUpdate(),
    onReady: (loaded) => {
      this.#emit('ready', loaded);
      // Unless attention was imported in the meantime.
      if (!this.#session.pass || this.#session.pass === this.#arrival.poster) this.#run();
    },
    onPass: (pass, before) => {
      const {token} = this;
      const isNew = this.#isNextPinned;
      this.#isNextPinned = false;
      if (!isNew && before && token && !sameToken(token, before, pass)) this.choose({token: null});
      this.#showSavedComparison(pass);
      this.#emit('result', pass.result);
    },
    onUntouched: () => this.#emit('untouched', this.untouched),
    onError: (error) => this.#emit('error', error),
  });
  #arrival = new Arrival(this, this.#session);
  #comparison = new Comparison(() => {
    this.requestUpdate();
    this.#emit('compared', null);
  });
  /** Whether the pin came with a text that is still to be run. */
  #isNextPinned = false;
  /** Of this update: two that are held against each other. @type {Both | null} */
  #compared = null;
  /** Whether there has been a picture. */
  #isDrawn = false;
  /** What is not as its author may expect, said above the picture. @type {string[]} */
  #notices = [];
  #picture = new Picture({
    onMode: (mode) => this.choose(this.#isContrasted ? {contrast: mode} : this.#comparedBy(mode)),
    onPin: (token) => this.choose({token}),
    onSelect: (layer, head) => this.choose({layer, heads: [head], open: true}),
    onClose: () => this.choose({open: false}),
    onOpen: (layer, head) => this.choose({view: 'head', layer, heads: [head]}),
  });
  #overview = new Overview({
    onChange: () => this.requestUpdate(),
    onChoose: (block) => this.choose(choiceOnMap(block, this.view)),
  });
  #actions = shortcutActions(this, () => this.renderRoot.querySelector('dialog')?.showModal());

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
    /** @type {Compared | null} what the reader holds the picture against */
    this.compare = null;
    /** @type {ReadonlyMap<string, Parts>} attention that a comparison may name, by its file */
    this.files = new Map();
  }

  /** What the engine last returned, or null. */
  get result() {
    return this.#session.pass?.result ?? null;
  }

  /** Where something is changed, what the model as it is returns; null until it is there. */
  get untouched() {
    return this.#session.untouched?.result ?? null;
  }

  /** Whether the picture is one that was saved: nothing was run, so nothing can be changed in it. */
  get isSaved() {
    const {pass} = this.#session;
    return pass !== null && pass.result === null;
  }

  /** The engine's model, or null. */
  get model() {
    return this.#session.model;
  }

  /** What there is of layers and heads. @returns {Shape} */
  get shape() {
    const {pass, shape} = this.#session;
    return pass ? baseOf(pass, this.filter) : shape;
  }

  /**
   * What is selected of the model that is loaded: never a layer or head it has not.
   *
   * @returns {Selection}
   */
  get selection() {
    return selectionOf(this.#choice, this.shape, this.#session.pass);
  }

  /** Whether a picture that this one is to be held against may still come. */
  get lacksCompared() {
    return this.#comparison.isPending;
  }

  /** What there is to choose from: of two that are compared, what either has. @returns {Shape} */
  get reach() {
    const {pass} = this.#session;
    return pass ? this.#picture.reach(pass, this.filter) : this.shape;
  }

  /** What of it is chosen. @returns {Selection} */
  get reached() {
    return selectionOf(this.#choice, this.reach, this.#session.pass);
  }

  /** @param {Partial<Selection>} selection */
  set selection({layer, heads, filter, token}) {
    if (layer !== undefined) this.layer = layer;
    if (heads !== undefined) this.heads = heads.length === this.reach.heads ? [] : heads;
    if (filter !== undefined) this.filter = filter;
    if (token !== undefined) this.token = token;
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

  /**
   * What the reader does with the selection, the display or the view. A saved picture has no model to
   * be changed.
   *
   * @param {ReaderChoice} choice
   */
  choose({interventions, contrast, ...others}) {
    if (this.controls === 'none') return;
    /** @type {ReaderChoice} */
    const choice = this.isSaved ? others : {interventions, contrast, ...others};
    this.selection = choice;
    this.display = choice;
    for (const name of /** @type {const} */ ([
      'src',
      'view',
      'statistic',
      'open',
      'onlyLayers',
      'onlyHeads',
      'interventions',
      'contrast',
      'compare',
    ])) {
      if (choice[name] !== undefined) Object.assign(this, {[name]: choice[name]});
    }
    this.#emit('selection', this.selection);
  }

  /** Lets the reader take along what is shown. */
  async openExport() {
    const spoken = this.#spoken;
    if (isFrozenBuild || !spoken || !isViewName(this.view)) return;
    const [{openExportDialog}, {shownIn}] = await Promise.all([
      import('../export/dialog.js'),
      import('./shown.js'),
    ]);
    const root = /** @type {ShadowRoot} */ (this.renderRoot);
    const {pass} = this.#session;
    const {before} = this.#picture;
    // Of two of which one has nothing of what is chosen, the other is shown alone.
    const areBoth = pass && before && !this.#compared?.sides.some(({isEmpty}) => isEmpty);
    openExportDialog(
      root,
      areBoth
        ? shownIn(this, pass, before, this.#choice)
        : shownIn(this, spoken.pass, null, spoken.choice),
    );
  }

  connectedCallback() {
    super.connectedCallback();
    BertScope.instances.add(this);
    this.#arrival.resume();
    this.#comparison.resume();
    if (!this.#session.resume()) this.#arrival.load();
    darkScheme.addEventListener('change', this.#onScheme);
    document.addEventListener('keydown', this.#onKey);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    BertScope.instances.delete(this);
    this.#arrival.stop();
    darkScheme.removeEventListener('change', this.#onScheme);
    document.removeEventListener('keydown', this.#onKey);
    queueMicrotask(() => {
      if (this.isConnected) return; // only moved
      this.#session.rest();
      this.#comparison.rest();
    });
  }

  #onScheme = () => this.requestUpdate();

  /** Keys count when this element has the focus; with controls, also when nothing has it. */
  #onKey = (/** @type {KeyboardEvent} */ event) => {
    const focused = document.activeElement ?? document.body;
    const isMain = document.querySelector('bert-scope[controls]:not([controls=none])') === this;
    if (focused === this || (focused === document.body && isMain && this.checkVisibility()))
      runShortcut(event, this.#actions);
  };

  get isDark() {
    return this.theme === 'dark' || (this.theme !== 'light' && darkScheme.matches);
  }

  /** @returns {Choice} */
  get #choice() {
    const {layer, heads, filter, token, display, open, onlyLayers, onlyHeads} = this;
    const isGrid = this.view === 'model';
    const grid = isGrid ? {isOpen: open, layers: onlyLayers, heads: onlyHeads} : noGrid;
    return {layer, heads, filter, token, display, grid, dark: this.isDark};
  }

  /**
   * What the view draws, as it draws it: words merged, tokens hidden; null before the first pass.
   *
   * @returns {ViewData | null}
   */
  get drawn() {
    const {pass} = this.#session;
    return pass && isViewName(this.view) ? drawingOf(pass, this.view, this.#choice) : null;
  }

  /**
   * Shows attention that was made elsewhere, until the next text.
   *
   * @param {string} name
   * @param {Parts} parts
   */
  showAttention(name, parts) {
    this.#session.showFrozen(name, parts);
  }

  /** Shows the text again. */
  showText() {
    this.#run();
  }

  /** @param {PropertyValues<this>} changed */
  willUpdate(changed) {
    if (changed.has('text') || changed.has('textPair')) this.#isNextPinned = changed.has('token');
    if (changed.has('src')) this.#arrival.begin();
    else if (textProperties.some((name) => changed.has(name))) this.#run();
    const {pass, untouched} = this.#session;
    const {view, compare, contrast: mode, noSpecialTokens} = this;
    const saved = savedBeside(pass);
    const files = saved ? new Map([...this.files, [saved.name, saved.parts]]) : this.files;
    const isReady = Boolean(pass) && pass !== this.#arrival.poster;
    this.#comparison.follow(compare, {files, specialTokens: !noSpecialTokens, isReady});
    const isKnown = mode === 'side' || mode === 'difference';
    this.#picture.before = untouched && isKnown ? {pass: untouched, mode} : this.#comparison.kept;
    this.#compared =
      pass && isViewName(view) ? this.#picture.compared(pass, view, this.#choice) : null;
  }

  /** Unless the reader compares already. @param {Pass} pass */
  #showSavedComparison(pass) {
    const saved = savedBeside(pass);
    if (!saved || this.compare) return;
    this.compare = {...originOf({file: saved.name}), mode: 'side'};
    this.#emit('selection', this.selection);
  }

  /** The model as it is stands beside a changed one. */
  get #isContrasted() {
    return this.#picture.before !== this.#comparison.kept;
  }

  /** @param {CompareMode} mode */
  #comparedBy(mode) {
    return {compare: this.compare && {...this.compare, mode}};
  }

  render() {
    return html`<div
      class="scope"
      role="region"
      aria-label=${strings.scope.region(this.text)}
      tabindex="-1"
    >
      ${this.#hasControls ? this.#controls() : nothing}
      <div class="content">
        ${
          this.#hasControls
            ? viewSwitch(
                this.view,
                (view) => this.choose({view}),
                () => this.#actions.help(),
                isFrozenBuild || !this.#session.pass ? null : () => this.openExport(),
              )
            : nothing
        }
        ${this.#notices.map((notice) => html`<p class="notice" role="alert">${notice}</p>`)}
        ${this.#hasControls ? this.#offNotice() : nothing} ${this.#content()}
      </div>
      ${this.#hasControls ? inspectorPanel(this.#session.pass && this.#overview.inspector, this.#workbenchActions()) : nothing}
      ${shortcutDialog()}
    </div>`;
  }

  updated() {
    this.#reportProblems();
    const {pass, failure} = this.#session;
    if (!pass) this.#overview.clear();
    if (!pass || failure || !isViewName(this.view)) return;
    const fetch = this.#session.fetch.bind(this.#session);
    const drawn = this.#picture.draw(pass, this.view, this.#choice, this.#compared, fetch);
    if (!this.#hasControls) return;
    if (this.#isDrawn) this.#survey(drawn);
    else if (drawn) this.#surveyLater();
  }

  /** The first picture is not kept waiting by what stands beside it. */
  #surveyLater() {
    this.#isDrawn = true;
    setTimeout(() => this.requestUpdate());
  }

  /** What stands beside the picture. @param {ViewData | null} drawn */
  #survey(drawn) {
    const spoken = this.#spoken;
    if (!spoken) return;
    const {pass, name, pictured} = spoken;
    const isNew = this.#overview.update({
      pass,
      name,
      pictured,
      base: baseOf(pass, this.filter),
      reach: this.reach,
      drawn,
      view: /** @type {ViewName} */ (this.view),
      display: this.#read,
      chosen: this.#chosen,
      statistic: this.statistic,
      isOff: this.#isOff,
      dark: this.isDark,
    });
    if (isNew) this.requestUpdate();
  }

  /** What the map, the inspector and the export are of. Alone, it needs no name. */
  get #spoken() {
    const {pass} = this.#session;
    const compared = this.#compared;
    if (!compared) return pass && {pass, choice: this.#choice, name: '', pictured: ''};
    return {...compared.speaker, pictured: compared.pictured};
  }

  /** The display, as far as the view can show it. */
  get #read() {
    const {reads} = kindsOf[/** @type {ViewName} */ (this.view)];
    return reads?.(this.display) ?? this.display;
  }

  /** The heads that the picture shows. */
  get #chosen() {
    return isViewName(this.view)
      ? chosenIn(this.view, this.reached, this.reach, this.#choice)
      : {layers: [], heads: []};
  }

  #controls() {
    const {model, pass} = this.#session;
    if (!model && !pass) {
      const room = html`<div class="map-controls" style="--layers: ${usualLayers}"></div>`;
      return html`<div class="controls">${room}</div>`;
    }
    const {view, statistic, onlyLayers, onlyHeads} = this;
    const map = {
      view,
      statistic,
      onlyLayers,
      onlyHeads,
      layers: this.reach.layers,
      compared: this.#compared,
    };
    const state = {
      selection: this.reached,
      shape: this.reach,
      filters: filtersOf(pass),
      dark: this.isDark,
      isSingle: this.view === 'neuron',
      isPick: this.view === 'neuron' || this.view === 'model',
      isMean: this.#chosen.layers.length > 1,
      isOff: this.#isOff,
    };
    return html`<div class="controls">
      ${mapControls(this.#overview, map, {
        choose: (choice) => this.choose(choice),
        speakOf: (isKept) => {
          this.#picture.isOfKept = isKept;
          this.requestUpdate();
        },
      })}
      ${scopeControls(state, (choice) => this.choose(choiceInControls(choice, this.view)))}
      ${displayControls(
        {
          ...this.display,
          large: this.large,
          view: this.view,
          isOpen: wideScreen.matches,
          isLive: pass ? pass.result !== null : model !== null,
        },
        (changed) => this.choose(changed),
        pass ? this.#compareControls(pass) : nothing,
      )}
    </div>`;
  }

  /** @param {Pass} pass */
  #compareControls(pass) {
    const {compare} = this;
    const name = this.#comparison.kept?.pass.name ?? compare?.file ?? '';
    return compareControls(compare, name || compare?.text || '', {
      keep: () => this.choose({compare: this.#comparison.keep(pass)}),
      choose: (mode) => this.choose(this.#comparedBy(mode)),
      end: () => this.choose({compare: null}),
    });
  }

  get #hasControls() {
    return this.controls !== 'none' && this.controls;
  }

  /** Attributes are known only now: Lit writes them while it updates. */
  #reportProblems() {
    const notices = [this.notice, attributeProblem(this)].filter(Boolean);
    if (String(notices) === String(this.#notices)) return;
    const before = this.#notices;
    this.#notices = notices;
    this.requestUpdate();
    for (const notice of notices) {
      if (!before.includes(notice)) this.#emit('error', new Error(notice));
    }
  }

  #content() {
    if (!isViewName(this.view)) return nothing;
    const {pass} = this.#session;
    return scopeContent(this.#session, {
      text: this.text,
      poster: this.poster,
      notice: this.#comparison.notice,
      picture: pass && this.#picture.render(pass, this.view, this.#choice, this.#compared),
      retry: () => (this.#session.canRun ? this.#run() : this.#arrival.load()),
      embedded: this.src && this.#hasControls ? () => this.choose({src: ''}) : null,
    });
  }

  /** Whether the reader switched a head off in the model that was run. */
  #isOff = (/** @type {number} */ layer, /** @type {number} */ head) =>
    Boolean(this.result) &&
    holds(this.shape, layer, head) &&
    isOff(this.interventions, layer, head);

  #offNotice() {
    if (isFrozenBuild || !this.result) return nothing;
    const {layers, heads} = this.#chosen;
    const {shape} = this;
    const own = {
      layers: layers.filter((layer) => layer < shape.layers),
      heads: heads.filter((head) => head < shape.heads),
    };
    return offNotice(this.interventions, own, (interventions) => this.choose({interventions}));
  }

  #workbenchActions() {
    const {interventions, selection, reached, result, drawn, shape} = this;
    if (!result || isFrozenBuild) return nothing;
    // What only the other side has cannot be switched off in this model.
    const isOwn = reached.heads.some((head) => holds(shape, reached.layer, head));
    const own = isOwn ? selection : {...selection, heads: []};
    return workbenchActions({interventions, selection: own, drawn, shape}, (interventions) =>
      this.choose({interventions}),
    );
  }

  #run() {
    const {text, textPair: pair, interventions} = this;
    const request = {text, pair, specialTokens: !this.noSpecialTokens, interventions};
    this.#session.run(request, (pass) =>
      isViewName(this.view) ? neededOf(pass, this.view, this.#choice) : [],
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

define('bert-scope', BertScope);
