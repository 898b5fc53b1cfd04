/**
 * Finds what other programs put before the names of a checkpoint's tensors: `model.`, `module.`, a
 * second `bert.`, or the place of the encoder in sentence-transformers, `0.auto_model.`.
 */

import {FAMILIES} from './model-families.js';

/** Most families have this tensor, after their own prefix or alone, and so have quantized files. */
const WORDS = 'embeddings.word_embeddings.weight';

/**
 * @param {string[]} names The names of all tensors.
 * @param {string} family The name of the family, whose prefix it is.
 * @returns {(name: string) => string} Takes the outer prefix away.
 */
export function withoutOuterPrefix(names, family) {
  const known = Object.values(FAMILIES);
  const {prefix: usual = `${family}.`, words = WORDS} =
    FAMILIES[family] ?? known.find(({classifierNames}) => classifierNames === family) ?? {};
  const ends = [...new Set([words, WORDS])];
  const prefixes = names.flatMap((name) =>
    ends.filter((end) => name.endsWith(end)).map((end) => name.slice(0, -end.length)),
  );
  // Several encoders have no outer prefix in common, and their names tell nothing.
  const [prefix, ...others] = prefixes;
  if (prefix === undefined || others.length > 0) return (name) => name;
  // Quantized files have BERT's names for every family.
  const own = [usual, 'bert.'].find((each) => `.${prefix}`.endsWith(`.${each}`)) ?? '';
  const outer = prefix.slice(0, prefix.length - own.length);
  if (outer === '') return (name) => name;
  return (name) => (name.startsWith(outer) ? name.slice(outer.length) : name);
}
