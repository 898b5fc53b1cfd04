/** The address of the embedded model, by the path of its file. */
const found = import.meta.glob('../models/default/*.safetensors', {
  query: '?url',
  import: 'default',
  eager: true,
});

export const defaultModel = /** @type {string} */ (Object.values(found)[0] ?? '');
