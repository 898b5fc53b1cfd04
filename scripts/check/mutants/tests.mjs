/** Runs tests in the tree of the mutants, and keeps which mutants each of them reaches. */

import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** @import {Mutant} from '../mutants.mjs' */

/**
 * @typedef {object} Test
 * @property {string} name
 * @property {string} version Another one once the test is changed.
 * @property {string[]} command
 * @property {Record<string, string>} [env]
 */

/** @typedef {Test & {seconds: number, passed: boolean, reached: number[]}} RecordedTest */

/**
 * A process of its own, without a test runner around it that would leave it alone when its time is over.
 *
 * @param {string} name
 * @param {string} version
 * @param {string} [recorder] A module loaded before it.
 * @returns {Test}
 */
export const nodeTest = (name, version, recorder) => ({
  name,
  version,
  command: ['node', name],
  env: recorder ? {NODE_OPTIONS: `--import ${recorder}`} : {},
});

/**
 * Runs each test once while no mutant is active, unless that is known of this version of it.
 *
 * @param {string} tree
 * @param {Test[]} tests
 * @param {string} path Where what was found is kept.
 * @param {number} [limit] Seconds; a test that takes longer is left out.
 */
export function recordTests(tree, tests, path, limit = 300) {
  /** @type {RecordedTest[]} */
  const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
  return tests.map((test) => {
    const before = known.find(({name, version}) => name === test.name && version === test.version);
    if (before) return {...before, ...test};
    const list = join(mkdtempSync(join(tmpdir(), 'mutants-')), 'reached');
    const {passed, seconds} = runTest(tree, test, {MUTANTS_REACHED: list}, limit);
    const lines = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : [];
    const recorded = {...test, passed, seconds, reached: [...new Set(lines.map(Number))]};
    process.stderr.write(
      `${test.name}: ${passed ? 'passes' : 'FAILS WITHOUT A MUTANT'}, ${seconds.toFixed(1)} s, reaches ${recorded.reached.length}\n`,
    );
    known.push(recorded);
    writeFileSync(path, JSON.stringify(known));
    return recorded;
  });
}

/**
 * Runs tests until one fails, quick ones first. A test that fails without a mutant says nothing, and so does one that
 * the mutant survived before.
 *
 * @param {string} tree
 * @param {RecordedTest[]} tests
 * @param {Mutant} mutant
 * @param {(mutant: Mutant) => void} keep Called if there was a test to run, or if no test was ever run.
 */
export function tryTests(tree, tests, mutant, keep) {
  const useful = tests
    .filter(({passed, version}) => passed && !mutant.survived.includes(version))
    .sort((a, b) => a.seconds - b.seconds);
  for (const test of useful) {
    const limit = 20 + 5 * test.seconds;
    if (!runTest(tree, test, {MUTANT: String(mutant.id)}, limit).passed) {
      mutant.killedBy = test.name;
      break;
    }
    mutant.survived.push(test.version);
  }
  if (useful.length > 0 || mutant.survived.length === 0) keep(mutant);
}

/** @param {RecordedTest[]} tests @param {Mutant} mutant */
export const testsThatReach = (tests, {id}) => tests.filter(({reached}) => reached.includes(id));

/** @param {string} tree @param {Test} test @param {Record<string, string>} env @param {number} limit */
function runTest(tree, {command, env: own}, env, limit) {
  const begin = Date.now();
  const {status} = spawnSync('env', command, {
    cwd: tree,
    env: {...process.env, ...own, ...env},
    timeout: Math.ceil(limit * 1000),
    killSignal: 'SIGKILL',
    stdio: 'ignore',
  });
  return {passed: status === 0, seconds: (Date.now() - begin) / 1000};
}
