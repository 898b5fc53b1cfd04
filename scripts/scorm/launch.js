/**
 * Runs one lesson in a learning platform (SCORM 1.2): shows the page of the lessons in a frame, and tells the platform
 * what the page tells. Without a platform the lesson runs all the same.
 */

/** @import {LessonProgress} from '../../web/lessons/answers/announce.js' */

/**
 * The functions that a platform offers. All values are texts.
 *
 * @typedef {object} Api
 * @property {(empty: '') => string} LMSInitialize
 * @property {(empty: '') => string} LMSFinish
 * @property {(element: string) => string} LMSGetValue
 * @property {(element: string, value: string) => string} LMSSetValue
 * @property {(empty: '') => string} LMSCommit
 */

/** The standard's limit of `cmi.suspend_data`, in characters. */
const mostSuspended = 4096;
/** The standard says that the API is at most so far up. */
const mostParents = 500;

const frame = /** @type {HTMLIFrameElement} */ (document.querySelector('iframe'));
const first = String(frame.dataset.first);
const lesson = first.split('/')[2];
const started = performance.now();

const api = findApi(window) ?? (window.opener ? findApi(window.opener) : null);
const isRunning = call('LMSInitialize', '') === 'true';
const read = (/** @type {string} */ element) => (isRunning ? call('LMSGetValue', element) : '');
/** In a review or while browsing, a platform may show a lesson that must not be recorded. */
const isRecorded = isRunning && !/^(browse|review)$/.test(read('cmi.core.lesson_mode'));
const write = (/** @type {string} */ element, /** @type {string} */ value) =>
  void (isRecorded && call('LMSSetValue', element, value));

const resumed = resumedFrom(read('cmi.suspend_data'));
/** The latest report: the platform does not get the same one twice. */
let told = '';

if (/^(not attempted)?$/.test(read('cmi.core.lesson_status')))
  write('cmi.core.lesson_status', 'incomplete');
addEventListener('message', ({origin, source, data}) => {
  if (origin !== location.origin || source !== frame.contentWindow) return;
  if (data?.lessonProgress?.lesson === lesson) tell(data.lessonProgress);
});
addEventListener('pagehide', finish, {once: true});
// The keys of the lesson work without a click.
frame.addEventListener('load', () => frame.contentWindow?.focus());
frame.src = `bertscope.html${resumed}`;

/**
 * Asks the platform. Whatever is wrong with it must not keep a student from the lesson, so an error is no answer.
 *
 * @param {keyof Api} name
 * @param {string[]} values
 * @returns {string}  Some platforms answer with true in place of a text.
 */
function call(name, ...values) {
  try {
    const answer = /** @type {any} */ (api)[name](...values);
    if (typeof answer === 'boolean') return String(answer);
    return typeof answer === 'string' ? answer : '';
  } catch {
    return '';
  }
}

/**
 * @param {Window & {API?: Api}} from
 * @returns {Api | null}
 */
function findApi(from) {
  let at = from;
  for (let i = 0; i < mostParents; i++) {
    try {
      if (at.API) return at.API;
    } catch {
      return null; // a window of another host
    }
    if (at.parent === at) return null;
    at = at.parent;
  }
  return null;
}

/**
 * Returns the address of the step where the student was, with the answers that they had given.
 *
 * @param {string} suspended
 */
function resumedFrom(suspended) {
  try {
    const kept = JSON.parse(suspended);
    const path = String(kept.path);
    const query = String(new URLSearchParams(kept.fields));
    if (path.startsWith(`#/lessons/${lesson}/`)) return query ? `${path}?${query}` : path;
  } catch {
    // There is nothing yet, or it is no JSON.
  }
  return first;
}

/**
 * The state of the lesson as one text within the standard's limit. Letters are not encoded as in an address, where one
 * may take nine characters; if it is still too long, the last fields are left out.
 *
 * @param {string} hash
 */
function suspend(hash) {
  const [path, query] = hash.split(/\?(.*)/s);
  const fields = [...new URLSearchParams(query)];
  for (;;) {
    const suspended = JSON.stringify({path, fields});
    if (suspended.length <= mostSuspended || !fields.length) return suspended;
    fields.pop();
  }
}

/** @param {LessonProgress} progress */
function tell({step, steps, hash, answered, compared, right}) {
  const isComplete = steps.every((each) => answered.includes(each));
  write('cmi.core.lesson_location', step);
  write('cmi.suspend_data', suspend(hash));
  if (isComplete) write('cmi.core.lesson_status', 'completed');
  if (compared.length) {
    write('cmi.core.score.min', '0');
    write('cmi.core.score.max', '100');
    write('cmi.core.score.raw', String(Math.round((100 * right.length) / compared.length)));
  }
  const now = JSON.stringify([step, isComplete, right]);
  if (isRecorded && now !== told) call('LMSCommit', '');
  told = now;
}

/** Ends the session; the platform keeps what was told. */
function finish() {
  if (!isRunning) return;
  write('cmi.core.session_time', duration(performance.now() - started));
  write('cmi.core.exit', 'suspend');
  call('LMSFinish', '');
}

/** As the standard writes it: `HHHH:MM:SS.SS`. @param {number} milliseconds */
function duration(milliseconds) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  const seconds = Math.floor(milliseconds / 1000);
  const hours = String(Math.min(9999, Math.floor(seconds / 3600))).padStart(4, '0');
  return `${hours}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
