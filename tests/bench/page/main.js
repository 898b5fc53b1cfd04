/** Runs the task that the address names in a worker, and sends the result to the server. */

const task = new URL(`/tasks/${location.hash.slice(1)}`, location.href);
const worker = new Worker(new URL('./worker.js', import.meta.url), {type: 'module'});

/** @param {import('./worker.js').Report} report */
const send = (report) => fetch(task, {method: 'POST', body: JSON.stringify(report)});

worker.addEventListener('message', ({data}) => send(data));
worker.addEventListener('error', ({message}) =>
  send({error: message || 'the worker did not start'}),
);
worker.postMessage(await (await fetch(task)).json());
