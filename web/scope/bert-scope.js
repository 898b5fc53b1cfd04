import {holds, withHas} from '../attention/shape.js';
import {version} from '../../package.json';
import {LazyLoader} from './lazy-load.js';
import {BaselineSession, savedBaseline} from '../session/baseline-session.js';
import {baseOf, choiceOf, drawingOf, partsIn, selectionOf} from './view-data.js';
import {isOff, partShown} from '../attention/reader-changes.js';
import {originOf} from '../session/pass-origin.js';
import {Overview} from './head-overview.js';
import {sameToken} from '../session/pass.js';
import {Picture} from './compared-picture.js';
import {choiceOnMap} from './reader-choice.js';
import {scopeLayout} from './layout.js';
import {ScopeProperties, darkScheme, hasControls} from './scope-properties.js';
import {views} from '../views/loaded-views.js';
import {chosenIn, displayIn, kindsOf} from '../views/view-kinds.js';
import {Session} from '../session/session.js';
import {openShortcutDialog} from './shortcut-dialog.js';
import {showAsSaved} from './shown-as-saved.js';
import {runShortcut, shortcutActions} from './shortcuts.js';
import {nameOfOrigin} from './origin-fields.js';
import {attributeProblem} from './reflected-properties.js';
import {scopeStyles} from './styles.js';
import {isWideScreen} from './wide-screen.js';

/** @import {PropertyValues} from 'lit' */
/** @import {Comparison} from './comparison.js' */
/** @import {CompareMode} from '../session/pass-origin.js' */
/** @import {Pass} from '../session/pass.js' */
/** @import {ViewData} from '../views/view-kinds.js' */
/** @import {ScopeState} from './layout.js' */
/** @import {LiveParts} from './live-parts.js' */
/** @import {Choice} from './view-data.js' */
/** @import {State} from './state-fields.js' */
/** @import {SnapshotParts} from '../attention/import-attention.js' */
/** @import {Selection} from '../attention/selection.js' */
/** @import {Shape} from '../attention/shape.js' */

/** A change of one of these properties needs a new pass. */
const textProperties = /** @type {const} */ ([
  'text',
  'textPair',
  'ids',
  'noSpecialTokens',
  'interventions',
]);

/**
 * `<bert-scope>` shows what the heads of a model attend to in one text, or a picture that was saved.
 *
 * A saved picture needs no engine. It is in the file that `src` names, or in a `<script type="application/json">`
 * inside an element that has no `text`. Otherwise the element is live: it loads the engine and the model when the
 * reader scrolls near it. Until the model has run, it shows the picture inside it, or its `poster`.
 *
 * A property takes a value of its type, or the text of its attribute, since frameworks set properties. Null is its
 * default. Anything else is named above the picture, which is drawn without it.
 *
 * @fires ready  The model is loaded. `detail` is `{engine, model, bytes}`.
 * @fires result  A new pass will be drawn. `detail` is the engine's result; it is null for a saved picture.
 * @fires untouched  The unchanged model has run the text too. `detail` is its result.
 * @fires compared  The baseline has been made, or cannot be made.
 * @fires error  Something failed, or a notice appeared above the picture. `detail` is the `Error`.
 * @fires selection  The reader chose something. `detail` is the selection.
 * @fires change  Properties have changed together. `detail` is `{byReader}`, which is true for an act of the
 *   reader and false for a consequence of one.
 */
export class BertScope extends ScopeProperties {
  static version = version;

  /** The elements on the page. @type {Set<BertScope>} */
  static instances = new Set();

  static styles = scopeStyles;

  /** Null in an element for saved pictures alone. @type {LiveParts | null} */
  static live = null;

  /** Arranges everything inside the element. A page can set another function, which gets the same arguments. */
  layout = scopeLayout;

