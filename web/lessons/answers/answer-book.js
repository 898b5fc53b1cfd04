import {lessons} from '../index.js';
import {continued, longestAnswer, longestName, noAnswers, tidy} from './answer-fields.js';
import {keepAnswers, keptAnswers} from './kept-answers.js';
import {verdictOf} from './verdict.js';

/** @import {Asked, Found} from '../step.js' */
/** @import {Answer, AnswerSheet} from './answer-fields.js' */

/** The reader's answers in all lessons, and how far they are with the question of the step that is shown. */
export class AnswerBook {
  /** The answers in each lesson, by its id. @type {Map<string, AnswerSheet>} */
  #sheets = keptAnswers();
  /** The reader's name, which is the same in all lessons. */
  #name = [...this.#sheets.values()].find(({name}) => name)?.name ?? '';
  #lesson = '';
  #step = '';
  #isRevealed = false;
  /** What the engine found; undefined before it has. @type {Found | null | undefined} */
  #found;
  /** The numbers that it follows from. @type {unknown} */
  #facts;

  /**
   * Turns to a step.
   *
   * @param {string} lesson
   * @param {string} step
   * @param {AnswerSheet} arrived  with the address
   */
  open(lesson, step, arrived) {
    if (this.#lesson !== lesson || this.#step !== step) this.#turn(lesson, step);
    this.#keep(continued(this.sheet, arrived));
    this.#isRevealed ||= Boolean(this.own);
  }

  /** @param {string} lesson @param {string} step */
  #turn(lesson, step) {
    this.#lesson = lesson;
    this.#step = step;
    this.#isRevealed = false;
    this.#found = this.#facts = undefined;
  }

  /** The answers in this lesson. @returns {AnswerSheet} */
  get sheet() {
    const {answers} = this.#sheets.get(this.#lesson) ?? noAnswers;
    return {name: this.#name, answers};
  }

  /** The answers in every lesson that has some, in the order of the lessons. */
  get all() {
    return lessons.flatMap((lesson) => {
      const {answers} = this.#sheets.get(lesson.id) ?? noAnswers;
      return Object.keys(answers).length ? {lesson, sheet: {name: this.#name, answers}} : [];
    });
  }

  /** The reader's answer in this step. @returns {Answer | undefined} */
  get own() {
    return this.sheet.answers[this.#step];
  }

  get isRevealed() {
    return this.#isRevealed;
  }

  get found() {
    return this.#found;
  }

  get facts() {
    return this.#facts;
  }

  /** Shows the answer. What the reader predicts is compared once the engine has found it. @param {string} predicted */
  reveal(predicted) {
    const said = tidy(predicted, longestAnswer);
    if (said) this.#write({said, verdict: 'open'});
    this.#isRevealed = true;
  }

  /** @param {Asked | undefined} asked @param {Found | null} found @param {unknown} [facts] */
  settle(asked, found, facts) {
    this.#found = found;
    this.#facts = facts;
    const {own} = this;
    if (own?.verdict === 'open') this.#write({...own, verdict: verdictOf(asked, own.said, found)});
  }

  /** Takes the answer in this step back. */
  retract() {
    this.#write(null);
    this.#turn(this.#lesson, this.#step);
  }

  /** @param {string} name */
  sign(name) {
    this.#keep({...this.sheet, name: tidy(name, longestName)});
  }

  /** @param {Answer | null} answer */
  #write(answer) {
    const {name, answers} = this.sheet;
    const {[this.#step]: _, ...others} = answers;
    this.#keep({name, answers: answer ? {...others, [this.#step]: answer} : others});
  }

  /** @param {AnswerSheet} sheet  the answers in this lesson */
  #keep(sheet) {
    this.#name = sheet.name;
    this.#sheets.set(this.#lesson, sheet);
    keepAnswers(this.#sheets);
  }
}
