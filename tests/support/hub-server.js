/**
 * Serves models as the Hugging Face hub does, and can break connections and refuse requests.
 *
 * Small files are answered with a redirect to a cache on the same host, large ones with one to another host that has
 * the files. What is missing or closed is answered with the statuses and headers that the hub has for it. It hides from
 * those who are not logged in whether a model is private or missing. Sources: `hf_raise_for_status` and
 * `_httpx2_follow_hub_redirects_with_backoff` in `utils/_http.py` and `get_hf_file_metadata` in `file_download.py` of
 * huggingface_hub 2.4.0; `list-models.ts`, `file-download-info.ts` and `check-repo-access.spec.ts` of @huggingface/hub
 * 2.17.5; answers of huggingface.co from September 2026, as others have published them.
 */

import {once} from 'node:events';
import {createReadStream, existsSync} from 'node:fs';
import {readdir, readFile, stat} from 'node:fs/promises';
import {createServer} from 'node:http';
import {join, normalize} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';

/** @import {IncomingMessage, RequestListener, ServerResponse} from 'node:http' */

/**
 * @typedef {object} Faults The faults of the next answers; a test changes them.
 * @property {number[]} cuts The positions in a weights' file, in bytes, where its connection breaks, once each.
 * @property {number} stallAt The byte at which a weights' file, sent slowly, stops; 0 if none stops.
 * @property {number} status The status of every answer if it is not 200; then a proxy answers, not the hub.
 * @property {string} token The token of the models' owner, to whom they are private; empty if all may read them.
 * @property {string} gate The token of an account that the owner has let in; empty if there is no gate.
 * @property {boolean} isOpen Whether pages of other origins may read the answers (CORS).
 * @property {boolean} isHub Whether this is a hub; if not, it is a static host with the same addresses.
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
    'X-Repo-Commit,X-Request-Id,X-Error-Code,X-Error-Message,X-Total-Count,ETag,Link,Accept-Ranges,Content-Range,X-Linked-Size,X-Linked-ETag,X-Xet-Hash',
};

/** @type {Readonly<Faults>} */
export const NO_FAULTS = Object.freeze({
  cuts: [],
  stallAt: 0,
  status: 200,
  token: '',
  gate: '',
  isOpen: true,
  isHub: true,
  ranges: true,
  tag: '"1"',
});

/**
 * Serves `<url>/<owner>/<name>/resolve/<revision>/<file>` from the folder `<root>/<name>`, or from
 * `<root>/<name>@<revision>` if the revision is not `main`, and `<url>/api/models?search=…`.
 * @param {string} root
 */
export async function serveHub(root) {
  const hub = new Hub(root);
  const files = await listen((request, response) => hub.answerDownload(request, response));
  const server = await listen((request, response) => hub.answer(request, response, files.url));
  const {faults, requests, downloads, stalled} = hub;
  return {
    url: server.url,
    ...{faults, requests, downloads, stalled},
    close() {
      for (const each of [server, files]) each.close();
    },
  };
}

class Hub {
  faults = {...NO_FAULTS};
  /** The answers that have stopped and whose connection is still open. @type {Set<ServerResponse>} */
  stalled = new Set();
  /** The requests that the hub got. @type {string[]} */
  requests = [];
  /** The requests that the host of the large files got, with the token that was sent. @type {string[]} */
  downloads = [];
  #root;

  /** @param {string} root */
  constructor(root) {
    this.#root = root;
  }

  /** Answers as the host of the large files. @param {IncomingMessage} request @param {ServerResponse} response */
  async answerDownload(request, response) {
    const {pathname} = addressOf(request);
    const {range, authorization} = request.headers;
    this.downloads.push([pathname, range, authorization].filter(Boolean).join(' '));
    if (isAnswered(request, response, this.faults)) return;
    await this.#sendFile(decodeURIComponent(pathname), request, response);
  }

