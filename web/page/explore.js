import {nothing} from 'lit';
import {Headline, subjectOf} from '../scope/headline.js';
import headlineStyle from '../scope/headline.css?inline';
import presentationStyle from '../controls/presentation.css?inline';
import {scopeLayout} from '../scope/layout.js';
import {spotsIn} from '../scope/view-stage.js';
import {exploreLayout, shownPanel} from './explore-layout.js';
import {FindingGuide} from './finding-guide.js';
import {Presenter} from './presenter.js';
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
 * @property {(token: TokenRef | null) => void} hover
 * @property {(name: PanelName, scope: ScopeProperties, state: ScopeState, actions: ScopeActions) => unknown} panel
 */

/** Arranges the page's element: a headline over the picture, and panels that open beside it. */
export class Explore {
  guide;
  #scope;
  #presenter;
  /** The token under the pointer or the focus. @type {TokenRef | null} */
  #hovered = null;
  #headline = new Headline();
  /** @type {typeof import('./explore-panels.js').panels | null} */
  #panels = null;

  /** @param {BertScope} scope @param {boolean} isByHand  whether the address has chosen what is shown */
  constructor(scope, isByHand) {
    this.#scope = scope;
    this.guide = new FindingGuide(scope, isByHand);
    this.#presenter = new Presenter(scope, this.guide);
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
    if (scope.panel === 'all' && !scope.present) return scopeLayout(scope, state, actions);
    if (shownPanel(scope) && !this.#panels) void this.#loadPanels();
    return exploreLayout(scope, state, actions, {
      headline: this.#headline.draw(subjectOf(scope, state, this.#hovered ?? this.#kept)),
      findings: this.#scope.result ? this.guide.list.length : 0,
      next: () => this.guide.go(1),
      present: () => this.#presenter.start(),
      bar: this.#presenter.bar,
      hover: (token) => this.#hover(token),
      panel: (name, ...shown) => this.#panels?.[name](...shown) ?? nothing,
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

  async #loadPanels() {
    ({panels: this.#panels} = await import('./explore-panels.js'));
    this.#scope.requestUpdate();
  }
}