  #live = /** @type {typeof BertScope} */ (this.constructor).live;
  #engine = this.#live?.engine ?? null;
  #session = new Session({
    engine: this.#engine,
    onChange: () => this.requestUpdate(),
    onReady: (loaded) => {
      this.#emit('ready', loaded);
      if (!this.#imported) this.#run();
    },
    onPass: (pass, before) => {
      const {token} = this;
      const isNew = this.#isNextPinned;
      this.#isNextPinned = false;
      if (!isNew && before && token && !sameToken(token, before, pass)) {
        this.change({token: null}, false);
      }
      this.#showSavedBaseline(pass);
      if (pass.origin.src && pass !== this.#lazyLoader.poster)
        showAsSaved(this, pass.snapshot.about?.shown);
      this.#emit('result', pass.result);
    },
    onUntouched: () => this.#emit('untouched', this.untouched),
    onError: (error) => this.#emit('error', error),
  });
  #lazyLoader = new LazyLoader(this, this.#session, this.#engine);
  #baselineSession = new BaselineSession({
    onChange: () => {
      this.requestUpdate();
      this.#emit('compared', null);
    },
    engine: this.#engine,
    nameOf: nameOfOrigin,
  });
  /** Whether the pin was set together with a text that has not run yet. */
  #isNextPinned = false;
  /** The attention from a file that is shown instead of the text's. @type {SnapshotParts | null} */
  #imported = null;
  /** What the layout shows in this update. */
  #state = /** @type {ScopeState} */ ({});
  /** The choice in this update. */
  #choice = /** @type {Choice} */ ({});
  /** The comparison in this update; null if the picture stands alone. @type {Comparison | null} */
  #comparison = null;
  /** Whether the first update has begun. One that fails must not begin anew, since that would fail for ever. */
  #hasBegun = false;
  /** Whether a picture has been drawn. */
  #isDrawn = false;
  /** The problems that are reported above the picture. @type {string[]} */
  #notices = [];
  #picture = new Picture({
    onMode: (mode) => this.choose(this.#comparedBy(mode)),
    onPin: (token) => this.choose({token}),
    onSelect: (layer, head) => this.choose({layer, heads: [head], open: true}),
    onClose: () => this.choose({open: false}),
    onOpen: (layer, head) => this.choose({view: 'head', layer, heads: [head]}),
  });
  #overview = new Overview({
    onChange: () => this.requestUpdate(),
    onChoose: (block) => this.choose(choiceOnMap(block, kindsOf[this.shownView])),
  });
  #layoutActions = {
    choose: (/** @type {Partial<State>} */ choice) => this.choose(choice),
    compareBy: (/** @type {CompareMode} */ mode) => this.choose(this.#comparedBy(mode)),
    keep: (/** @type {Pass} */ pass) => this.choose({compare: this.#baselineSession.keep(pass)}),
    inspect: (/** @type {boolean} */ isBaseline) => {
      this.#picture.prefersBaseline = isBaseline;
      this.requestUpdate();
    },
    retry: () => (this.#session.canRun ? this.#run() : this.#lazyLoader.load()),
    help: () => openShortcutDialog(/** @type {ShadowRoot} */ (this.renderRoot)),
    publish: () => this.openExport(),
  };
  #keys = shortcutActions(this, this.#layoutActions.help);

  /** The engine's result for the pass that is shown; null if the picture is saved or not there yet. */
  get result() {
    return this.#session.pass?.result ?? null;
  }

  /** The number of rows of the picture, which has the tokens of both sides in columns; 0 until it is there. */
  get rows() {
    const {pass} = this.#session;
    if (!pass) return 0;
    const {queryTokens, keyTokens} = baseOf(pass, this.filter);
    return Math.max(queryTokens.length, keyTokens.length);
  }

  /** The engine's result without `interventions`; null if there are none, or until that pass is complete. */
  get untouched() {
    return this.#session.untouched?.result ?? null;
  }

  /** What an encoder-decoder made of the text, and what it makes of it without `interventions`; null of other models. */
  get translations() {
    const {pass, untouched} = this.#session;
    if (!pass?.translation) return null;
    return {now: pass.translation, before: untouched?.translation ?? null};
  }

  /** Whether the picture is a saved one: no model has run for it, so `interventions` cannot change it. */
  get isSaved() {
    const {pass} = this.#session;
    return pass !== null && !pass.model;
  }

  /** The model that is loaded, or null. */
  get model() {
    return this.#session.model;
  }

  /** The layers and heads of the pass that is shown, or of the model before its first pass. @returns {Shape} */
  get shape() {
    const {pass, shape} = this.#session;
    return withHas(pass ? baseOf(pass, this.filter) : shape);
  }

  /**
   * The selection, which has only layers and heads that exist. It can be set, also in part.
   *
   * @returns {Selection}
   */
  get selection() {
    return selectionOf(choiceOf(this), this.shape, this.#session.pass);
  }

  /** Whether the baseline of the comparison is not there yet, but may still come. */
  get isBaselinePending() {
    return this.#baselineSession.isPending;
  }

  /** The layers and heads to choose from; in a comparison, all that at least one side has. @returns {Shape} */
  get availableShape() {
    return withHas(this.#comparison?.shape ?? this.shape);
  }

  /** The selection among the layers and heads of `availableShape`. @returns {Selection} */
  get availableSelection() {
    return selectionOf(choiceOf(this), this.availableShape, this.#session.pass);
  }

  /** @param {Partial<Selection>} selection */
  set selection(selection) {
    this.change(selection, false);
  }

  /**
   * Changes properties as one act of the reader. A saved picture ignores `interventions`, and `controls="none"`
   * ignores everything.
   *
   * @param {Partial<State>} choice
   */
  choose(choice) {
    if (this.controls === 'none') return;
    const {interventions, ...others} = choice;
    this.change(this.isSaved ? others : choice);
    this.#emit('selection', this.selection);
  }

  /**
   * Changes several properties together.
   *
   * @param {Partial<State>} changed
   * @param {boolean} [byReader]  whether it is an act of the reader, and not a consequence of one
   */
  change(changed, byReader = true) {
    const isAll = changed.heads?.length === this.availableShape.heads;
    Object.assign(this, changed, isAll ? {heads: []} : {});
    this.#emit('change', {byReader});
  }

  /** Opens the dialog that exports the picture. It does nothing while there is no picture. */
  async openExport() {
    const shown = this.#exported;
    if (shown) await this.#live?.openExport(this, shown.pass, shown.baseline, shown.choice);
  }

  /**
   * Draws the picture as a file, in the colours of the element.
   *
   * @param {'svg' | 'png'} format
   * @returns {Promise<Blob | null>}  null if there is no picture, or if the element is for saved pictures alone
   */
  async figure(format) {
    const shown = this.#exported;
    if (!shown || !this.#live) return null;
    return this.#live.drawFigure(this, shown.pass, shown.baseline, shown.choice, format);
  }

  /** What the export is about; null while there is no picture. */
  get #exported() {
    const choice = choiceOf(this);
    const inspected = this.#inspectedOf(choice);
    if (!inspected) return null;
    const {pass} = this.#session;
    const {baseline} = this.#picture;
    // If one side of a comparison has none of the chosen heads, the other side is exported alone.
    const areBoth = pass && baseline && !this.#comparison?.passes.some(({isEmpty}) => isEmpty);
    if (areBoth) return {pass, baseline, choice};
    return {pass: inspected.pass, baseline: null, choice: inspected.choice};
  }

  connectedCallback() {
    super.connectedCallback();
    BertScope.instances.add(this);
    this.#lazyLoader.resume();
    this.#baselineSession.resume();
    if (!this.#session.resume()) this.#lazyLoader.load();
    darkScheme.addEventListener('change', this.#onScheme);
    this.addEventListener('keydown', this.#onOwnKey);
    document.addEventListener('keydown', this.#onPageKey);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    BertScope.instances.delete(this);
    this.#lazyLoader.stop();
    darkScheme.removeEventListener('change', this.#onScheme);
    document.removeEventListener('keydown', this.#onPageKey);
    queueMicrotask(() => {
      if (this.isConnected) return; // The element was only moved.
      this.#session.releaseModel();
      this.#baselineSession.releaseModel();
    });
  }

  #onScheme = () => this.requestUpdate();

  /** Runs a shortcut if the focus is in this element, and not in what is put into it. */
  #onOwnKey = (/** @type {KeyboardEvent} */ event) => {
    if (/** @type {ShadowRoot} */ (this.renderRoot).activeElement) runShortcut(event, this.#keys);
  };

  /** Runs a shortcut while nothing in the page has the focus, if the page is there for this element. */
  #onPageKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.target === document.body && this.ownsKeys && this.checkVisibility())
      runShortcut(event, this.#keys);
  };

  /**
   * The data that the view draws, with words merged and tokens hidden; null before the first pass.
   *
   * @returns {ViewData | null}
   */
  get drawn() {
    const {pass} = this.#session;
    return pass && drawingOf(pass, this.shownView, choiceOf(this));
  }

  /** @param {PropertyValues<this>} changed */
  willUpdate(changed) {
    this.schemes = '';
    const before = this.#imported;
    this.#imported = this.files.get(this.file) ?? null;
    const isNewSource = changed.has('src') || !this.#hasBegun;
    this.#hasBegun = true;
    const isNewFile = this.#imported !== before;
    const isNewText = textProperties.some((name) => changed.has(name));
    if (isNewSource || isNewFile || isNewText) this.#isNextPinned = changed.has('token');
    if (isNewSource) this.#lazyLoader.begin();
    else if (!this.#imported && (isNewFile || isNewText)) this.#run();
    if (this.#imported && isNewFile) this.#session.showFile(this.file, this.#imported);
    const {pass, untouched} = this.#session;
    const {shownView: view, compare, files, noSpecialTokens} = this;
    // It usually arrives while the engine starts or the matrices of the picture are fetched.
    if (!views[this.view] && changed.has('view')) this.#live?.loadView(this);
    this.#choice = choiceOf(this);
    const isReady = Boolean(pass) && pass !== this.#lazyLoader.poster;
    const sources = {pass, untouched, files, specialTokens: !noSpecialTokens, isReady};
    this.#baselineSession.follow(compare, sources);
    this.#picture.baseline = this.#baselineSession.baseline;
    this.#comparison = pass && this.#picture.compare(pass, view, this.#choice);
  }

  /** Compares with the baseline of a saved comparison, unless something is compared already. @param {Pass} pass */
  #showSavedBaseline(pass) {
    const saved = savedBaseline(pass);
    if (!saved || this.compare) return;
    this.change({compare: {...originOf({file: saved.name}), mode: 'side'}}, false);
  }

  /** @param {CompareMode} mode */
  #comparedBy(mode) {
    return {compare: this.compare && {...this.compare, mode}};
  }

  render() {
    const {pass} = this.#session;
    const {shownView, availableShape, shape, isSaved, interventions} = this;
    const choice = this.#choice;
    const availableSelection = selectionOf(choice, availableShape, pass);
    const part = partShown(availableSelection.filter);
    this.#state = {
      live: this.#live,
      session: this.#session,
      kind: kindsOf[shownView],
      overview: this.#overview,
      baselineSession: this.#baselineSession,
      availableShape,
      availableSelection,
      chosen: chosenIn(shownView, availableSelection, availableShape, choice),
      drawn: hasControls(this) || this.editable ? this.drawn : null,
      isOff: (layer, head) =>
        !isSaved && holds(shape, layer, head) && isOff(interventions, {layer, head, ...part}),
      comparison: this.#comparison,
      notices: this.#notices,
      picture: pass && this.#picture.render(pass, shownView, choice, this.#comparison),
    };
    return this.layout(this, this.#state, this.#layoutActions);
  }

  /** @param {PropertyValues<this>} changed */
  updated(changed) {
    this.#reportProblems();
    if (changed.has('large')) this.#picture.forget();
    const {pass, failure} = this.#session;
    if (!pass) this.#overview.clear();
    if (!pass || failure) return;
    // The layout may have changed how the picture is read.
    this.#choice = choiceOf(this);
    const drawn = this.#picture.draw(
      pass,
      this.shownView,
      this.#choice,
      this.#comparison,
      (of, parts) => void this.#session.fetch(of, parts),
    );
    if (drawn) this.lastDrawnView = this.shownView;
    if (!hasControls(this)) return;
    if (this.#isDrawn) this.#survey(drawn);
    else if (drawn) this.#surveyLater();
  }

  /** Updates the map and the inspector in a later task, so that the first picture does not wait for them. */
  #surveyLater() {
    this.#isDrawn = true;
    setTimeout(() => this.requestUpdate());
  }

  /** Updates the map and the inspector. @param {ViewData | null} drawn */
  #survey(drawn) {
    const {display, dark} = this.#choice;
    const inspected = this.#inspectedOf(this.#choice);
    if (!inspected) return;
    const {statistic, mapped} = this;
    const isNew = this.#overview.update({
      ...this.#state,
      ...inspected,
      drawn,
      statistic,
      mapped,
      dark,
      base: baseOf(inspected.pass, this.filter),
      // On a small screen there is room for all numbers in a panel of their own.
      isInspectorOpen: isWideScreen() || this.panel === 'numbers',
      display: displayIn(this.shownView, display),
    });
    if (isNew) this.requestUpdate();
  }

  /** The pass that the map, the inspector and the export describe. Without a comparison, it needs no name. @param {Choice} choice */
  #inspectedOf(choice) {
    const {pass} = this.#session;
    const comparison = this.#comparison;
    if (!comparison) return pass && {pass, choice, name: '', pictureName: ''};
    return {...comparison.inspected, pictureName: comparison.pictureName};
  }

  /** Reports problems after the update, because Lit writes attributes while it updates. */
  #reportProblems() {
    const notices = [this.notice, attributeProblem(this), ...this.propertyProblems].filter(Boolean);
    if (String(notices) === String(this.#notices)) return;
    const before = this.#notices;
    this.#notices = notices;
    this.requestUpdate();
    for (const notice of notices) {
      if (!before.includes(notice)) this.#emit('error', new Error(notice));
    }
  }

  #run() {
    const {text, textPair: pair, ids, interventions} = this;
    const request = {text, pair, ids, specialTokens: !this.noSpecialTokens, interventions};
    void this.#session.run(request, (shape) => partsIn(shape, this.shownView, choiceOf(this)));
  }

  /**
   * @param {string} type
   * @param {unknown} detail
   */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, {detail}));
  }
}
