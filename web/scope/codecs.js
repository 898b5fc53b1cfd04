/**
 * A codec writes a value as text, in an attribute or an address, and reads it.
 *
 * @template T
 * @typedef {object} Codec
 * @property {(text: string) => T | undefined} parse  returns undefined if it does not understand the text
 * @property {(value: T) => string | null} format  returns null if there is nothing to write
 * @property {string} [expected]  the texts that it understands, for an error message
 * @property {readonly string[]} [words]  all texts that it understands, or those that stand for no number
 * @property {Codec<T>} [inAddress]  the codec for addresses; by default, this one
 * @property {(text: string) => string} [unread]  returns the part of an understood text that is ignored; empty if
 *   none is
 * @property {(value: unknown) => boolean} [takes]  tells whether a value that has no text is one of these
 */

/** @type {Codec<string>} */
export const anyText = {
  parse: String,
  format: (value) => (value === '' ? null : value),
  expected: '"…"',
};

/**
 * @template {string} const T
 * @param {readonly T[]} values
 * @returns {Codec<T>}
 */
export const oneOf = (values) => ({
  parse: (text) => values.find((value) => value === text),
  format: (value) => value,
  expected: values.filter(Boolean).join(', '),
  words: values,
});

/** @param {string} word  the text for true @returns {Codec<boolean>} */
export const yes = (word) => ({
  parse: (text) => text === word,
  format: (isOn) => (isOn ? word : null),
});

/** True is an attribute without a value, and `1` in an address. @type {Codec<boolean>} */
export const flag = {
  parse: () => true,
  format: (isOn) => (isOn === false ? null : ''),
  expected: 'true, false',
  inAddress: yes('1'),
};

/** An index, counted from 0. @type {Codec<number>} */
export const index = {
  parse: (text) => (/^\d{1,4}$/.test(text) ? Number(text) : undefined),
  format: String,
  expected: '0, 1, 2 …',
};

/** A length in CSS pixels; 0 is none. @type {Codec<number>} */
export const pixels = {
  parse: index.parse,
  format: (value) => (value === 0 ? null : String(value)),
  expected: '480',
};

/** Indices as in `0.4.7`; parts that are not numbers are ignored, and none means all. @type {Codec<number[]>} */
export const indices = {
  parse: (text) => {
    const numbers = text.split('.').map(index.parse);
    return [...new Set(numbers.filter((number) => number !== undefined))].sort((a, b) => a - b);
  },
  format: (list) => (list.length === 0 ? null : list.join('.')),
  expected: '0.4.7',
  unread: (text) => (/^(\d+(\.\d+)*)?$/.test(text) ? '' : text),
};

/** Ids of tokens in the order of their text, as in `464.3797.464`. @type {Codec<readonly number[]>} */
export const tokenIds = {
  parse: (text) => (/^\d{1,7}(\.\d{1,7})*$/.test(text) ? text.split('.').map(Number) : undefined),
  format: (ids) => (ids.length === 0 ? null : ids.join('.')),
  expected: '464.3797',
};

/**
 * Indices as in `0.4.7`, or a word for all of them.
 *
 * @param {string} word
 * @returns {Codec<'all' | readonly number[]>}
 */
export const indicesOr = (word) => ({
  parse: (text) => (!text || text === word ? 'all' : indices.parse(text)),
  format: (list) => (list === 'all' ? word : indices.format([...list])),
  expected: `0.4.7, ${word}`,
  words: ['all'],
  unread: (text) => (text === word ? '' : (indices.unread?.(text) ?? '')),
});

/** A share from 0 to 1; an address has it in percent. @type {Codec<number>} */
export const share = {
  parse: (text) => (/^(0?\.\d+|1(\.0*)?)$/.test(text) ? Number(text) : undefined),
  format: String,
  expected: '0.05 … 1',
  inAddress: {
    parse(text) {
      const value = index.parse(text) ?? 0;
      return value >= 5 && value <= 100 ? value / 100 : undefined;
    },
    format: (value) => String(Math.round(value * 100)),
  },
};

/**
 * A token: `q3` is the fourth query, `k0` the first key.
 *
 * @type {Codec<import('../attention/selection.js').TokenRef | null>}
 */
export const tokenPlace = {
  parse(text) {
    const at = index.parse(text.slice(1));
    if (at === undefined || !/^[qk]/.test(text)) return undefined;
    return {side: text[0] === 'q' ? 'query' : 'key', index: at};
  },
  format: (token) => token && `${token.side === 'query' ? 'q' : 'k'}${token.index}`,
  expected: 'q3, k0',
};

/**
 * Data that has no text.
 *
 * @template T
 * @param {(value: unknown) => value is T} takes
 * @param {string} expected
 * @returns {Codec<T>}
 */
export const data = (takes, expected) => ({
  parse: () => undefined,
  format: () => '',
  takes,
  expected,
});
