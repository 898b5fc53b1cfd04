/** The models that the page carries, and the addresses by which the engine requests them. */
export const carried = await Promise.all(
  [...document.querySelectorAll('script[data-model]')].map(async (script) => ({
    folder: script.getAttribute('data-model'),
    address: new URL(script.getAttribute('data-name') ?? '', document.baseURI).href,
    bytes: await unpack(script),
  })),
);

/** @param {string} folder */
const inFolder = (folder) => carried.find((model) => model.folder === folder)?.address ?? '';

export const defaultModel = inFolder('default');
export const datesModel = inFolder('dates');

/** @param {Element} script  holds a model, gzipped and in base64; it is removed */
async function unpack(script) {
  const packed = Uint8Array.from(atob(script.textContent ?? ''), (letter) => letter.charCodeAt(0));
  script.remove();
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}
