/** Tests that no learning platform keeps a student from a lesson, whatever its API does. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {tries} from '../support/tries.js';

const first = '#/lessons/guess-the-word/missing';
const origin = 'https://platform.example';
let launches = 0;

/** Runs the launcher beside a platform. @param {unknown} API */
async function launch(API) {
  /** @type {Record<string, (event: any) => void>} */
  const listeners = {};
  const contentWindow = {focus() {}};
  const frame = {dataset: {first}, src: '', contentWindow, addEventListener() {}};
  const window = {
    API,
    get parent() {
      return this;
    },
    opener: null,
  };
  Object.assign(globalThis, {
    window,
    document: {querySelector: () => frame},
    location: {origin},
    addEventListener: (/** @type {string} */ name, /** @type {any} */ listener) =>
      (listeners[name] = listener),
  });
  launches += 1;
  await import(`../../scripts/scorm/launch.js?${launches}`);
  const tell = (/** @type {unknown} */ data, from = {origin, source: contentWindow}) =>
    listeners.message({...from, data});
  return {frame, tell, end: () => listeners.pagehide({})};
}

const steps = ['missing', 'looking'];
const lessonProgress = {
  ...{lesson: 'guess-the-word', step: 'looking', steps, hash: `${first}?a-missing=girl.r`},
  ...{answered: steps, compared: ['missing'], right: ['missing']},
};

const names = ['LMSInitialize', 'LMSFinish', 'LMSGetValue', 'LMSSetValue', 'LMSCommit'];
const answer = fc.oneof(
  fc.constantFrom('true', true, 'false', '', null, undefined, 0, {}, [], Symbol('x'), 5n, 'browse'),
  fc.constantFrom('{"path":"#/lessons/guess-the-word/looking","fields":[["a","b"]]}', '{"path":7}'),
  fc.anything(),
);
/** What a platform does when it is asked. */
const method = fc.oneof(
  answer.map((value) => () => value),
  fc.constant(() => {
    throw new Error('the session is over');
  }),
  fc.constantFrom(undefined, null, 'true', {}),
);
const platform = fc.oneof(
  {weight: 5, arbitrary: fc.record(Object.fromEntries(names.map((name) => [name, method])))},
  fc.constantFrom(
    {},
    'API',
    7,
    new Proxy(
      {},
      {
        get() {
          throw new DOMException('another origin', 'SecurityError');
        },
      },
    ),
  ),
);

test('a lesson starts, tells and ends beside any platform', async () => {
  const property = fc.asyncProperty(platform, async (api) => {
    const {frame, tell, end} = await launch(api);
    assert.match(frame.src, /^bertscope\.html#\/lessons\/guess-the-word\//);
    tell({lessonProgress});
    end();
  });
  await fc.assert(property, tries(200));
});

test('a platform that answers with other types than texts learns what others do', async () => {
  for (const yes of ['true', true]) {
    /** @type {Record<string, string>} */
    const told = {};
    let isFinished = false;
    const {tell, end} = await launch({
      LMSInitialize: () => yes,
      LMSGetValue: (/** @type {string} */ name) => (name === 'cmi.core.lesson_status' ? null : 0),
      LMSSetValue(/** @type {string} */ name, /** @type {string} */ value) {
        told[name] = value;
        throw new Error('written, but not answered');
      },
      LMSCommit: () => undefined,
      LMSFinish: () => (isFinished = true),
    });
    tell({lessonProgress});
    end();
    assert.equal(told['cmi.core.lesson_status'], 'completed');
    assert.equal(told['cmi.core.score.raw'], '100');
    assert.match(told['cmi.core.session_time'], /^0000:00:\d\d$/);
    assert(isFinished);
  }
});

test('only the frame of the lesson, with progress of this lesson, is heard', async () => {
  let calls = 0;
  const api = {
    LMSInitialize: () => 'true',
    LMSGetValue: () => 'completed',
    LMSSetValue: () => (calls += 1),
  };
  const {tell, frame} = await launch({...api, LMSCommit: () => 'true'});
  const {contentWindow} = frame;
  const others = [
    {origin: 'https://evil.example', source: contentWindow},
    {origin, source: {focus() {}}},
    {origin: 'null', source: contentWindow},
  ];
  for (const from of others) tell({lessonProgress}, from);
  for (const data of [null, 'x', {}, {lessonProgress: null}, {lessonProgress: {lesson: 'other'}}])
    tell(data);
  assert.equal(calls, 0);
  tell({lessonProgress});
  assert(calls > 0);
});

test('a clock that is set back makes no session of negative length', async (t) => {
  t.mock.timers.enable({apis: ['Date'], now: Date.UTC(2026, 10, 25)});
  /** @type {Record<string, string>} */
  const told = {};
  const {end} = await launch({
    LMSInitialize: () => 'true',
    LMSGetValue: () => '',
    LMSSetValue: (/** @type {string} */ name, /** @type {string} */ value) =>
      void (told[name] = value),
    LMSFinish: () => 'true',
  });
  t.mock.timers.setTime(0);
  end();
  assert.match(told['cmi.core.session_time'], /^\d{4}:\d\d:\d\d$/);
});
