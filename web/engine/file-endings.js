/** The endings of the files that are opened, by what they hold. */

/** Attention that was saved. */
export const ATTENTION_ENDINGS = Object.freeze(['.json', '.npz']);
/** Weights, or an archive of a model's folder. */
export const MODEL_ENDINGS = Object.freeze(['.safetensors', '.zip', '.bin', '.gguf']);
/** Annotated sentences. */
export const TREEBANK_ENDING = '.conllu';

/**
 * @param {string} name The name of a file, or the path of an address.
 * @param {readonly string[]} endings
 * @returns {string | undefined} The one that the name has, in small or capital letters.
 */
export const endingOf = (name, endings) =>
  endings.find((ending) => name.toLowerCase().endsWith(ending));
