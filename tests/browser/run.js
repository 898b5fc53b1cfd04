/**
 * Runs the browser tests of the named files as `node --test` does, but a few files in each process. They share a
 * Chromium, a server and pages that are open already, which take a second of processor time to start. What takes
 * longest starts first, so that no processor is idle while the last one runs.
 */

import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {basename, join, resolve} from 'node:path';
import {run} from 'node:test';
import {fileURLToPath} from 'node:url';
import report from '../support/failures-reporter.js';

/** These have a process for themselves. */
const LONGEST = [
  'releases-engines',
  'releases',
  'engines',
  'lessons-fit',
  'models-open',
  'models-kept',
  'explore',
];
const FILES_AT_ONCE = 4;
/** A process that takes longer hangs. */
const LIMIT_MS = 1_800_000;

const paths = process.argv.slice(2).map((path) => resolve(path));
if (!paths.length) throw new Error('expected test files, found none');

const nameOf = (/** @type {string} */ path) => basename(path, '.test.js');
const groups = LONGEST.map((name) => paths.filter((path) => nameOf(path) === name));
const others = paths.filter((path) => !LONGEST.includes(nameOf(path)));
for (let at = 0; at < others.length; at += FILES_AT_ONCE)
  groups.push(others.slice(at, at + FILES_AT_ONCE));

// One module imports the files of a group, so Node knows all their tests before the first one runs.
const folder = fileURLToPath(new URL('../../build/test/browser/', import.meta.url));
rmSync(folder, {recursive: true, force: true});
mkdirSync(folder, {recursive: true});
const files = groups
  .filter((group) => group.length)
  .map((group) => {
    const file = join(folder, `${group.map(nameOf).join('+')}.test.js`);
    writeFileSync(file, group.map((path) => `import ${JSON.stringify(path)};\n`).join(''));
    return file;
  });

// A test often waits for a timer of the page, so one process more than there are processors.
run({files, concurrency: availableParallelism() + 1, timeout: LIMIT_MS})
  .on('test:fail', () => (process.exitCode = 1))
  .compose(report)
  .pipe(process.stdout);
