/**
 * A learning platform's side of SCORM 1.2, as strict as the standard: it refuses elements that it does not name and
 * values that are not of their types. What is committed outlives the page.
 */

const decimal = /^-?\d+(\.\d+)?$/;

/** The elements that the lessons may use, and what each may be set to; null: it can only be read. */
const elements = {
  'cmi.core.lesson_mode': null,
  'cmi.core.lesson_status': /^(passed|completed|failed|incomplete|browsed|not attempted)$/,
  'cmi.core.lesson_location': /^.{0,255}$/,
  'cmi.core.score.raw': decimal,
  'cmi.core.score.min': decimal,
  'cmi.core.score.max': decimal,
  'cmi.core.exit': /^(|time-out|suspend|logout)$/,
  'cmi.core.session_time': /^\d{2,4}:\d\d:\d\d(\.\d{1,2})?$/,
  'cmi.suspend_data': /^[^]{0,4096}$/,
};

/** @typedef {keyof typeof elements} CmiElement */

class StrictApi {
  #isRunning = false;
  #error = '0';
  /** @type {Record<string, string>} */
  #values = {
    'cmi.core.lesson_mode': 'normal',
    'cmi.core.lesson_status': 'not attempted',
    ...JSON.parse(sessionStorage.getItem('cmi') ?? '{}'),
  };

  /** @param {string} empty */
  LMSInitialize(empty) {
    const isAllowed = empty === '' && !this.#isRunning;
    this.#isRunning ||= isAllowed;
    return this.#answer(isAllowed, '101');
  }

  /** @param {string} empty */
  LMSFinish(empty) {
    const isAllowed = this.LMSCommit(empty) === 'true';
    this.#isRunning = false;
    return String(isAllowed);
  }

  /** @param {string} empty */
  LMSCommit(empty) {
    const isAllowed = empty === '' && this.#isRunning;
    if (isAllowed) sessionStorage.setItem('cmi', JSON.stringify(this.#values));
    return this.#answer(isAllowed, '301');
  }

  /** @param {CmiElement} element */
  LMSGetValue(element) {
    const isAllowed = this.#isRunning && element in elements;
    return this.#answer(isAllowed, this.#isRunning ? '401' : '301') === 'true'
      ? (this.#values[element] ?? '')
      : '';
  }

  /** @param {CmiElement} element @param {string} value */
  LMSSetValue(element, value) {
    const allowed = elements[element];
    const isAllowed = this.#isRunning && allowed instanceof RegExp && allowed.test(value);
    if (isAllowed) this.#values[element] = value;
    return this.#answer(isAllowed && typeof value === 'string', '405');
  }

  LMSGetLastError() {
    return this.#error;
  }

  /** @param {boolean} isAllowed @param {string} error */
  #answer(isAllowed, error) {
    this.#error = isAllowed ? '0' : error;
    return String(isAllowed);
  }
}

Object.assign(window, {API: new StrictApi()});
