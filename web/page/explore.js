import {nothing} from 'lit';
import {enterFullScreen} from '../controls/full-screen.js';
import {Headline, subjectOf} from '../scope/headline.js';
import headlineStyle from '../scope/headline.css?inline';
import presentationStyle from '../controls/presentation.css?inline';
import {scopeLayout} from '../scope/layout.js';
import {PartLoader} from '../scope/part-loader.js';
import {spotsIn} from '../scope/view-stage.js';
import {exploreStrings} from '../strings/explore.js';
import {pageStrings} from '../strings/page.js';
import {workbenchPart} from './attach-workbench.js';
import {exploreLayout, shownPanel} from './explore-layout.js';
import {FindingGuide} from './finding-guide.js';
import style from './explore.css?inline';
import presentedStyle from './explore-presented.css?inline';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {ScopeActions, ScopeState} from '../scope/layout.js' */
/** @import {ScopeProperties} from '../scope/scope-properties.js' */
/** @import {TokenRef} from '../attention/selection.js' */
/** @import {PanelName} from './explore-layout.js' */

/**
 * What the layout of the page shows besides the element's own state, and what it can do.
 *
 * @typedef {object} ExploreActions
 * @property {unknown} headline
 * @property {number} findings  how many findings there are to go through
 * @property {() => void} next
 * @property {() => void} present
 * @property {unknown} bar  of a presentation
 * @property {() => void} approach  is called when the reader is about to open a panel
 * @property {(token: TokenRef | null) => void} hover
 * @property {(name: PanelName, scope: ScopeProperties, state: ScopeState, actions: ScopeActions) => unknown} panel
 */

const panels = new PartLoader(async () => (await import('./explore-panels.js')).panels);

/** Arranges the page's element: a headline over the picture, and panels that open beside it. */
export class Explore {
  guide;
  #scope;
  #presenter = new PartLoader(async () => {
    const {Presenter} = await import('./presenter.js');
    return new Presenter(this.#scope, this.guide);
  });
  #isPresented = false;
  /** The token under the pointer or the focus. @type {TokenRef | null} */
  #hovered = null;
  #headline = new Headline();
  /** The panel that was open when this last looked. @type {PanelName | undefined} */
  #opened;

  /** @param {BertScope} scope @param {boolean} isByHand  whether the address has chosen what is shown */
  constructor(scope, isByHand) {
    this.#scope = scope;
    this.guide = new FindingGuide(scope, isByHand);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(headlineStyle + presentationStyle + style + presentedStyle);
    /** @type {ShadowRoot} */ (scope.renderRoot).adoptedStyleSheets.push(sheet);
    scope.layout = (...shown) => this.#layout(...shown);
    // A long text takes more lines of its field, and leaves less of the window to the picture.
    const measure = () => {
      const above = Math.round(scope.getBoundingClientRect().top + scrollY);
      scope.style.setProperty('--above', `${above}px`);
    };
    new ResizeObserver(measure).observe(document.body);
    scope.requestUpdate();
  }

  /** @param {ScopeProperties} scope @param {ScopeState} state @param {ScopeActions} actions */
  #layout(scope, state, actions) {
    void this.#loadPanels(shownPanel(scope));
    void this.#loadPresenter(scope.present);
    if (scope.panel === 'all' && !scope.present) return scopeLayout(scope, state, actions);
    return exploreLayout(scope, state, actions, {
      headline: this.#headline.draw(subjectOf(scope, state, this.#hovered ?? this.#kept)),
      findings: this.#scope.result ? this.guide.list.length : 0,
      next: () => this.guide.go(1),
      present: () => this.#present(),
      bar: this.#presenter.loaded?.bar ?? nothing,
      approach: () => void Promise.all([panels.loadAhead(), workbenchPart.loadAhead()]),
      hover: (token) => this.#hover(token),
      panel: (name, ...shown) => panels.loaded?.[name](...shown) ?? nothing,
    });
  }

  /** The query that the neuron view keeps while a key is pinned: it shows the link between the two. @returns {TokenRef | null} */
  get #kept() {
    const {shownView, token} = this.#scope;
    if (shownView !== 'neuron' || token?.side !== 'key') return null;
    const query = spotsIn(this.#scope)?.query ?? null;
    return query === null ? null : {side: 'query', index: query};
  }

  /** @param {TokenRef | null} token */
  #hover(token) {
    if (JSON.stringify(token) === JSON.stringify(this.#hovered)) return;
    this.#hovered = token;
    this.#scope.requestUpdate();
  }

  #present() {
    enterFullScreen();
    this.#scope.change({present: true});
  }

  /** Loads the bar and the keys of a presentation when one begins. @param {boolean} isPresented */
  async #loadPresenter(isPresented) {
    const begins = isPresented && !this.#isPresented;
    this.#isPresented = isPresented;
    if (!begins || this.#presenter.loaded) return;
    if (await this.#presenter.loadFor(this.#scope, pageStrings.present.start))
      this.#scope.requestUpdate();
    else this.#scope.change({present: false});
  }

  /** Loads what panels hold when one is opened. @param {PanelName | undefined} name */
  async #loadPanels(name) {
    const isOpened = name && name !== this.#opened;
    this.#opened = name;
    if (!isOpened || panels.loaded) return;
    if (await panels.loadFor(this.#scope, exploreStrings.panels.names[name]))
      this.#scope.requestUpdate();
  }
}
