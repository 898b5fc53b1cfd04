/**
 * Keeps quantized models in the browser for the next visit. It uses the Cache API because Chromium,
 * Firefox and WebKitGTK all have it (WebKitGTK has no origin-private file system), and because an
 * entry is stored whole or not at all. If a page may not store anything, models are kept until it
 * is closed.
 */

import {BertscopeError} from '../errors.js';
import {readStream} from './byte-file.js';
import {openWeights} from './model-folder.js';

/** @import {ByteFile} from './byte-file.js' */
/** @import {Source} from './model-sources.js' */

/**
 * @typedef {object} KeptModel
 * @property {string} source What `engine.load` takes to open it.
 * @property {string} name
 * @property {number} bytes
 * @property {string} date In the format of ISO 8601.
 * @property {string} hash The SHA-256 of the SHA-256s of its pieces, in hexadecimal.
 * @property {typeof WEIGHTS[number]} [place] Where its weights are; the default is the first place.
 */

const CACHE = 'bertscope-models-1';
/** No such host exists (RFC 2606). These addresses are keys and are never requested. */
const ORIGIN = 'https://models.bertscope.invalid';
const PIECE_BYTES = 1 << 22;
/** A model has two places. When it is kept again, its weights go where the older ones are not. */
const WEIGHTS = Object.freeze(/** @type {const} */ (['weights', 'weights-2']));

/** @typedef {Pick<Cache, 'match' | 'put' | 'delete'> & {keys(): Promise<readonly {url: string}[]>}} Shelf */

export class ModelStore {
  #shelf;

  /**
   * @param {Shelf} shelf
   * @param {boolean} isLasting
   */
  constructor(shelf, isLasting) {
    this.#shelf = shelf;
    /** Whether kept models are there on the next visit. */
    this.isLasting = isLasting;
  }

  static async open() {
    try {
      return new ModelStore(await caches.open(CACHE), true);
    } catch {
      return new ModelStore(new MemoryShelf(), false);
    }
  }

  /** @returns {Promise<KeptModel[]>} The latest first. */
  async list() {
    const keys = (await this.#shelf.keys()).map(({url}) => url);
    const ids = keys.flatMap(
      (key) => /^note\/(.*)$/s.exec(key.slice(ORIGIN.length + 1))?.[1] ?? [],
    );
    const models = await Promise.all(ids.map(async (id) => this.#note(id)));
    return models
      .filter((model) => model !== undefined)
      .sort((a, b) => b.date.localeCompare(a.date));
  }

  /** @param {string} source */
  async has(source) {
    return (await this.#note(idOf(source))) !== undefined;
  }

  /**
   * @param {string} source
   * @returns {Promise<Source | undefined>} Its bytes are checked while they are read. A damaged
   *   model is removed.
   */
  async open(source) {
    const note = await this.#note(idOf(source));
    if (!note) return undefined;
    const body = (await this.#weights(note))?.body;
    if (!body) {
      await this.remove(source);
      return undefined;
    }
    const path = `the kept model ${note.name}`;
    const read = () => this.#checked(body, note, path);
    /** @type {ByteFile} */
    const file = {path, bytes: note.bytes, read};
    return {name: note.name, path, weights: path, files: {}, open: () => openWeights(file)};
  }

  /**
   * @param {string} source A model that is kept under it is replaced after the new one is complete.
   * @param {string} name
   * @param {Iterable<Uint8Array>} parts The parts of the quantized file.
   * @returns {Promise<KeptModel>}
   */
  async put(source, name, parts) {
    const id = idOf(source);
    const hashes = new PieceHashes();
    let bytes = 0;
    const pieces = inPieces(parts);
    const stream = new ReadableStream({
      async pull(controller) {
        const {done, value} = pieces.next();
        if (done) return controller.close();
        bytes += value.length;
        await hashes.add(value);
        controller.enqueue(value);
      },
    });
    /** @type {string | undefined} What was written before its note. */
    let loose;
    try {
      const older = await this.#note(id);
      const [first, second] = WEIGHTS;
      const place = older && placeOf(older) === first ? second : first;
      loose = keyOf(place, id);
      await this.#shelf.put(loose, new Response(stream));
      const date = new Date().toISOString();
      const note = {source, name, bytes, date, hash: await hashes.end(), place};
      // The note is written last: weights without a note are not a model.
      await this.#shelf.put(keyOf('note', id), new Response(JSON.stringify(note)));
      loose = older && keyOf(placeOf(older), id);
      return note;
    } catch (error) {
      const reason = error instanceof Error ? error.message || error.name : String(error);
      const message = `${name}: expected room for the model in this browser's storage, found too little or none (${reason})`;
      throw new BertscopeError('storage-full', message);
    } finally {
      // If even that fails, the next model with this source overwrites it.
      if (loose) await this.#shelf.delete(loose).catch(() => {});
    }
  }

  /** @param {string} source */
  remove(source) {
    return this.#remove(idOf(source));
  }

  /** @param {string} id */
  async #remove(id) {
    // The note is removed first, so that no incomplete model is ever listed.
    for (const what of /** @type {const} */ (['note', ...WEIGHTS])) {
      await this.#shelf.delete(keyOf(what, id));
    }
  }

  /**
   * @param {string} source
   * @returns {Promise<Blob | undefined>} The quantized file.
   */
  async file(source) {
    const note = await this.#note(idOf(source));
    return note && (await this.#weights(note))?.blob();
  }

  /**
   * @param {string} id
   * @returns {Promise<KeptModel | undefined>} A damaged note is removed with its weights, since
   *   nothing says what these are.
   */
  async #note(id) {
    const response = await this.#shelf.match(keyOf('note', id));
    if (!response) return undefined;
    const note = readNote(await response.text().catch(() => ''), id);
    if (note) return note;
    await this.#remove(id);
    return undefined;
  }

  /** @param {KeptModel} note */
  #weights(note) {
    return this.#shelf.match(keyOf(placeOf(note), idOf(note.source)));
  }

  /**
   * @param {ReadableStream<Uint8Array>} body
   * @param {KeptModel} note
   * @param {string} path
   */
  async *#checked(body, note, path) {
    const hashes = new PieceHashes();
    let bytes = 0;
    const pieces = inPiecesAsync(readStream(body, path));
    const next = async () => {
      const {value} = await pieces.next();
      if (value) {
        bytes += value.length;
        void hashes.add(value); // `end` waits for it
      }
      return value;
    };
    let isReadable = true;
    try {
      for (let piece = await next(); piece; piece = await next()) yield piece;
    } catch (error) {
      isReadable = false;
      throw error;
    } finally {
      // Damage may have stopped the reader, whose own error would not mention it.
      if (isReadable) {
        while (await next());
        await this.#refuseDamage(note, bytes, await hashes.end(), path);
      }
    }
  }

  /**
   * @param {KeptModel} note
   * @param {number} bytes
   * @param {string} hash
   * @param {string} path
   */
  async #refuseDamage(note, bytes, hash, path) {
    if (bytes === note.bytes && hash === note.hash) return;
    await this.remove(note.source);
    const message = `${path}: expected the bytes that were kept, found others; it was removed, load it again`;
    throw new BertscopeError('kept-damaged', message);
  }
}

/** Computes the SHA-256 of each piece, and at the end the SHA-256 of these. */
class PieceHashes {
  /** @type {Promise<ArrayBuffer>[]} */
  #digests = [];

