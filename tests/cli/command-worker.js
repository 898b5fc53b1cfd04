/** Runs one command after another in this thread, and sends back what each printed. */

import {parentPort} from 'node:worker_threads';
import {main} from '../../scripts/cli/main.mjs';

/** @type {Record<'stdout' | 'stderr', Uint8Array[]>} */
let printed = {stdout: [], stderr: []};
for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
  process[name]._write = (chunk, _, done) => {
    printed[name].push(Buffer.from(chunk));
    done();
  };
  process[name]._writev = undefined;
  // Each command listens for errors, since it expects a process of its own.
  process[name].setMaxListeners(0);
}

const textOf = (/** @type {Uint8Array[]} */ chunks) => Buffer.concat(chunks).toString();

let before = Promise.resolve();
parentPort?.on('message', ({id, args}) => {
  before = before.then(async () => {
    const code = await main(args);
    const [stdout, stderr] = [printed.stdout, printed.stderr].map(textOf);
    printed = {stdout: [], stderr: []};
    parentPort?.postMessage({id, code, stdout, stderr});
  });
});
