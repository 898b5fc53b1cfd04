const carrier = document.getElementById('bertscope-model');

/** The model that the page carries, and the address by which the engine requests it. */
export const carried = carrier && {
  address: new URL(carrier.dataset.name ?? '', document.baseURI).href,
  bytes: await unpack(carrier),
};

export const defaultModel = carried?.address ?? '';

/** @param {HTMLElement} script  holds the model, gzipped and in base64; it is removed */
async function unpack(script) {
  const packed = Uint8Array.from(atob(script.textContent ?? ''), (letter) => letter.charCodeAt(0));
  script.remove();
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}
