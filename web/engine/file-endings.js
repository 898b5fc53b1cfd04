/** The endings of the files that are opened, by what they hold. */

/** Files with saved attention have these endings. */
export const ATTENTION_ENDINGS = Object.freeze(['.json', '.npz']);
/** Files with weights, and archives of a model's folder, have these endings. */
export const MODEL_ENDINGS = Object.freeze(['.safetensors', '.zip', '.bin', '.gguf']);
/** Files with annotated sentences have this ending. */
export const TREEBANK_ENDING = '.conllu';
/** Tables of sentences with pairs of words have these endings. */
export const PAIR_TABLE_ENDINGS = Object.freeze(['.csv', '.tsv']);

/**
 * @param {string} name The name of a file, or the path of an address.
 * @param {readonly string[]} endings
 * @returns {string | undefined} The one that the name has, in small or capital letters.
 */
export const endingOf = (name, endings) =>
  endings.find((ending) => name.toLowerCase().endsWith(ending));