  /**
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   * @param {string} filesUrl  the address of the host of the large files
   */
  async answer(request, response, filesUrl) {
    const {faults} = this;
    const {pathname, searchParams} = addressOf(request);
    this.requests.push(`${pathname} ${request.headers.range ?? ''}`.trim());
    if (isAnswered(request, response, faults)) return;
    const {authorization} = request.headers;
    if (faults.token && authorization && authorization !== `Bearer ${faults.token}`) {
      return refuse(response, 401, {
        'x-error-message': 'Invalid credentials in Authorization header',
      });
    }
    if (pathname === '/api/models' && faults.isHub) {
      return sendJson(response, await search(this.#root, searchParams));
    }
    const [, cached] = /^\/api\/resolve-cache\/models\/[^/]+\/(.+)$/.exec(pathname) ?? [];
    if (cached) return this.#sendFile(cached.replace(`/${COMMIT}/`, '/'), request, response);
    const [, owner, name, revision, file] =
      /^\/([^/]+)\/([^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(pathname) ?? [];
    const folder = revision === 'main' ? name : `${name}@${decodeURIComponent(revision)}`;
    const path = name && pathIn(this.#root, `${folder}/${file}`);
    const facts = path ? await stat(path).catch(() => null) : null;
    const size = facts?.isFile() ? facts.size : undefined;
    if (!faults.isHub) {
      return size === undefined
        ? refuse(response, 404)
        : this.#sendFile(`${folder}/${file}`, request, response);
    }
    if (this.#isRefused({name, folder}, authorization, response)) return;
    response.setHeader('x-repo-commit', COMMIT);
    if (size === undefined) return refuse(response, 404, {'x-error-code': 'EntryNotFound'});
    response.setHeader('x-linked-etag', faults.tag);
    if (!isLarge(file)) {
      const location = `/api/resolve-cache/models/${owner}/${folder}/${COMMIT}/${file}`;
      return response.writeHead(307, {location}).end();
    }
    const location = `${filesUrl}/${folder}/${file}?Signature=x`;
    response.writeHead(302, {location, 'x-linked-size': size}).end();
  }

  /**
   * Refuses what the hub hides or does not have. Without a token, it does not say which of the two it is.
   *
   * @param {{name: string | undefined, folder: string | undefined}} asked
   * @param {string | undefined} authorization
   * @param {ServerResponse} response
   * @returns {boolean}  whether it has refused
   */
  #isRefused({name, folder}, authorization, response) {
    const {faults} = this;
    const isThere = (/** @type {string | undefined} */ each) =>
      each !== undefined && existsSync(join(this.#root, each));
    if (!isThere(name) || (faults.token && !authorization)) {
      if (authorization) refuse(response, 404, {'x-error-code': 'RepoNotFound'});
      else refuse(response, 401, {'x-error-message': 'Invalid username or password.'});
    } else if (faults.gate && authorization !== `Bearer ${faults.gate}`) {
      refuse(response, authorization ? 403 : 401, {'x-error-code': 'GatedRepo'});
    } else if (!isThere(folder)) refuse(response, 404, {'x-error-code': 'RevisionNotFound'});
    else return false;
    return true;
  }

  /**
   * @param {string} place The path of the file in the root.
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   */
  async #sendFile(place, request, response) {
    const {faults} = this;
    const path = pathIn(this.#root, place);
    const facts = path ? await stat(path).catch(() => null) : null;
    if (!path || !facts?.isFile()) return refuse(response, 404);
    const [, from = '0'] =
      (faults.ranges && /^bytes=(\d+)-/.exec(request.headers.range ?? '')) || [];
    const begin = Number(from);
    const cut = isLarge(path) ? faults.cuts.findIndex((at) => at >= begin && at < facts.size) : -1;
    response.writeHead(begin > 0 ? 206 : 200, {
      'content-type': 'application/octet-stream',
      'content-length': facts.size - begin,
      etag: faults.tag,
      ...(!isLarge(path) && {'x-repo-commit': COMMIT}),
      ...(begin > 0 && {'content-range': `bytes ${begin}-${facts.size - 1}/${facts.size}`}),
    });
    if (isLarge(path) && faults.stallAt) {
      this.stalled.add(response);
      response.on('close', () => this.stalled.delete(response));
      return trickle((await readFile(path)).subarray(begin, faults.stallAt), response);
    }
    if (cut < 0) {
      return createReadStream(path, {start: begin, highWaterMark: READ_BYTES}).pipe(response);
    }
    const [at] = faults.cuts.splice(cut, 1);
    if (at === begin) return response.destroy();
    const part = createReadStream(path, {start: begin, end: at - 1});
    part.pipe(response, {end: false});
    part.on('end', () => setTimeout(() => response.destroy(), 5));
  }
}

/** Starts a server on a free port. @param {RequestListener} answer */
async function listen(answer) {
  const server = createServer(answer);
  // With a timeout, the server could close an idle connection just when the next request arrives, which then fails.
  server.keepAliveTimeout = 0;
  await once(server.listen(0, 'localhost'), 'listening');
  const {port} = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return {url: `http://localhost:${port}`, close};
}

/** @param {IncomingMessage} request */
const addressOf = (request) => new URL(request.url ?? '/', 'http://localhost');

/** Tells whether a file is too large for git and lies on the other host. @param {string} file */
const isLarge = (file) => /\.(safetensors|bin)$/.test(file);

/** @param {string} root @param {string} place */
function pathIn(root, place) {
  const path = normalize(join(root, place));
  return path.startsWith(root) ? path : undefined;
}

/**
 * Answers what needs no file: what a browser asks before a request, and every request while the host is broken.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {Faults} faults
 */
function isAnswered(request, response, {isOpen, status}) {
  for (const [name, value] of Object.entries(isOpen ? CORS : {})) response.setHeader(name, value);
  if (request.method === 'OPTIONS') response.writeHead(204).end();
  else if (status !== 200) response.writeHead(status, {'retry-after': '30'}).end();
  return response.writableEnded;
}

/** @param {ServerResponse} response @param {number} status @param {Record<string, string>} [headers] */
const refuse = (response, status, headers) => response.writeHead(status, headers).end();

/** @param {ServerResponse} response @param {unknown} value */
const sendJson = (response, value) =>
  response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(value));

/**
 * Lists the models whose names contain a text.
 * @param {string} root
 * @param {URLSearchParams} asked
 */
async function search(root, asked) {
  const text = (asked.get('search') ?? '').toLowerCase();
  const names = (await readdir(root)).filter((name) => !name.includes('@'));
  const ids = names.map((name) => `someone/${name}`).filter((id) => id.includes(text));
  const limit = Number(asked.get('limit') ?? Infinity);
  const found = ids.slice(0, limit).map(async (id) => {
    const config = join(root, id.split('/')[1], 'config.json');
    const {model_type: type = 'other'} = JSON.parse(
      await readFile(config, 'utf8').catch(() => '{}'),
    );
    return {_id: id, id, tags: ['transformers', type], downloads: 1};
  });
  return Promise.all(found);
}

/** Sends bytes slowly, and does not end the response. @param {Buffer} bytes @param {ServerResponse} response */
async function trickle(bytes, response) {
  const step = Math.ceil(bytes.length / STEPS);
  for (let at = 0; at < bytes.length && !response.destroyed; at += step) {
    await pause(STEP_MS);
    response.write(bytes.subarray(at, at + step));
  }
}
