/** Returns the integers from 0 to `length - 1`. @param {number} length */
export const range = (length) => Array.from({length}, (_, i) => i);
