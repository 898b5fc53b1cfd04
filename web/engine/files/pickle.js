/**
 * Reads the instructions of Python's pickle that a dictionary of tensors needs. Nothing is
 * executed: what an instruction would import or call is only a name here, and only the names that
 * rebuild tensors are accepted. Everything else is refused by name. Source: `pickletools.py` and
 * `pickle.py` of CPython; `torch/serialization.py` (`_save`).
 */

import {BertscopeError} from '../errors.js';
import {quote, shorten} from '../json.js';
import {PickleBytes} from './pickle-bytes.js';

/** @import {Refuse} from './pickle-bytes.js' */

/**
 * @typedef {object} StoredTensor
 * @property {string} storage Its key in the archive.
 * @property {string} kind The class of the storage, such as `FloatStorage`.
 * @property {number} elements The size of the whole storage.
 * @property {number} offset The elements before the first one of the tensor.
 * @property {number[]} shape
 * @property {number[]} stride Counts elements.
 */

const MAX_ITEMS = 1_000_000;
/** PyTorch allows no more dimensions. */
const MAX_DIMENSIONS = 64;

class Global {
  /** @param {string} name The module and the name, with a dot between them. */
  constructor(name) {
    this.name = name;
  }
}
class Storage {
  /** @param {string} kind @param {string} key @param {number} elements */
  constructor(kind, key, elements) {
    this.kind = kind;
    this.key = key;
    this.elements = elements;
  }
}
export class PickledTensor {
  /** @param {StoredTensor} stored */
  constructor(stored) {
    this.stored = stored;
  }
}
const MARK = Symbol('mark');

/** @param {any[]} args @param {Refuse} refuse */
function rebuildTensor([storage, offset, shape, stride], refuse) {
  const lists = [shape, stride].every(
    (list) =>
      Array.isArray(list) &&
      list.length <= MAX_DIMENSIONS &&
      list.every((size) => Number.isSafeInteger(size) && size >= 0),
  );
  const isWhole = lists && shape.length === stride.length && Number.isSafeInteger(offset);
  if (!(storage instanceof Storage) || !isWhole || offset < 0) {
    throw refuse('a tensor of a storage, an offset, a shape and strides', 'something else');
  }
  const {key, kind, elements} = storage;
  return new PickledTensor({storage: key, kind, elements, offset, shape, stride});
}

/** The names that a file may contain, and what each makes when it is called. */
const CALLS = /** @type {Record<string, (args: any[], refuse: Refuse) => unknown>} */ ({
  'collections.OrderedDict': () => new Map(),
  'torch._utils._rebuild_parameter': ([tensor]) => tensor,
  'torch._utils._rebuild_tensor': rebuildTensor,
  'torch._utils._rebuild_tensor_v2': rebuildTensor,
});
const STORAGE_KIND = /^torch\.(\w+Storage)$/;

/**
 * @param {Uint8Array} bytes
 * @param {string} name The name of the file, for messages.
 * @returns {unknown} Consists of maps, arrays, strings, numbers and PickledTensor.
 */
export function readPickle(bytes, name) {
  return new PickleReader(bytes, name).read();
}

/**
 * Reads several pickles that follow each other in one file.
 * @param {Uint8Array} bytes More bytes may follow the last pickle.
 * @param {string} name
 * @param {number} count
 * @returns {{values: unknown[], end: number}} `end` is the offset of the first byte after them.
 */
export function readPickles(bytes, name, count) {
  const values = [];
  let end = 0;
  for (let index = 0; index < count; index++) {
    const reader = new PickleReader(bytes.subarray(end), name);
    values.push(reader.read());
    end += reader.at;
  }
  return {values, end};
}

class PickleReader {
  #bytes;
  #name;
  /** @type {any[]} */
  #stack = [];
  /** @type {Map<number, any>} */
  #memo = new Map();

