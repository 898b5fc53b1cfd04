import {parseRoute} from '../routes/routes.js';
import {carryOver, formatStep} from './lesson-address.js';

/** @import {AnswerSheet} from './answers/answer-fields.js' */
/** @import {Lesson} from './index.js' */
/** @import {Input, Step} from './step.js' */

/** The step of a lesson that is shown, and where its address leads. */
export class ShownStep {
  /**
   * @param {Lesson} lesson
   * @param {number} at  the index of the step
   * @param {Record<string, Step>} steps  all of the lesson, by their ids
   */
  constructor(lesson, at, steps) {
    this.lesson = lesson;
    this.at = at;
    this.steps = steps;
    this.id = lesson.steps[at].id;
    this.step = steps[this.id];
    this.key = `${lesson.id}/${this.id}`;
  }

  /** Whether the address is that of this step. */
  get isAddressed() {
    const {section, path} = parseRoute(location.hash) ?? {};
    const [lessonId, stepId = this.lesson.steps[0].id] = path ?? [];
    return section === 'lessons' && lessonId === this.lesson.id && stepId === this.id;
  }

  /**
   * The address of a step of this lesson. It carries the reader's input over where the steps begin with
   * the same.
   *
   * @param {number} to
   * @param {Input} input  to this step
   * @param {{large: boolean, present: boolean, model: string, sheet?: AnswerSheet}} shown  how the address has it shown
   */
  addressOf(to, input, shown) {
    const {id} = this.lesson.steps[to];
    const step = this.steps[id];
    const carried = to === this.at ? input : carryOver(this.step, input, step);
    return formatStep(this.lesson.id, id, step, {...carried, ...shown});
  }
}
