import {holds, withHas} from '../attention/shape.js';
import {version} from '../../package.json';
import {BaselineSession} from '../session/baseline-session.js';
import {baseOf, choiceOf, drawingOf, selectionOf} from './view-data.js';
import {isOff, partShown} from '../attention/reader-changes.js';
import {Overview} from './head-overview.js';
import {sameToken} from '../session/pass.js';
import {Picture} from './compared-picture.js';
import {scopeLayout} from './layout.js';
import {Notices} from './notices.js';
import {ScopeProperties, hasControls} from './scope-properties.js';
import {views} from '../views/loaded-views.js';
import {chosenIn, kindsOf} from '../views/view-kinds.js';
import {Session} from '../session/session.js';
import {SessionRequests} from './session-requests.js';
import {openShortcutDialog} from './shortcut-dialog.js';
import {compareAsSaved, showAsSaved} from './shown-as-saved.js';
import {Shortcuts} from './shortcuts.js';
import {nameOfOrigin} from './origin-fields.js';
import {scopeStyles} from './styles.js';

/** @import {PropertyValues} from 'lit' */
/** @import {CompareMode} from '../session/pass-origin.js' */
/** @import {Pass} from '../session/pass.js' */
/** @import {ViewData} from '../views/view-kinds.js' */
/** @import {ScopeState} from './layout.js' */
/** @import {LiveParts} from './live-parts.js' */
/** @import {Choice} from './view-data.js' */
/** @import {State} from './state-fields.js' */
/** @import {Selection} from '../attention/selection.js' */
/** @import {Shape} from '../attention/shape.js' */

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
      this.#requests.run();
    },
    onPass: (pass, before) => {
      const {token} = this;
      const {isNextPinned} = this.#requests;
      this.#requests.isNextPinned = false;
      if (!isNextPinned && before && token && !sameToken(token, before, pass)) {
        this.change({token: null}, false);
      }
      compareAsSaved(this, pass);
      if (pass.origin.src && pass !== this.#requests.poster)
        showAsSaved(this, pass.snapshot.about?.shown);
      this.#emit('result', pass.result);
    },
    onUntouched: () => this.#emit('untouched', this.untouched),
    onError: (error) => this.#emit('error', error),
  });
  #requests = new SessionRequests(this, this.#session, this.#engine);
  #baselineSession = new BaselineSession({
    onChange: () => {
      this.requestUpdate();
      this.#emit('compared', null);
    },
    engine: this.#engine,
    nameOf: nameOfOrigin,
  });
  /** What the layout shows in this update. */
  #state = /** @type {ScopeState} */ ({});
  /** The choice in this update. */
  #choice = /** @type {Choice} */ ({});
  #notices = new Notices(this);
  #picture = new Picture({
    onMode: (mode) => this.#actions.compareBy(mode),
    onPin: (token) => this.choose({token}),
    onSelect: (layer, head) => this.choose({layer, heads: [head], open: true}),
    onClose: () => this.choose({open: false}),
    onOpen: (layer, head) => this.choose({view: 'head', layer, heads: [head]}),
  });
  #overview = new Overview(this);
  #actions = {
    choose: (/** @type {Partial<State>} */ choice) => this.choose(choice),
    compareBy: (/** @type {CompareMode} */ mode) =>
      this.choose({compare: this.compare && {...this.compare, mode}}),
    keep: (/** @type {Pass} */ pass) => this.choose({compare: this.#baselineSession.keep(pass)}),
    inspect: (/** @type {boolean} */ isBaseline) => {
      this.#picture.prefersBaseline = isBaseline;
      this.requestUpdate();
    },
    retry: () => this.#requests.retry(),
    help: () => openShortcutDialog(/** @type {ShadowRoot} */ (this.renderRoot)),
    publish: () => this.openExport(),
  };

  constructor() {
    super();
    this.addController(new Shortcuts(this, this.#actions.help));
  }

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
    return withHas(this.#picture.comparison?.shape ?? this.shape);
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
    const {pass} = this.#session;
    return pass && this.#picture.exportedOf(pass, choiceOf(this));
  }

  connectedCallback() {
    super.connectedCallback();
    BertScope.instances.add(this);
    this.#requests.resume();
    this.#baselineSession.resume();
    if (!this.#session.resume()) this.#requests.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    BertScope.instances.delete(this);
    this.#requests.stop();
    queueMicrotask(() => {
      if (this.isConnected) return; // The element was only moved.
      this.#session.releaseModel();
      this.#baselineSession.releaseModel();
    });
  }

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
    this.#requests.follow(changed);
    const {pass, untouched} = this.#session;
    const {shownView: view, compare, files, noSpecialTokens} = this;
    // It usually arrives while the engine starts or the matrices of the picture are fetched.
    if (!views[this.view] && changed.has('view')) this.#live?.loadView(this);
    this.#choice = choiceOf(this);
    const isReady = Boolean(pass) && pass !== this.#requests.poster;
    const sources = {pass, untouched, files, specialTokens: !noSpecialTokens, isReady};
    this.#baselineSession.follow(compare, sources);
    this.#picture.baseline = this.#baselineSession.baseline;
    this.#picture.compare(pass, view, this.#choice);
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
      comparison: this.#picture.comparison,
      notices: this.#notices.shown,
      hasDrawn: this.#picture.hasDrawn,
      picture: pass && this.#picture.render(pass, shownView, choice),
    };
    return this.layout(this, this.#state, this.#actions);
  }

  /** @param {PropertyValues<this>} changed */
  updated(changed) {
    if (changed.has('large')) this.#picture.forget();
    const {pass, failure} = this.#session;
    if (!pass) this.#overview.clear();
    if (!pass || failure) return;
    // The layout may have changed how the picture is read.
    this.#choice = choiceOf(this);
    const {hasDrawn} = this.#picture;
    const drawn = this.#picture.draw(pass, this.shownView, this.#choice, this.#session);
    if (drawn) this.lastDrawnView = this.shownView;
    if (!hasControls(this)) return;
    if (hasDrawn) {
      const inspected = this.#picture.inspectedOf(pass, this.#choice);
      this.#overview.update(this.#state, inspected, drawn);
    }
    // The first picture does not wait for the panels: they are updated in a later task.
    else if (drawn) setTimeout(() => this.requestUpdate());
  }

  /**
   * @param {string} type
   * @param {unknown} detail
   */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, {detail}));
  }
}
