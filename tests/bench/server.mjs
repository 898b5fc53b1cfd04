/** Serves folders as a static host does, and hands tasks to the pages that ask for them. */

import {createReadStream} from 'node:fs';
import {stat} from 'node:fs/promises';
import {createServer} from 'node:http';
import {extname, join, normalize} from 'node:path';
import {text} from 'node:stream/consumers';

/** @import {IncomingMessage, ServerResponse} from 'node:http' */
/** @import {Report, Task} from './page/worker.js' */

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** GitHub Pages lets browsers keep a file for ten minutes. */
const KEEP = 'max-age=600';

/** A page that reports nothing for this long has crashed. */
const SILENCE_MS = 600_000;

/** With these, pages may share memory between workers, which the peer's threads need. */
const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/**
 * @param {Record<string, string>} folders The folders to serve, by address.
 * @param {{isIsolated?: boolean}} [options]
 */
export async function serve(folders, {isIsolated = false} = {}) {
  /** @type {Map<string, {task: Task, receive: (report: Report) => void}>} */
  const tasks = new Map();

  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const task = tasks.get(path);
    if (!task) return sendFile(path, response);
    if (request.method === 'POST') task.receive(JSON.parse(await text(request)));
    response.setHeader('cache-control', 'no-store');
    response.end(request.method === 'POST' ? undefined : JSON.stringify(task.task));
  });

  /** @param {string} path @param {ServerResponse} response */
  async function sendFile(path, response) {
    const mount = Object.keys(folders).find((prefix) => path.startsWith(prefix));
    const name = normalize(path.slice(mount?.length) || 'index.html');
    const file = mount && !name.startsWith('..') && join(folders[mount], name);
    const info = file ? await stat(file).catch(() => null) : null;
    if (!file || !info?.isFile()) return response.writeHead(404).end();
    response.writeHead(200, {
      'content-type':
        TYPES[/** @type {keyof typeof TYPES} */ (extname(name))] ?? 'application/octet-stream',
      'content-length': info.size,
      'last-modified': info.mtime.toUTCString(),
      'cache-control': mount === '/site/' ? KEEP : 'no-store',
      ...(isIsolated && ISOLATION),
    });
    createReadStream(file).pipe(response);
  }

  await new Promise((resolve) => server.listen(0, 'localhost', () => resolve(undefined)));
  const {port} = /** @type {import('node:net').AddressInfo} */ (server.address());
  const url = `http://localhost:${port}`;
  return {
    url,
    /**
     * @param {Task} task
     * @param {(text: string) => void} onProgress
     * @returns {{url: string, result: Promise<any>}} The page that performs the task, and the task's result.
     */
    offer(task, onProgress) {
      const id = String(tasks.size);
      const result = new Promise((resolve, reject) => {
        const giveUp = () => reject(new Error(`nothing heard for ${SILENCE_MS / 1000} s`));
        let timer = setTimeout(giveUp, SILENCE_MS);
        tasks.set(`/tasks/${id}`, {
          task,
          receive(report) {
            clearTimeout(timer);
            if ('error' in report) reject(new Error(report.error));
            else if ('result' in report) resolve(report.result);
            else {
              timer = setTimeout(giveUp, SILENCE_MS);
              onProgress(report.progress);
            }
          },
        });
      });
      return {url: `${url}/bench/#${id}`, result};
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
