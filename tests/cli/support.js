import {execFile} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after} from 'node:test';
import {fileURLToPath} from 'node:url';
import {Worker} from 'node:worker_threads';

export const SCRIPT = fileURLToPath(new URL('../../scripts/bertscope.mjs', import.meta.url));
export const GOLDEN = fileURLToPath(new URL('../golden', import.meta.url));

/** The folder of this test file. */
export const scratch = mkdtempSync(join(tmpdir(), 'bertscope-'));
after(() => rmSync(scratch, {recursive: true}));

/** Relative paths lead to the scratch folder, in this thread and in the worker. */
process.chdir(scratch);

/** All commands of a test file share a worker, because starting Node and the engine takes longer than most commands. */
const worker = new Worker(new URL('command-worker.js', import.meta.url), {
  stdout: true,
  stderr: true,
});
after(() => worker.terminate());

/** @typedef {{code: number, stdout: string, stderr: string}} Ended */

/** @type {Map<number, {resolve: (ended: Ended) => void, reject: (error: Error) => void}>} */
const running = new Map();
let commands = 0;
worker.on('message', ({id, ...ended}) => {
  running.get(id)?.resolve(ended);
  running.delete(id);
});
worker.on('error', (error) => {
  for (const {reject} of running.values()) reject(error);
});

/** Runs a command of bertscope. @param {string[]} args @returns {Promise<Ended>} */
export const bertscope = (args) =>
  new Promise((resolve, reject) => {
    const id = commands++;
    running.set(id, {resolve, reject});
    worker.postMessage({id, args});
  });

/**
 * Runs a script in a process of its own.
 * @param {string[]} args
 * @param {{cwd?: string, script: string, env?: Record<string, string>}} options
 * @returns {Promise<Ended>}
 */
export function runScript(args, {cwd = scratch, script, env = {}}) {
  return new Promise((resolve) => {
    const options = {cwd, maxBuffer: 2 ** 28, env: {...process.env, ...env}};
    const child = execFile(process.execPath, [script, ...args], options, (_, stdout, stderr) =>
      resolve({code: child.exitCode ?? -1, stdout, stderr}),
    );
  });
}