  /** @param {Uint8Array} bytes @param {string} name */
  constructor(bytes, name) {
    this.#bytes = new PickleBytes(bytes, (...text) => this.#refuse(...text));
    this.#name = name;
  }

  /** How many bytes were read. */
  get at() {
    return this.#bytes.at;
  }

  read() {
    try {
      for (;;) {
        const begin = this.at;
        const code = this.#bytes.take(1).getUint8(0);
        if (code === 0x2e) return this.#pop(); // STOP
        this.#run(code, begin);
        if (this.#stack.length > MAX_ITEMS || this.#memo.size > MAX_ITEMS) {
          throw this.#refuse(`at most ${MAX_ITEMS} values at once`, 'more');
        }
      }
    } catch (error) {
      if (error instanceof BertscopeError) throw error;
      throw this.#refuse('a pickle', 'one that ends or bends too early');
    }
  }

  /** @param {number} code @param {number} begin */
  #run(code, begin) {
    const value = this.#valueOf(code);
    if (value !== undefined) return void this.#stack.push(value);
    switch (code) {
      case 0x80: // PROTO
        return this.#protocol(this.#bytes.take(1).getUint8(0));
      case 0x95: // FRAME
        return void this.#bytes.take(8);
      case 0x61: // APPEND
        return this.#append([this.#pop()]);
      case 0x65: // APPENDS
        return this.#append(this.#popToMark());
      case 0x73: // SETITEM
        return this.#setItems(this.#popMany(2));
      case 0x75: // SETITEMS
        return this.#setItems(this.#popToMark());
      case 0x71: // BINPUT
        return void this.#memo.set(this.#bytes.take(1).getUint8(0), this.#top());
      case 0x72: // LONG_BINPUT
        return void this.#memo.set(this.#bytes.take(4).getUint32(0, true), this.#top());
      case 0x94: // MEMOIZE
        return void this.#memo.set(this.#memo.size, this.#top());
      case 0x68: // BINGET
        return this.#get(this.#bytes.take(1).getUint8(0));
      case 0x6a: // LONG_BINGET
        return this.#get(this.#bytes.take(4).getUint32(0, true));
      case 0x63: // GLOBAL
        return this.#global(`${this.#bytes.line()}.${this.#bytes.line()}`);
      case 0x93: // STACK_GLOBAL
        return this.#globalOf(this.#popMany(2));
      case 0x51: // BINPERSID
        return this.#storage(this.#pop());
      case 0x52: // REDUCE
        return this.#call(...this.#popMany(2));
      case 0x62: // BUILD
        // `_metadata`, the versions of the modules of a state dictionary. It is not needed.
        return void this.#pop();
      default: {
        const instruction = `instruction 0x${code.toString(16)} at byte ${begin}`;
        throw this.#refuse('only what a dictionary of tensors needs', instruction);
      }
    }
  }

  /** The value that an instruction puts on the stack; undefined if it does something else. @param {number} code */
  #valueOf(code) {
    switch (code) {
      case 0x28: // MARK
        return MARK;
      case 0x4e: // NONE
        return null;
      case 0x88: // NEWTRUE
        return true;
      case 0x89: // NEWFALSE
        return false;
      case 0x4b: // BININT1
        return this.#bytes.take(1).getUint8(0);
      case 0x4d: // BININT2
        return this.#bytes.take(2).getUint16(0, true);
      case 0x4a: // BININT
        return this.#bytes.take(4).getInt32(0, true);
      case 0x8a: // LONG1
        return this.#bytes.long(this.#bytes.take(1).getUint8(0));
      case 0x47: // BINFLOAT
        return this.#bytes.take(8).getFloat64(0, false);
      case 0x8c: // SHORT_BINUNICODE
        return this.#bytes.text(this.#bytes.take(1).getUint8(0));
      case 0x58: // BINUNICODE
        return this.#bytes.text(this.#bytes.take(4).getUint32(0, true));
      case 0x29: // EMPTY_TUPLE
      case 0x5d: // EMPTY_LIST
        return [];
      case 0x7d: // EMPTY_DICT
        return new Map();
      case 0x85: // TUPLE1
      case 0x86: // TUPLE2
      case 0x87: // TUPLE3
        return this.#popMany(code - 0x84);
      case 0x74: // TUPLE
        return this.#popToMark();
    }
    return undefined;
  }

  /** @param {number} version */
  #protocol(version) {
    if (version < 2 || version > 5) throw this.#refuse('pickle protocol 2 to 5', String(version));
  }

  /** @param {unknown[]} names The module and the name. A list as a name would take time without end to write out. */
  #globalOf(names) {
    if (!names.every((name) => typeof name === 'string')) {
      throw this.#refuse(
        'the names of a module and of something in it',
        names.map(quote).join(', '),
      );
    }
    this.#global(names.join('.'));
  }

  /** @param {string} name */
  #global(name) {
    if (!Object.hasOwn(CALLS, name) && !STORAGE_KIND.test(name)) {
      const known = [...Object.keys(CALLS), 'torch.…Storage'].join(', ');
      throw this.#refuse(`nothing to be loaded but ${known}`, shorten(name));
    }
    this.#stack.push(new Global(name));
  }

  /** @param {unknown} id `('storage', class, key, location, elements)`, and before 1.6 also a view, which is None. */
  #storage(id) {
    const [what, kind, key, , elements, view = null] = Array.isArray(id) ? id : [];
    const [, name] = kind instanceof Global ? (STORAGE_KIND.exec(kind.name) ?? []) : [];
    const isKey = typeof key === 'string' && /^[\w-]{1,40}$/.test(key);
    const isSize = Number.isSafeInteger(elements) && elements >= 0;
    if (what !== 'storage' || !name || !isKey || !isSize || view !== null) {
      throw this.#refuse('the name of a storage', quote(id));
    }
    this.#stack.push(new Storage(name, key, elements));
  }

  /** @param {any[]} functionAndArguments */
  #call(...[called, args]) {
    if (!(called instanceof Global) || !Object.hasOwn(CALLS, called.name) || !Array.isArray(args)) {
      throw this.#refuse('a call that rebuilds a tensor', quote(called?.name ?? called));
    }
    this.#stack.push(CALLS[called.name](args, (...text) => this.#refuse(...text)));
  }

  /** @param {any[]} items */
  #append(items) {
    const list = this.#top();
    if (!Array.isArray(list)) throw this.#refuse('a list to append to', quote(list));
    for (const item of items) list.push(item);
  }

  /** @param {any[]} items Alternate between keys and values. */
  #setItems(items) {
    const map = this.#top();
    if (!(map instanceof Map)) throw this.#refuse('a dictionary to set items of', quote(map));
    for (let i = 0; i + 1 < items.length; i += 2) map.set(items[i], items[i + 1]);
  }

  /** @param {number} index */
  #get(index) {
    if (!this.#memo.has(index)) throw this.#refuse(`value ${index} to be there`, 'none');
    this.#stack.push(this.#memo.get(index));
  }

  #top() {
    return this.#peek(this.#stack.at(-1));
  }

  #pop() {
    return this.#peek(this.#stack.pop());
  }

  /** @param {any} value */
  #peek(value) {
    if (value === undefined || value === MARK) throw this.#refuse('a value', 'none');
    return value;
  }

  /** @param {number} count */
  #popMany(count) {
    const values = this.#stack.splice(-count, count);
    if (values.length < count || values.includes(MARK)) throw this.#refuse('a value', 'none');
    return values;
  }

  #popToMark() {
    const mark = this.#stack.lastIndexOf(MARK);
    if (mark < 0) throw this.#refuse('a mark', 'none');
    const values = this.#stack.splice(mark + 1);
    this.#stack.pop();
    return values;
  }

  /** @type {Refuse} */
  #refuse(expected, found) {
    return new BertscopeError('bad-pickle', `${this.#name}: expected ${expected}, found ${found}`);
  }
}
