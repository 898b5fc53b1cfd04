/** Runs a command in the thread that `watch.mjs` watches. */

import {workerData} from 'node:worker_threads';
import {main} from './main.mjs';
import {tell} from './stage.mjs';

const {args, isTTY} = workerData;
// Output goes through the thread that watches, which has the terminal.
Object.assign(process.stdout, {isTTY: isTTY.stdout});
Object.assign(process.stderr, {isTTY: isTTY.stderr});
// A step without an end, such as an expression of a tokenizer, keeps this from being told.
setInterval(() => tell({}), 1000).unref();
tell({code: await main(args)});
