/** The model that comes with the page. */
const found = import.meta.glob('../models/default/*.safetensors', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** Where it is loaded from, other than in a page that carries it. @param {string} address @returns {string | File} */
export const modelSource = (address) => address;

export const defaultModel = /** @type {string} */ (Object.values(found)[0] ?? '');
