/** Serves models at the hub's addresses, and can break connections and refuse requests. */

import {once} from 'node:events';
import {createReadStream} from 'node:fs';
import {readFile, stat} from 'node:fs/promises';
import {createServer} from 'node:http';
import {join, normalize} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';

/** @import {ServerResponse} from 'node:http' */

/**
 * @typedef {object} Faults The faults of the next answers; a test changes them.
 * @property {number[]} cuts The positions in a weights' file, in bytes, where its connection breaks, once each.
 * @property {number} stallAt The byte at which a weights' file, sent slowly, stops; 0 if none stops.
 * @property {number} status The status of every answer if it is not 200.
 * @property {string} token The token that a request must have; empty if it needs none.
 * @property {boolean} isOpen Whether pages of other origins may read the answers (CORS).
 * @property {boolean} ranges
 * @property {string} tag
 */

/** The commit that every file of the hub comes from. */
export const COMMIT = '86b5e0934494bd15c9632b12f734a8a67f723594';

/** A file is read in large pieces, so that a test of loading speed does not measure this server. */
const READ_BYTES = 1 << 20;

/** A slow file is sent in 7 steps, 0.7 s in all, so that a reader can measure its rate. */
const STEPS = 7;
const STEP_MS = 100;

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, range',
  'access-control-expose-headers':
    'content-range, etag, content-length, retry-after, x-repo-commit',
};

/**
 * Serves `<url>/<owner>/<name>/resolve/<revision>/<file>` from the folder `<root>/<name>`, or from
 * `<root>/<name>@<revision>` if the revision is not `main`.
 * @param {string} root
 */
export async function serveHub(root) {
  /** @type {Faults} */
  const faults = {
    cuts: [],
    stallAt: 0,
    status: 200,
    token: '',
    isOpen: true,
    ranges: true,
    tag: '"1"',
  };
  /** The answers that have stopped and whose connection is still open. @type {Set<ServerResponse>} */
  const stalled = new Set();
  /** @type {string[]} */
  const requests = [];

  const server = createServer(async (request, response) => {
    const {pathname} = new URL(request.url ?? '/', 'http://localhost');
    requests.push(`${pathname} ${request.headers.range ?? ''}`.trim());
    const headers = Object.entries(faults.isOpen ? CORS : {});
    for (const [name, value] of headers) response.setHeader(name, value);
    if (request.method === 'OPTIONS') return response.writeHead(204).end();
    if (faults.status !== 200)
      return response.writeHead(faults.status, {'retry-after': '30'}).end();
    if (faults.token && request.headers.authorization !== `Bearer ${faults.token}`) {
      return response.writeHead(401).end();
    }
    const [, name, revision, file] =
      /^\/[^/]+\/([^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(pathname) ?? [];
    const folder = revision === 'main' ? name : `${name}@${revision}`;
    const path = name && normalize(join(root, folder, file));
    const facts = path?.startsWith(root) ? await stat(path).catch(() => null) : null;
    if (!path || !facts?.isFile()) return response.writeHead(404).end();
    const [, from = '0'] =
      (faults.ranges && /^bytes=(\d+)-/.exec(request.headers.range ?? '')) || [];
    const begin = Number(from);
    const isWeights = /\.(safetensors|bin)$/.test(file);
    const cut = isWeights ? faults.cuts.findIndex((at) => at >= begin && at < facts.size) : -1;
    response.writeHead(begin > 0 ? 206 : 200, {
      'content-type': 'application/octet-stream',
      'content-length': facts.size - begin,
      etag: faults.tag,
      'x-repo-commit': COMMIT,
      ...(begin > 0 && {'content-range': `bytes ${begin}-${facts.size - 1}/${facts.size}`}),
    });
    if (isWeights && faults.stallAt) {
      stalled.add(response);
      response.on('close', () => stalled.delete(response));
      return trickle((await readFile(path)).subarray(begin, faults.stallAt), response);
    }
    if (cut < 0)
      return createReadStream(path, {start: begin, highWaterMark: READ_BYTES}).pipe(response);
    const [at] = faults.cuts.splice(cut, 1);
    if (at === begin) return response.destroy();
    const part = createReadStream(path, {start: begin, end: at - 1});
    part.pipe(response, {end: false});
    part.on('end', () => setTimeout(() => response.destroy(), 5));
  });
  // With a timeout, the server could close an idle connection just when the next request arrives, which then fails.
  server.keepAliveTimeout = 0;
  await once(server.listen(0, 'localhost'), 'listening');
  const {port} = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://localhost:${port}`,
    faults,
    requests,
    stalled,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Sends bytes slowly, and does not end the response. @param {Buffer} bytes @param {ServerResponse} response */
async function trickle(bytes, response) {
  const step = Math.ceil(bytes.length / STEPS);
  for (let at = 0; at < bytes.length && !response.destroyed; at += step) {
    await pause(STEP_MS);
    response.write(bytes.subarray(at, at + step));
  }
}
