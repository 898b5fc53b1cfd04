/** The Python that the tests of notebooks use, and the servers of notebooks that it has. */

import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {freePort} from '../../browser/server.js';
import {cacheFor} from '../../published/prepare.mjs';

export const environment = join(cacheFor('notebook'), 'python');
/** A Python with the modules of `requirements.txt`: the cache's own, unless $PYTHON names another. */
export const python = process.env.PYTHON ?? join(environment, 'bin/python');

/** @typedef {'lab' | 'notebook' | 'marimo'} App */

/** How each application opens one file, without asking who the reader is. @type {Record<App, (port: number, file: string) => {args: string[], path: string}>} */
const apps = {
  lab: (port, file) => ({
    args: [...jupyter('jupyterlab', port), '--LabApp.expose_app_in_browser=True'],
    path: `/lab/tree/${file}?reset`,
  }),
  notebook: (port, file) => ({
    args: [...jupyter('notebook', port), '--JupyterNotebookApp.expose_app_in_browser=True'],
    path: `/notebooks/${file}`,
  }),
  marimo: (port, file) => ({
    args: ['-m', 'marimo', 'edit', file, '--headless', '--no-token', '--skip-update-check', `--port=${port}`],
    path: '/',
  }),
}; // prettier-ignore

/** @param {string} module @param {number} port */
const jupyter = (module, port) => [
  ...['-m', module, '--allow-root', '--no-browser', '--ip=localhost', `--port=${port}`],
  ...['--ServerApp.token=', '--ServerApp.password=', '--ServerApp.port_retries=0'],
];

/**
 * Starts an application in a folder of its own.
 *
 * @param {App} app
 * @param {string} file  the name of the one file in the folder
 * @param {string} content
 * @param {readonly string[]} [more]  further arguments
 */
export async function startApp(app, file, content, more = []) {
  const folder = mkdtempSync(join(tmpdir(), `bertscope-${app}-`));
  writeFileSync(join(folder, file), content);
  const port = await freePort();
  const {args, path} = apps[app](port, file);
  const server = spawn(python, [...args, ...more], {
    cwd: folder,
    env: {...process.env, HOME: folder, MARIMO_SKIP_UPDATE_CHECK: '1'},
    stdio: ['ignore', 'pipe', 'pipe'],
    // Kernels are in its group, and end with it.
    detached: true,
  });
  let log = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (part) => (log += part));
  const url = `http://localhost:${port}`;
  const close = () => {
    if (server.exitCode === null) process.kill(-(server.pid ?? 0), 'SIGKILL');
    rmSync(folder, {recursive: true, force: true, maxRetries: 5});
  };
  while (!(await answers(url))) {
    if (server.exitCode === null) continue;
    close();
    throw new Error(`expected ${app} to start, found:\n${log}`);
  }
  return {folder, url: url + path, close, log: () => log};
}

/** Asks a server, and waits a moment if there is none yet. @param {string} url */
async function answers(url) {
  const response = await fetch(url, {signal: AbortSignal.timeout(30_000)}).catch(() => null);
  if (response) await response.arrayBuffer();
  else await new Promise((resolve) => setTimeout(resolve, 200));
  return response !== null;
}
