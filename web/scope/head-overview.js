import {headMap} from '../views/parts/head-map.js';
import {inspector} from '../views/parts/inspector.js';
import {overviewData} from './head-overview-data.js';
import {Surveys} from '../session/head-surveys.js';

/** @import {NamedStatistics, OverviewState} from './head-overview-data.js' */
/** @import {Survey} from '../session/head-surveys.js' */
/** @import {Block} from '../attention/shape.js' */
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
  #surveys;
  #onChoose;
  /** The latest survey, which is shown until the next one is there. @type {{base: Snapshot, survey: Survey} | null} */
  #last = null;
  /** @type {ViewData | null} */
  #drawn = null;
  /** @type {HeadMapData | null} */
  #mapped = null;

  /** @param {{onChange: () => void, onChoose: (block: Block) => void}} listener */
  constructor({onChange, onChoose}) {
    this.#onChoose = onChoose;
    this.#surveys = new Surveys(onChange);
  }

  /**
   * @param {OverviewState} state
   * @returns {boolean} whether the panels have to be rendered again
   */
  update(state) {
    const parts = () => [this.map, this.inspector, this.#last?.survey, JSON.stringify(this.known)];
    const before = parts();
    const {session, pass, base, drawn, isInspectorOpen, dark} = state;
    if (session.isRunning) this.#surveys.stop();
    else this.#surveys.request(pass, base);
    const survey = this.#surveys.of(base);
    if (survey) this.#last = {base, survey};
    const {known, map, inspected} = overviewData(state, this.#last);
    this.known = known;
    this.habits = inspected.habits;

    this.#mapped = {...map, dark};
    if (this.map) this.map.update(this.#mapped);
    else this.map = headMap(this.#mapped, {onChoose: this.#onChoose});

    this.#drawn = drawn ?? this.#drawn;
    if (this.#drawn) {
      const data = {...this.#drawn, ...inspected, isOpen: isInspectorOpen};
      this.inspector ??= inspector(data);
      // A page may show it in a panel that is closed.
      if (this.inspector.isConnected) this.inspector.update(data);
    }
    const after = parts();
    return before.some((part, i) => part !== after[i]);
  }

  /** Removes the colours of the map when there is no text; the map keeps its place. */
  clear() {
    this.#last = null;
    if (this.#mapped) this.map?.update({...this.#mapped, statistic: null});
  }
}