  /** @param {Uint8Array} piece */
  add(piece) {
    // The browser computes it in another thread, from a copy.
    const digest = crypto.subtle.digest('SHA-256', /** @type {BufferSource} */ (piece));
    this.#digests.push(digest);
    return digest;
  }

  async end() {
    const digests = await Promise.all(this.#digests);
    const all = new Uint8Array(32 * digests.length);
    digests.forEach((digest, index) => all.set(new Uint8Array(digest), 32 * index));
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', all));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
}

/** Cuts parts into pieces of equal size, so that hashes do not depend on how the parts are cut. */
class Cutter {
  #piece = new Uint8Array(PIECE_BYTES);
  #filled = 0;

  /** @param {Uint8Array} part */
  *add(part) {
    for (let at = 0; at < part.length;) {
      const count = Math.min(PIECE_BYTES - this.#filled, part.length - at);
      this.#piece.set(part.subarray(at, at + count), this.#filled);
      this.#filled += count;
      at += count;
      if (this.#filled === PIECE_BYTES) yield* this.end();
    }
  }

  *end() {
    const piece = this.#piece.subarray(0, this.#filled);
    this.#piece = new Uint8Array(PIECE_BYTES);
    this.#filled = 0;
    if (piece.length > 0) yield piece;
  }
}

/** @param {Iterable<Uint8Array>} parts @returns {Generator<Uint8Array, void>} */
function* inPieces(parts) {
  const cutter = new Cutter();
  for (const part of parts) yield* cutter.add(part);
  yield* cutter.end();
}

/** @param {AsyncIterable<Uint8Array>} parts */
async function* inPiecesAsync(parts) {
  const cutter = new Cutter();
  for await (const part of parts) yield* cutter.add(part);
  yield* cutter.end();
}

/** @implements {Shelf} */
class MemoryShelf {
  /** @type {Map<string, Blob>} */
  #blobs = new Map();

  /** @param {any} key */
  async match(key) {
    const blob = this.#blobs.get(key);
    return blob && new Response(blob);
  }

  /** @param {any} key @param {Response} response */
  async put(key, response) {
    this.#blobs.set(key, await response.blob());
  }

  /** @param {any} key */
  async delete(key) {
    return this.#blobs.delete(key);
  }

  async keys() {
    return [...this.#blobs.keys()].map((url) => ({url}));
  }
}

/**
 * @param {'note' | typeof WEIGHTS[number]} what
 * @param {string} id
 */
const keyOf = (what, id) => `${ORIGIN}/${what}/${id}`;

/** @param {string} source */
const idOf = (source) => encodeURIComponent(source);

/** @param {KeptModel} note */
const placeOf = ({place = WEIGHTS[0]}) => place;

/**
 * @param {string} text
 * @param {string} id The id of the model that the note must be about.
 * @returns {KeptModel | undefined} Undefined if the note is damaged.
 */
function readNote(text, id) {
  try {
    const json = JSON.parse(text);
    const {source, name, bytes, date, hash, place = WEIGHTS[0]} = json;
    const isWhole =
      [source, name, date, hash].every((each) => typeof each === 'string') &&
      Number.isSafeInteger(bytes) &&
      Number.isFinite(Date.parse(date)) &&
      WEIGHTS.includes(place) &&
      idOf(source) === id;
    return isWhole ? json : undefined;
  } catch {
    return undefined;
  }
}
