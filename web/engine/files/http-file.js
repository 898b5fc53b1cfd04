/**
 * Files on servers. They are read from any byte on. A broken connection is continued where it
 * broke.
 */

import {BertscopeError} from '../errors.js';
import {inTime, unlessSilent} from '../silence.js';
import {readStream} from './byte-file.js';
import {refusal} from './http-refusal.js';

/** @import {ByteFile} from './byte-file.js' */

/**
 * @typedef {object} HttpOptions
 * @property {AbortSignal} [signal]
 * @property {string} [token] Sent as `Authorization: Bearer`.
 * @property {Promise<Response>} [started] The download, if it has begun already.
 * @property {readonly number[]} [retryMilliseconds] How long to wait before each new attempt. A
 *   byte that arrives starts the list again.
 * @property {number} [silenceMilliseconds] A server that sends nothing for so long has failed; the
 *   default is 10,000.
 */

const RETRY_MILLISECONDS = Object.freeze([500, 1000, 2000, 4000, 8000]);
/** A server that was silent is asked only once more, so that a call ends within half a minute. */
const MAX_SILENCES = 2;

/**
 * @param {string} url
 * @param {HttpOptions} [options]
 * @returns {Promise<ByteFile>} A file whose download has begun.
 */
export async function openHttpFile(url, options = {}) {
  const response = await request(url, options, 0, options.started);
  return new HttpFile(url, options, response);
}

/** @implements {ByteFile} */
class HttpFile {
  #options;
  /** @type {Response | undefined} The first response, until its body is read. */
  #first;
  /** @type {string | null} */
  #tag;

  /**
   * @param {string} url
   * @param {HttpOptions} options
   * @param {Response} response
   */
  constructor(url, options, response) {
    this.path = url;
    this.#options = options;
    this.#first = response;
    this.#tag = response.headers.get('etag');
    /** The commit that a hub took the file from. */
    this.commit = commitIn(response.headers);
    this.statedBytes = statedBytes(response.headers);
  }

  /**
   * A body that nobody reads keeps its connection open, so it is cancelled. Cancelling a connection
   * that broke fails, which does not matter.
   */
  async close() {
    const first = this.#first;
    this.#first = undefined;
    await first?.body?.cancel().catch(() => {});
  }

  /**
   * @param {number} [begin]
   * @param {number} [end]
   * @returns {AsyncGenerator<Uint8Array, void>}
   */
  async *read(begin = 0, end = Infinity) {
    const {signal, retryMilliseconds = RETRY_MILLISECONDS} = this.#options;
    let at = begin;
    let failures = 0;
    let silences = 0;
    for (;;) {
      try {
        const response = await this.#from(at);
        for await (const chunk of this.#bodyFrom(response, at)) {
          failures = silences = 0;
          const wanted = at + chunk.length > end ? chunk.subarray(0, end - at) : chunk;
          at += wanted.length;
          yield wanted;
          if (at >= end) return;
        }
        // A browser does not report an error when the server closes the connection early.
        if (at >= Math.min(end, this.statedBytes ?? 0)) return;
        const message = `${this.path}: expected ${this.statedBytes} bytes, found the connection closed`;
        throw new BertscopeError('read-failed', message);
      } catch (error) {
        signal?.throwIfAborted();
        const isBroken = error instanceof BertscopeError && RESUMABLE.includes(error.code);
        if (isBroken && error.code === 'silent-server') silences += 1;
        if (!isBroken || failures >= retryMilliseconds.length || silences >= MAX_SILENCES) {
          throw at > begin ? this.#brokenAt(at, error) : error;
        }
        await pause(retryMilliseconds[failures], signal);
        failures += 1;
      }
    }
  }

  /**
   * @param {number} at How many bytes have arrived.
   * @param {unknown} error Why no more arrive.
   */
  #brokenAt(at, error) {
    if (!(error instanceof BertscopeError) || error.code === 'file-changed') return error;
    const code = RESUMABLE.includes(error.code) ? 'read-failed' : error.code;
    const expected =
      this.statedBytes === undefined ? 'the whole file' : `${this.statedBytes} bytes`;
    const reason = error.message.replace(`${this.path}: `, '');
    const message = `${this.path}: expected ${expected}, found the connection broken after ${at} and the rest not available (${reason})`;
    return new BertscopeError(code, message);
  }

  /** @param {number} at */
  async #from(at) {
    const first = this.#first;
    if (first && at === 0) {
      this.#first = undefined;
      return first;
    }
    await this.close();
    const response = await request(this.path, this.#options, at);
    const tag = response.headers.get('etag');
    if (this.#tag && tag && tag !== this.#tag) {
      const message = `${this.path}: expected the file that the download began with, found another (its ETag changed)`;
      throw new BertscopeError('file-changed', message);
    }
    return response;
  }

  /**
   * @param {Response} response
   * @param {number} at
   */
  async *#bodyFrom(response, at) {
    const body = /** @type {ReadableStream<Uint8Array>} */ (response.body);
    // A server that does not support byte ranges answers with the whole file.
    let skip = response.status === 206 ? 0 : at;
    const range = response.headers.get('content-range');
    const [, begin] = /^bytes (\d+)-/.exec(range ?? '') ?? [];
    if (response.status === 206 && begin !== undefined && Number(begin) !== at) {
      const message = `${this.path}: expected bytes from ${at} on, found ${range}`;
      throw new BertscopeError('download-failed', message);
    }
    const {silenceMilliseconds} = this.#options;
    const chunks = readStream(body, this.path);
    for await (const chunk of unlessSilent(chunks, silentServer(this.path), silenceMilliseconds)) {
      const rest = chunk.subarray(Math.min(skip, chunk.length));
      skip -= chunk.length - rest.length;
      if (rest.length > 0) yield rest;
    }
  }
}

/** Errors after which another attempt may succeed. */
const RESUMABLE = ['read-failed', 'no-answer', 'server-error', 'silent-server'];

/** @param {string} url */
const silentServer = (url) => (/** @type {string} */ found) =>
  new BertscopeError('silent-server', `${url}: expected an answer, found ${found}`);

/**
 * @param {string} url
 * @param {HttpOptions} options
 * @param {number} begin The first byte that is wanted.
 * @param {Promise<Response>} [started]
 */
async function request(url, {signal, token, silenceMilliseconds}, begin, started) {
  let response;
  try {
    /** @type {Record<string, string>} */
    const headers = token ? {authorization: `Bearer ${token}`} : {};
    if (begin > 0) headers.range = `bytes=${begin}-`;
    const answer = started ?? fetch(url, {signal, headers});
    response = await inTime(answer, silentServer(url), silenceMilliseconds);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof BertscopeError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${url}: expected a file to download, found no answer (${reason}): there is no connection, or the server does not let other pages read it (CORS)`;
    throw new BertscopeError('no-answer', message);
  }
  if (response.ok && response.body) return response;
  await response.body?.cancel();
  throw refusal(url, response, Boolean(token));
}

/**
 * Reads the length of an answer. If the answer is compressed, the header states the compressed
 * length, which is ignored.
 * @param {Headers} headers
 */
function statedBytes(headers) {
  if (headers.get('content-encoding')) return undefined;
  const bytes = Number(headers.get('content-length') || NaN);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/**
 * Reads the commit of a model, which a hub states and which is kept with the model. Other servers
 * state none.
 * @param {Headers} headers
 */
const commitIn = (headers) => /^[\da-f]{40}$/.exec(headers.get('x-repo-commit') ?? '')?.[0];

/**
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 */
async function pause(milliseconds, signal) {
  await new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve(undefined);
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
  });
  signal?.throwIfAborted();
}
