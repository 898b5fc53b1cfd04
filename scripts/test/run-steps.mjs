/** Runs the steps of `npm test`, two at once where they allow it, and counts their tests. */

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Stamps, digestOf} from './stamps.mjs';

/** @import {Step} from './steps.mjs' */

/**
 * @typedef {object} Result
 * @property {string} name
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {number} unchanged  tests that passed before and were not run again
 * @property {number} seconds
 * @property {string} log
 */

/** When a step waits for its last compiler or linker, another one uses the processor. */
const AT_ONCE = 2;

/**
 * Reads what a log says of passed, failed and skipped tests, in the words of Node's test runner and of CTest. A step
 * that counts nothing, such as a check of types, is one test.
 *
 * @param {string} log
 * @param {boolean} isGreen  whether the step ended with status 0
 */
export function count(log, isGreen) {
  const sum = (/** @type {RegExp} */ pattern) =>
    [...log.matchAll(pattern)].reduce((so_far, [, number]) => so_far + Number(number), 0);
  let passed = sum(/^(?:#|ℹ) pass (\d+)$/gm);
  let failed = sum(/^(?:#|ℹ) (?:fail|cancelled) (\d+)$/gm);
  const skipped = sum(/^(?:#|ℹ) (?:skipped|todo) (\d+)$/gm);
  for (const [, bad, all] of log.matchAll(
    /^\d+% tests passed, (\d+) tests failed out of (\d+)$/gm,
  )) {
    passed += Number(all) - Number(bad);
    failed += Number(bad);
  }
  if (!isGreen && !failed) failed = 1;
  if (isGreen && !passed) passed = 1;
  return {passed, failed, skipped};
}

/**
 * @param {string} root
 * @param {readonly Step[]} steps
 * @param {{tools: string, all?: boolean, say?: (text: string) => void}} options  `all`: whatever has passed before
 * @returns {Promise<Result[]>} in the order of the steps
 */
export async function runSteps(root, steps, {tools, all = false, say = () => {}}) {
  const logs = join(root, 'build/test');
  mkdirSync(logs, {recursive: true});
  const stamps = new Stamps(join(logs, 'stamps'));
  const digest = (/** @type {Step} */ step) => digestOf(root, step, tools);

  /** How many tests passed before, of each step whose stamp is of the present files. */
  const kept = new Map(steps.map((step) => [step, stamps.passed(step, digest(step))]));
  const isStale = (/** @type {Step} */ step) => all || kept.get(step) === undefined;
  const isNeeded = (/** @type {Step} */ {name}) =>
    steps.some((user) => user.needs?.includes(name) && isStale(user));

  const waiting = new Set(steps.filter((step) => isStale(step) || isNeeded(step)));
  const none = {passed: 0, failed: 0, skipped: 0, seconds: 0, log: ''};
  const results = new Map(
    steps.map((step) => [step, {...none, name: step.name, unchanged: kept.get(step) ?? 0}]),
  );

  /** @type {Map<Step, Promise<void>>} */
  const running = new Map();
  /** @param {Step} step */
  function isFree({after = [], needs = [], alone}) {
    const others = [...running.keys()];
    const open = new Set([...waiting, ...others].map(({name}) => name));
    if ([...after, ...needs].some((name) => open.has(name))) return false;
    return alone ? !others.length : others.length < AT_ONCE && !others.some((step) => step.alone);
  }
  while (waiting.size || running.size) {
    const next = [...waiting].find(isFree);
    if (next) {
      waiting.delete(next);
      const end = () => void running.delete(next);
      running.set(next, run(next).then(end));
    } else if (running.size) await Promise.race(running.values());
    else throw new Error(`steps wait for each other: ${[...waiting].map(({name}) => name)}`);
  }
  return [...results.values()];

  /** @param {Step} step */
  async function run(step) {
    const start = performance.now();
    const before = digest(step);
    stamps.remove(step);
    say(`... ${step.name}\n`);
    const child = spawn('bash', step.command, {cwd: root, stdio: ['ignore', 'pipe', 'pipe']});
    let log = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (log += text));
    const [status] = await once(child, 'close');
    const counts = count(log, status === 0);
    writeFileSync(join(logs, `${step.name.replace(/[^a-z0-9]/gi, '-')}.log`), log);
    // A file that was changed while the step ran may have been read before or after.
    if (status === 0 && !counts.failed && !counts.skipped && digest(step) === before)
      stamps.write(step, before, counts.passed);
    const seconds = Math.round((performance.now() - start) / 1000);
    results.set(step, {name: step.name, ...counts, unchanged: 0, seconds, log});
    say(`=== ${step.name}\n${log}`);
  }
}
