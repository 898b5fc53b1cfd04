/** The whole numbers from 0. @param {number} length */
export const range = (length) => Array.from({length}, (_, i) => i);
