/**
 * Keeps quantized models in the browser for the next visit. It uses the Cache API because Chromium,
 * Firefox and WebKitGTK all have it (WebKitGTK has no origin-private file system), and because an
 * entry is stored whole or not at all. If a page may not store anything, models are kept until it
 * is closed.
 */

import {BertscopeError} from '../errors.js';
import {inTime} from '../silence.js';
import {openWeights} from './model-folder.js';
import {exclusively, heldLocks, MemoryStorage, reasonOf, Shelf, silentStorage} from './shelf.js';

/** @import {ByteFile} from './byte-file.js' */
/** @import {Source} from './model-sources.js' */
/** @import {Storage} from './shelf.js' */

/**
 * @typedef {object} KeptModel
 * @property {string} source What `engine.load` takes to open it.
 * @property {string} name
 * @property {number} bytes
 * @property {string} date In the format of ISO 8601.
 * @property {string} hash The SHA-256 of the SHA-256s of its pieces, in hexadecimal.
 * @property {string} [commit] The commit of the hub's repository that it was loaded from.
 * @property {string} [place] Where its weights are; the default is `weights`, where all were once.
 */

const CACHE = 'bertscope-models-1';
/** No such host exists (RFC 2606). These addresses are keys and are never requested. */
const ORIGIN = 'https://models.bertscope.invalid';
const PIECE_BYTES = 1 << 22;
/** The places of weights: one of its own for each time that a model is kept. */
const PLACE = /^weights(-[\w-]{1,40})?$/;
/** The lock under which notes are written and weights without a note removed, in all tabs. */
const LOCK = 'bertscope-models';

export class ModelStore {
  #shelf;

  /**
   * @param {Storage} storage
   * @param {boolean} isLasting
   */
  constructor(storage, isLasting) {
    this.#shelf = new Shelf(storage);
    /** Whether kept models are there on the next visit. */
    this.isLasting = isLasting;
  }

  static async open() {
    try {
      return new ModelStore(await inTime(caches.open(CACHE), silentStorage), true);
    } catch (error) {
      // Storage that does not answer may do so later; storage that refuses will not.
      if (error instanceof BertscopeError) throw error;
      return new ModelStore(new MemoryStorage(), false);
    }
  }

