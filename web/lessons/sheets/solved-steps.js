import {parseRoute} from '../../routes/routes.js';
import {lessons} from '../index.js';
import {parseStep} from '../lesson-address.js';
import {lessonTexts} from '../lesson-text.js';
import {loadSteps} from '../lesson-steps.js';
import {StepRun} from '../step-run.js';

/** @import {Route} from '../../routes/routes.js' */
/** @import {Lesson} from '../index.js' */
/** @import {StepText} from '../lesson-text.js' */
/** @import {Found, Step} from '../step.js' */
/** @import {Computed} from '../step-run.js' */

/**
 * A step with the answer to its question, from the sentences and the choices that it begins with.
 *
 * @typedef {object} SolvedStep
 * @property {Lesson} lesson
 * @property {number} at
 * @property {StepText} text
 * @property {string} address
 * @property {Step} [step]  undefined before it is loaded
 * @property {Computed} [computed]  undefined before it is computed
 * @property {Found | null} [found]  undefined before the engine has found it
 * @property {unknown} [facts]
 * @property {Error | null} [failure]
 */

/** @param {string} path  `lesson/step` @returns {SolvedStep} */
function unsolved(path) {
  const [id, stepId] = path.split('/');
  const lesson = /** @type {Lesson} */ (lessons.find((each) => each.id === id));
  const at = lesson.steps.findIndex((step) => step.id === stepId);
  return {lesson, at, text: lessonTexts[id].steps[stepId], address: `#/lessons/${path}`};
}

/** Solves steps one after the other, with the models that come with the page. */
export class SolvedSteps {
  /** @type {SolvedStep[]} */
  all = [];
  #user;
  #onChange;
  /** @type {StepRun | undefined} */
  #run;

  /** @param {object} user  of the models @param {() => void} onChange */
  constructor(user, onChange) {
    this.#user = user;
    this.#onChange = onChange;
  }

  /** Whether each step has its answer. */
  get isDone() {
    return this.all.every(({found, failure}) => found !== undefined || failure);
  }

  /** @param {readonly string[]} paths  `lesson/step` */
  async start(paths) {
    this.stop();
    const all = (this.all = paths.map(unsolved));
    for (const solved of all) {
      await this.#solve(solved);
      if (this.all !== all) return;
      this.#onChange();
    }
  }

  stop() {
    this.all = [];
    this.#run?.stop();
  }

  /** @param {SolvedStep} solved */
  async #solve(solved) {
    const {lesson, at, address} = solved;
    const run = (this.#run = new StepRun(this.#user, () => {}));
    try {
      const steps = await loadSteps(lesson.id);
      // A run that began after the stop would hold the page's model for ever.
      if (!this.all.includes(solved)) return;
      const step = (solved.step = steps[lesson.steps[at].id]);
      const input = parseStep(/** @type {Route} */ (parseRoute(address)), step);
      await run.start(step, address, input, '');
      solved.computed = run.computed ?? undefined;
      const answer = await run.find(step);
      solved.found = answer?.found;
      solved.facts = answer?.facts;
    } catch (error) {
      run.fail(error);
    }
    solved.failure = run.failure;
  }
}
