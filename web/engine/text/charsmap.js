/**
 * The table of characters with which SentencePiece normalizes texts, for XLM-R and its relatives: a
 * double-array trie of the texts to replace, and the texts that replace them.
 * Source: `Normalizer` of google/sentencepiece (`normalizer.cc`) and `Darts::DoubleArray` of
 * s-yata/darts-clone; Hugging Face's `spm_precompiled` looks at one grapheme at a time.
 */

/** Longer graphemes are looked up character by character, as in `spm_precompiled`. */
const MAX_GRAPHEME_BYTES = 5;
/** The longest replacement among Unicode's compatibility forms takes 33 bytes (U+FDFA). */
export const MAX_REPLACEMENT_BYTES = 40;

export class Charsmap {
  /** @type {Uint32Array} The units of the trie. */
  #units;
  /** @type {Uint8Array} Texts in UTF-8, each followed by a zero. */
  #texts;
  #graphemes = new Intl.Segmenter('und', {granularity: 'grapheme'});

  /** @param {string} base64 `precompiled_charsmap` of a `tokenizer.json`. */
  constructor(base64) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    const size = bytes.length >= 4 ? view.getUint32(0, true) : NaN;
    if (!(size % 4 === 0 && size > 0 && 4 + size <= bytes.length)) {
      throw new Error(
        `expected a table of characters, found ${bytes.length} bytes of something else`,
      );
    }
    this.#units = Uint32Array.from({length: size / 4}, (_, i) => view.getUint32(4 + 4 * i, true));
    this.#texts = bytes.subarray(4 + size);
  }

  /** @param {string} text */
  normalize(text) {
    let normal = '';
    for (const {segment} of this.#graphemes.segment(text)) {
      const whole = UTF8.encode(segment);
      const replaced = whole.length <= MAX_GRAPHEME_BYTES ? this.#first(whole) : undefined;
      if (replaced !== undefined) {
        normal += replaced;
        continue;
      }
      for (const character of segment) normal += this.#first(UTF8.encode(character)) ?? character;
    }
    return normal;
  }

  /** Finds what replaces the shortest prefix that the table has. @param {Uint8Array} key */
  #first(key) {
    const [found] = this.matches(key, 0);
    return found?.text;
  }

  /**
   * The prefixes that the table has, the shortest first, with what replaces them.
   * @param {Uint8Array} key
   * @param {number} begin
   * @returns {Generator<{end: number, text: string}, void>}
   */
  *matches(key, begin) {
    const units = this.#units;
    let at = offsetOf(units[0]);
    for (let end = begin; end < key.length && key[end] !== 0;) {
      const byte = key[end++];
      at ^= byte;
      const unit = units[at];
      if (unit === undefined || labelOf(unit) !== byte) return;
      at ^= offsetOf(unit);
      if (hasLeaf(unit)) yield {end, text: this.#textAt(units[at] & 0x7fffffff)};
    }
  }

  /** @param {number} begin */
  #textAt(begin) {
    const text = this.#texts.subarray(begin, begin + MAX_REPLACEMENT_BYTES + 1);
    const end = text.indexOf(0);
    if (end < 0 && text.length > MAX_REPLACEMENT_BYTES) {
      throw new Error(`expected replacements of at most ${MAX_REPLACEMENT_BYTES} bytes`);
    }
    return DECODER.decode(end < 0 ? text : text.subarray(0, end));
  }
}

const UTF8 = new TextEncoder();
const DECODER = new TextDecoder();

// The fields of a unit, as darts-clone packs them.
const hasLeaf = (/** @type {number} */ unit) => ((unit >>> 8) & 1) === 1;
const labelOf = (/** @type {number} */ unit) => unit & 0x800000ff;
const offsetOf = (/** @type {number} */ unit) => (unit >>> 10) << ((unit & 0x200) >>> 6);