  /** @returns {Promise<KeptModel[]>} The latest first. */
  async list() {
    const ids = (await this.#shelf.keys()).flatMap(
      (key) => /^note\/(.*)$/s.exec(key.slice(ORIGIN.length + 1))?.[1] ?? [],
    );
    // What cannot be read now is not listed now.
    const models = await Promise.all(ids.map((id) => this.#note(id).catch(() => undefined)));
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
    const path = `the kept model ${note.name}`;
    const chunks = await this.#shelf.chunks(weightsOf(note), path);
    if (!chunks) return this.#openAgain(note);
    const read = () => this.#checked(chunks, note, path);
    /** @type {ByteFile} */
    const file = {path, bytes: note.bytes, read};
    const {name, commit} = note;
    return {name, path, weights: path, files: {}, commit, open: () => openWeights(file)};
  }

  /**
   * Opens a model whose weights are not where its note says. Another tab may have kept it again
   * meanwhile; otherwise it is damaged.
   * @param {KeptModel} note
   */
  async #openAgain(note) {
    const isGone = await exclusively(LOCK, async () => {
      const latest = await this.#note(idOf(note.source));
      if (!latest) return true;
      if (latest.place !== note.place && (await this.#shelf.has(weightsOf(latest)))) return false;
      await this.#remove(idOf(note.source));
      return true;
    });
    return isGone ? undefined : this.open(note.source);
  }

  /**
   * @param {string} source A model that is kept under it is replaced after the new one is complete.
   * @param {string} name
   * @param {Iterable<Uint8Array>} parts The parts of the quantized file.
   * @param {string} [commit] The commit of the hub's repository.
   * @returns {Promise<KeptModel>}
   */
  async put(source, name, parts, commit) {
    const id = idOf(source);
    const hashes = new PieceHashes();
    let bytes = 0;
    const pieces = inPieces(parts);
    const content = (/** @type {() => void} */ sign) =>
      new ReadableStream({
        async pull(controller) {
          sign();
          const {done, value} = pieces.next();
          if (done) return controller.close();
          bytes += value.length;
          await hashes.add(value);
          controller.enqueue(value);
        },
      });
    const place = `weights-${crypto.randomUUID()}`;
    try {
      // The lock of the place tells other tabs that it is being written.
      const note = await exclusively(lockOf(place), async () => {
        await this.#shelf.put(keyOf(place, id), content);
        const date = new Date().toISOString();
        const hash = await hashes.end();
        const note = {source, name, bytes, date, hash, place, ...(commit && {commit})};
        // The note is written last: weights without a note are not a model.
        const text = JSON.stringify(note);
        await exclusively(LOCK, () => this.#shelf.put(keyOf('note', id), () => text));
        return note;
      });
      await this.#tidy(id);
      return note;
    } catch (error) {
      // Storage that does not answer may still write the note, so its weights stay.
      if (error instanceof BertscopeError) throw error;
      await this.#tidy(id);
      const message = `${name}: expected room for the model in this browser's storage, found too little or none (${reasonOf(error)})`;
      throw new BertscopeError('storage-full', message);
    }
  }

  /**
   * Removes weights that no note names. If that fails, it is tried again when the model is kept or removed the next
   * time.
   * @param {string} id
   */
  async #tidy(id) {
    await exclusively(LOCK, () => this.#removeLooseWeights(id)).catch(() => {});
  }

  /** @param {string} source */
  remove(source) {
    return exclusively(LOCK, () => this.#remove(idOf(source)));
  }

  /** @param {string} id */
  async #remove(id) {
    // The note is removed first, so that no incomplete model is ever listed.
    await this.#shelf.delete(keyOf('note', id));
    await this.#removeLooseWeights(id);
  }

  /**
   * Removes the weights of a model that its note does not name, and that no tab is writing.
   * @param {string} id
   */
  async #removeLooseWeights(id) {
    // In this order: what is no longer being written after it was seen has a note, or never will.
    const keys = await this.#shelf.keys();
    const held = await heldLocks();
    const named = readNote(await this.#shelf.text(keyOf('note', id)), id)?.place ?? 'weights';
    for (const url of keys) {
      const [place, ...rest] = url.slice(ORIGIN.length + 1).split('/');
      const isOwn = PLACE.test(place) && rest.join('/') === id;
      if (isOwn && place !== named && !held.has(lockOf(place))) await this.#shelf.delete(url);
    }
  }

  /**
   * @param {string} source
   * @returns {Promise<Blob | undefined>} The quantized file.
   */
  async file(source) {
    const note = await this.#note(idOf(source));
    return note && this.#shelf.blob(weightsOf(note));
  }

  /**
   * @param {string} id
   * @returns {Promise<KeptModel | undefined>} A damaged note is removed with its weights, since
   *   nothing says what these are.
   */
  async #note(id) {
    const text = await this.#shelf.text(keyOf('note', id));
    if (text === undefined) return undefined;
    const note = readNote(text, id);
    if (note) return note;
    await this.#remove(id);
    return undefined;
  }

  /**
   * @param {AsyncGenerator<Uint8Array, void>} chunks
   * @param {KeptModel} note
   * @param {string} path
   */
  async *#checked(chunks, note, path) {
    const hashes = new PieceHashes();
    let bytes = 0;
    const pieces = inPiecesAsync(chunks);
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

/** @param {string} place */
const lockOf = (place) => `${LOCK}/${place}`;

/**
 * @param {string} what `note`, or the place of weights.
 * @param {string} id
 */
const keyOf = (what, id) => `${ORIGIN}/${what}/${id}`;

/** @param {string} source */
const idOf = (source) => encodeURIComponent(source);

/** The key of a model's weights. @param {KeptModel} note */
const weightsOf = ({place = 'weights', source}) => keyOf(place, idOf(source));

/**
 * @param {string | undefined} text
 * @param {string} id The id of the model that the note must be about.
 * @returns {KeptModel | undefined} Undefined if the note is damaged.
 */
function readNote(text, id) {
  try {
    const json = JSON.parse(text ?? '');
    const {source, name, bytes, date, hash, commit = '', place = 'weights'} = json;
    const isWhole =
      [source, name, date, hash, commit].every((each) => typeof each === 'string') &&
      Number.isSafeInteger(bytes) &&
      Number.isFinite(Date.parse(date)) &&
      PLACE.test(place) &&
      idOf(source) === id;
    return isWhole ? json : undefined;
  } catch {
    return undefined;
  }
}
