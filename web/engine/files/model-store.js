/**
 * Keeps quantized models in the browser for the next visit. It uses the Cache API because Chromium,
 * Firefox and WebKitGTK all have it (WebKitGTK has no origin-private file system), and because an
 * entry is stored whole or not at all. If a page may not store anything, models are kept until it
 * is closed.
 */

import {BertscopeError} from '../errors.js';
import {inTime} from '../silence.js';
import {inPieces, inPiecesAsync, PieceHashes} from './hashed-pieces.js';
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
/**
 * The names of the places of weights. Each time that a model is kept, its weights get a new place.
 */
const PLACE = /^weights(-[\w-]{1,40})?$/;
/** The lock under which notes are written and weights without a note removed, in all tabs. */
const LOCK = 'bertscope-models';

/**
 * Opens the cache for each act. A reader may delete what the page has stored while it runs; what is then put into a
 * cache that was open before is lost with the page.
 * @type {Storage}
 */
const lasting = {
  match: async (key) => (await caches.open(CACHE)).match(key),
  put: async (key, response) => (await caches.open(CACHE)).put(key, response),
  delete: async (key) => (await caches.open(CACHE)).delete(key),
  keys: async () => (await caches.open(CACHE)).keys(),
};

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
      await inTime(caches.open(CACHE), silentStorage);
      return new ModelStore(lasting, true);
    } catch (error) {
      // Storage that does not answer now may answer later, but storage that refuses will refuse
      // again.
      if (error instanceof BertscopeError) throw error;
      return new ModelStore(new MemoryStorage(), false);
    }
  }

  /** @returns {Promise<KeptModel[]>} The latest first. */
  async list() {
    const ids = (await this.#shelf.keys()).flatMap(
      (key) => /^note\/(.*)$/s.exec(key.slice(ORIGIN.length + 1))?.[1] ?? [],
    );
    // A note that cannot be read at the moment is left out of this list.
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
    // The keys are read before the locks and the note. So weights that were seen and are no longer
    // locked either have a note already, or never get one.
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
      // If the file is damaged, the reader may have stopped with another error, which would not
      // mention the damage.
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
