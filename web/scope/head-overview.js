import {displayIn, kindsOf} from '../views/view-kinds.js';
import {headMap} from '../views/parts/head-map.js';
import {inspector} from '../views/parts/inspector.js';
import {overviewData} from './head-overview-data.js';
import {Surveys} from '../session/head-surveys.js';
import {choiceOnMap} from './reader-choice.js';
import {baseOf} from './view-data.js';
import {isWideScreen} from './wide-screen.js';

/** @import {BertScope} from './bert-scope.js' */
/** @import {Inspected} from './compared-picture.js' */
/** @import {NamedStatistics} from './head-overview-data.js' */
/** @import {ScopeState} from './layout.js' */
/** @import {Survey} from '../session/head-surveys.js' */
/** @import {Snapshot} from '../attention/snapshot.js' */
/** @import {Habit} from '../views/parts/inspector.js' */
/** @import {HeadMapData} from '../views/parts/head-map.js' */
/** @import {ViewData} from '../views/view-kinds.js' */

/** The panels beside the picture: the map of all heads, and the inspector that says what the picture shows. */
export class Overview {
  /** @type {ReturnType<typeof headMap> | null} */
  map = null;
  /** @type {ReturnType<typeof inspector> | null} */
  inspector = null;
  /** What each head does, `[layers * heads]`; null while it is not known. @type {ArrayLike<Habit> | null} */
  habits = null;
  /** The statistics that can colour the map, as they are called. @type {NamedStatistics} */
  known = {};
  #scope;
  #surveys;
  /** The latest survey, which is shown until the next one is there. @type {{base: Snapshot, survey: Survey} | null} */
  #last = null;
  /** @type {ViewData | null} */
  #drawn = null;
  /** @type {HeadMapData | null} */
  #mapped = null;

  /** @param {BertScope} scope */
  constructor(scope) {
    this.#scope = scope;
    this.#surveys = new Surveys(() => scope.requestUpdate());
  }

  /**
   * @param {ScopeState} state
   * @param {Inspected} inspected
   * @param {ViewData | null} drawn  the data for the inspector; null if they have not changed
   */
  update(state, {pass, choice, ...names}, drawn) {
    const scope = this.#scope;
    const parts = () => [this.map, this.inspector, this.#last?.survey, JSON.stringify(this.known)];
    const before = parts();
    const base = baseOf(pass, choice.filter);
    if (state.session.isRunning) this.#surveys.stop();
    else this.#surveys.request(pass, base);
    const survey = this.#surveys.of(base);
    if (survey) this.#last = {base, survey};
    const {statistic, mapped} = scope;
    const display = displayIn(scope.shownView, choice.display);
    const {known, map, inspected} = overviewData(
      {...state, ...names, base, display, statistic, mapped},
      this.#last,
    );
    this.known = known;
    this.habits = inspected.habits;

    this.#mapped = {...map, dark: choice.dark};
    if (this.map) this.map.update(this.#mapped);
    else {
      this.map = headMap(this.#mapped, {
        onChoose: (block) => scope.choose(choiceOnMap(block, kindsOf[scope.shownView])),
      });
    }

    this.#drawn = drawn ?? this.#drawn;
    if (this.#drawn) {
      // On a small screen there is room for all numbers in a panel of their own.
      const isOpen = isWideScreen() || scope.panel === 'numbers';
      const data = {...this.#drawn, ...inspected, isOpen};
      this.inspector ??= inspector(data);
      // A page may show it in a panel that is closed.
      if (this.inspector.isConnected) this.inspector.update(data);
    }
    const after = parts();
    if (before.some((part, i) => part !== after[i])) scope.requestUpdate();
  }

  /** Removes the colours of the map when there is no text; the map keeps its place. */
  clear() {
    this.#last = null;
    if (this.#mapped) this.map?.update({...this.#mapped, statistic: null});
  }
}
