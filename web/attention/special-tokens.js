/**
 * Tells by their names which tokens belong to the model and not to the text: `[CLS]`, `[SEP]`, padding. It is used
 * for attention that comes without a tokenizer, which would know.
 *
 * @param {readonly string[]} tokens
 * @returns {boolean[]}
 */
export function usualSpecialTokens(tokens) {
  return tokens.map((token) => usualName.test(token));
}

/**
 * The special tokens that a text begins and ends with; BERT's where it has none.
 *
 * @param {readonly string[]} tokens
 * @param {readonly boolean[]} special  which of them are special
 */
export function frameOf(tokens, special) {
  const last = tokens.findLast((token, at) => at > 0 && special[at] && !padding.test(token));
  return {begin: special[0] ? tokens[0] : '[CLS]', separator: last ?? '[SEP]'};
}

/**
 * Strings speak of `[CLS]` and `[SEP]`, as BERT calls the tokens around a text.
 *
 * @param {{begin: string, separator: string}} frame  what a text has there
 * @returns {(words: string) => string}  says the same of these tokens, such as `<s>` and `</s>`
 */
export function inNamesOf({begin, separator}) {
  return (words) =>
    words.replace(/\[(CLS|SEP)\]/g, (_, name) => (name === 'CLS' ? begin : separator));
}

/** What stands behind the end of a text. */
const padding = /^(\[PAD\]|<pad>)$/i;

/** The names in BERT, RoBERTa, T5, GPT and models that follow them. */
const usualName = /^(\[(CLS|SEP|PAD)\]|<\/?s>|<pad>|<[be]os>|<\|.*\|>)$/i;
