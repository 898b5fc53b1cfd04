/** The model that comes with the page. */
const found = import.meta.glob('../models/default/*.safetensors', {
  query: '?url',
  import: 'default',
  eager: true,
});

export const defaultModel = /** @type {string} */ (Object.values(found)[0] ?? '');
