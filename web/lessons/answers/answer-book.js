import {continued, longestAnswer, longestName, noAnswers, tidy} from './answer-fields.js';
import {verdictOf} from './verdict.js';

/** @import {Asked, Found} from '../step.js' */
/** @import {Answer, AnswerSheet} from './answer-fields.js' */

/** The reader's answers in all lessons, and how far they are with the question of the step that is shown. */
export class AnswerBook {
  #name = '';
  /** By the id of the lesson. @type {Map<string, AnswerSheet['answers']>} */
  #answers = new Map();
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
   * @returns {boolean}  whether the address lacks some of the reader's answers
   */
  open(lesson, step, arrived) {
    if (this.#lesson !== lesson || this.#step !== step) this.#turn(lesson, step);
    const sheet = continued(this.sheet, arrived);
    this.#name = sheet.name;
    this.#answers.set(lesson, sheet.answers);
    this.#isRevealed ||= Boolean(this.own);
    return sheet !== arrived && (sheet.name !== '' || Object.keys(sheet.answers).length > 0);
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
    return {name: this.#name, answers: this.#answers.get(this.#lesson) ?? noAnswers.answers};
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
    this.#name = tidy(name, longestName);
  }

  /** @param {Answer | null} answer */
  #write(answer) {
    const {[this.#step]: _, ...others} = this.sheet.answers;
    this.#answers.set(this.#lesson, answer ? {...others, [this.#step]: answer} : others);
  }
}
