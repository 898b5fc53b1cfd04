/**
 * Tokens that belong to the model and not to the text: `[CLS]`, `[SEP]`, padding. A tokenizer knows
 * which they are; of attention that comes without one, the usual names tell.
 *
 * @param {readonly string[]} tokens
 * @returns {boolean[]}
 */
export function usualSpecialTokens(tokens) {
  return tokens.map((token) => usualName.test(token));
}

/** Of BERT, RoBERTa, T5, GPT and those that follow them. */
const usualName = /^(\[(CLS|SEP|PAD)\]|<\/?s>|<pad>|<[be]os>|<\|.*\|>)$/i;
