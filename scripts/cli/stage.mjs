/** What the thread of a command tells the one that watches it. */

import {parentPort, workerData} from 'node:worker_threads';

/**
 * @typedef {object} Told
 * @property {string} [stage] What is about to be done.
 * @property {string | null} [partial] The file that is removed if the command is stopped.
 * @property {number} [code] The exit status.
 */

const watcher = workerData?.isWatched ? parentPort : null;

/** Commands that nobody watches, such as those of tests, tell nothing. @param {Told} told */
export const tell = (told) => watcher?.postMessage(told);

/** @param {string} stage */
export const enter = (stage) => tell({stage});
