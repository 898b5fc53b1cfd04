/** The addresses of the models that come with the page, by the paths of their files. */
const addresses = import.meta.glob('../models/*/*.safetensors', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** @param {string} folder */
const inFolder = (folder) => {
  const path = Object.keys(addresses).find((each) => each.startsWith(`../models/${folder}/`));
  return /** @type {string} */ (path ? addresses[path] : '');
};

export const defaultModel = inFolder('default');
/** The small encoder-decoder that writes dates. */
export const datesModel = inFolder('dates');
