/**
 * Runs a command in a thread of its own and stops it if it makes no progress, as a page does with its
 * worker: a model's own files may make one step of it endless.
 */

import {rmSync} from 'node:fs';
import {constants} from 'node:os';
import {Worker} from 'node:worker_threads';
import {printable} from './output.mjs';

/** @import {Told} from './stage.mjs' */

const SIGNALS = /** @type {const} */ (['SIGHUP', 'SIGINT', 'SIGTERM']);
const TICK_MS = 1000;
/**
 * A command that is silent for so many ticks is stuck. Ticks are counted, not time: while a computer
 * sleeps, neither thread gets on.
 */
const MAX_SILENT_TICKS = 30;

/**
 * @param {string[]} args
 * @param {number} [most] After how many silent seconds the command is stopped.
 * @returns {Promise<number>} The exit status: 2 for input that is not as it should be.
 */
export async function watch(args, most = MAX_SILENT_TICKS) {
  const {stdout, stderr} = process;
  const isTTY = {stdout: stdout.isTTY, stderr: stderr.isTTY};
  const workerData = {args, isTTY, isWatched: true};
  const worker = new Worker(new URL('work.mjs', import.meta.url), {workerData});
  let stage = 'starting';
  let code = 1;
  let silentTicks = 0;
  /** @type {string | null} */
  let partial = null;
  /** @type {{status: number, message?: string} | undefined} */
  let stopped;
  /** @param {number} status @param {string} [message] */
  const stop = (status, message) => {
    stopped ??= {status, message};
    void worker.terminate();
  };
  const ticks = setInterval(() => {
    silentTicks += 1;
    if (silentTicks <= most || isPatient(args)) return;
    const found = `none for ${most} s while ${stage}`;
    stop(2, `expected progress, found ${found}; --patient waits without an end`);
  }, TICK_MS);
  // A reader such as `head` may stop early; that is no error of ours.
  const onOutputError = (/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code !== 'EPIPE') throw error;
    stop(0);
  };
  const onSignal = (/** @type {NodeJS.Signals} */ signal) => stop(128 + constants.signals[signal]);
  stdout.on('error', onOutputError);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    await new Promise((resolve, reject) => {
      worker.on('message', (/** @type {Told} */ told) => {
        silentTicks = 0;
        ({stage = stage, partial = partial, code = code} = told);
      });
      worker.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
        if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return reject(error);
        stop(2, `expected enough memory, found none left while ${stage}`);
      });
      worker.on('exit', resolve);
    });
    if (!stopped) return code;
    if (partial) rmSync(partial, {force: true});
    if (stopped.message) stderr.write(`bertscope: ${printable(stopped.message)}\n`);
    return stopped.status;
  } finally {
    clearInterval(ticks);
    stdout.off('error', onOutputError);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

/** @param {string[]} args */
function isPatient(args) {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? undefined : end).includes('--patient');
}
