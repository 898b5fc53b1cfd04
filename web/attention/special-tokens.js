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

/** The names in BERT, RoBERTa, T5, GPT and models that follow them. */
const usualName = /^(\[(CLS|SEP|PAD)\]|<\/?s>|<pad>|<[be]os>|<\|.*\|>)$/i;
