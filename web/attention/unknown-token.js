/** Whether a token stands for a piece of text that is not in the vocabulary. @param {string} token */
export const isUnknown = (token) => /^(\[UNK\]|<unk>)$/.test(token);
