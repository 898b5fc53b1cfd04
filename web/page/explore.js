import {nothing} from 'lit';
import {adoptStyles} from '../controls/adopt-styles.js';
import {enterFullScreen, leaveFullScreen} from '../controls/full-screen.js';
import {Headline, subjectOf} from '../scope/headline.js';
import headlineStyle from '../scope/headline.css?inline';
import {scopeLayout} from '../scope/layout.js';
import {PartLoader} from '../scope/part-loader.js';
import {spotsIn} from '../scope/view-stage.js';
import {exploreStrings} from '../strings/explore.js';
import {pageStrings} from '../strings/page.js';
import {workbenchPart} from './attach-workbench.js';
import {isGuessClosed, keepGuessClosed} from './closed-guess.js';
import {exploreLayout, shownPanel} from './explore-layout.js';
import {FindingGuide} from './finding-guide.js';
import style from './explore.css?inline';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {ScopeActions, ScopeState} from '../scope/layout.js' */
/** @import {ScopeProperties} from '../scope/scope-properties.js' */
/** @import {TokenRef} from '../attention/selection.js' */
/** @import {PanelName} from './explore-layout.js' */
/** @import {namesOf} from './explore-later.js' */

/**
 * What the layout of the page shows besides the element's own state, and what it can do.
 *
 * @typedef {object} ExploreActions
 * @property {unknown} headline
 * @property {unknown} colour  what colours the map, and the choice of it
 * @property {unknown[]} ends  the ways into the model and out of it, above and below the map; null: there is none
 * @property {boolean} hasNext  whether there is another finding to go to
 * @property {() => void} next
 * @property {unknown} guess  what the line below the headline says; null: there is no such line
 * @property {ReturnType<typeof namesOf> | null | undefined} names  draws what heads look at
 * @property {() => void} present
 * @property {unknown} bar  of a presentation
 * @property {() => void} approach  is called when the reader is about to open a panel
 * @property {(token: TokenRef | null) => void} hover
 * @property {(name: PanelName, scope: ScopeProperties, state: ScopeState, actions: ScopeActions) => unknown} panel
 */

/** Arranges the page's element: a headline over the picture, and panels that open beside it. */
export class Explore {
  guide;
  #scope;
  #presenter = new PartLoader(async () => {
    const {Presenter} = await import('./presenter.js');
    return new Presenter(this.#scope, this.guide);
  });
  /** Loads what the first screen shows around the picture, the panels, and what answers a pin. */
  #later = new PartLoader(async () => {
    const {GuessStrip, followRelations, ...later} = await import('./explore-later.js');
    followRelations(this.#scope);
    // In a later task the loader has it.
    setTimeout(() => this.#scope.requestUpdate());
    return {...later, guess: new GuessStrip(this.#scope)};
  });
  #isGuessClosed = isGuessClosed();
  #hasPicture = false;
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
    const root = /** @type {ShadowRoot} */ (scope.renderRoot);
    adoptStyles(root, headlineStyle, style);
    scope.mapped = null;
    scope.layout = (...shown) => this.#layout(...shown);
    // A long text takes more lines of its field, and leaves less of the window to the picture.
    const measure = () => {
      const above = Math.round(scope.getBoundingClientRect().top + scrollY);
      scope.style.setProperty('--above', `${above}px`);
    };
    new ResizeObserver(measure).observe(document.body);
    scope.addEventListener('selection', () => void this.#later.loadAhead());
    scope.requestUpdate();
  }

  /** @param {ScopeProperties} scope @param {ScopeState} state @param {ScopeActions} actions */
  #layout(scope, state, actions) {
    void this.#loadPanels(shownPanel(scope));
    void this.#followPresentation(scope.present);
    if (state.drawn && !this.#hasPicture) this.#loadLater();
    const {loaded} = this.#later;
    // A comparison has a headline of its own.
    if (scope.compare) void this.#later.loadAhead();
    loaded?.showCompared(this.#scope);
    const answer = loaded?.answerPin(this.#scope, state, this.guide);
    const colour = loaded?.mapColour(this.#scope, state, actions);
    if (scope.panel === 'all' && !scope.present) {
      return scopeLayout(scope, {...state, mapChoice: colour}, actions);
    }
    const subject = subjectOf(scope, state, this.#hovered ?? this.#keptIn(state));
    return exploreLayout(scope, state, actions, {
      headline: [
        this.#headline.draw(loaded ? loaded.inItsWords(subject, scope, state) : subject),
        answer,
      ],
      colour,
      ends: loaded?.mapEnds(this.#scope, state) ?? [],
      hasNext: this.#scope.result !== null && this.guide.hasNext,
      next: () => this.guide.go(1),
      guess:
        scope.compare || this.#isGuessClosed
          ? null
          : (loaded?.guess.draw(state, () => this.#closeGuess()) ?? nothing),
      // They stand below the choice of the colour, and come with it.
      names: scope.mapped === null ? null : loaded?.namesOf(this.#scope),
      present: () => void this.#present(),
      bar: this.#presenter.loaded?.bar ?? nothing,
      approach: () => void Promise.all([this.#later.loadAhead(), workbenchPart.loadAhead()]),
      hover: (token) => this.#hover(token),
      panel: (...shown) => loaded?.drawer(...shown) ?? nothing,
    });
  }

  /** The query that a view keeps while a key is pinned: it shows the vectors of both. @param {ScopeState} state @returns {TokenRef | null} */
  #keptIn({kind}) {
    const {token} = this.#scope;
    if (!kind.hasVectors || token?.side !== 'key') return null;
    const query = spotsIn(this.#scope)?.query ?? null;
    return query === null ? null : {side: 'query', index: query};
  }

  /** Loads what comes after the first picture when that is painted. */
  #loadLater() {
    this.#hasPicture = true;
    requestAnimationFrame(() => setTimeout(() => void this.#later.loadAhead()));
  }

  #closeGuess() {
    this.#isGuessClosed = true;
    keepGuessClosed();
    this.#scope.requestUpdate();
  }

  /** @param {TokenRef | null} token */
  #hover(token) {
    if (JSON.stringify(token) === JSON.stringify(this.#hovered)) return;
    this.#hovered = token;
    this.#scope.requestUpdate();
  }

  /** Begins a presentation when its bar and its keys are there: without them it could not be left. */
  async #present() {
    // The browser allows this only at once.
    enterFullScreen();
    if (await this.#loadPresenter()) this.#scope.change({present: true});
    else leaveFullScreen();
  }

  /** Begins the presentation of an address. @param {boolean} isPresented */
  async #followPresentation(isPresented) {
    const begins = isPresented && !this.#isPresented;
    this.#isPresented = isPresented;
    if (!begins || this.#presenter.loaded) return;
    if (await this.#loadPresenter()) this.#scope.requestUpdate();
    else this.#scope.change({present: false}, false);
  }

  #loadPresenter() {
    return this.#presenter.loadFor(this.#scope, pageStrings.present.start);
  }

  /** Loads what panels hold when one is opened. @param {PanelName | undefined} name */
  async #loadPanels(name) {
    const isOpened = name && name !== this.#opened;
    this.#opened = name;
    if (isOpened) await this.#later.loadFor(this.#scope, exploreStrings.panels.names[name]);
  }
}
