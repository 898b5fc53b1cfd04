const carried = document.getElementById('bertscope-model');

/** The model that the page carries. */
const file = carried && (await unpack(carried));

/** It has no address that a worker could ask; this stands for one. */
export const defaultModel = 'carried.safetensors';

/** @param {string} address @returns {string | File} */
export function modelSource(address) {
  return file && address.endsWith(defaultModel) ? file : address;
}

/** @param {HTMLElement} script  holds it gzipped and in base64 until then */
async function unpack(script) {
  const packed = Uint8Array.from(atob(script.textContent ?? ''), (letter) => letter.charCodeAt(0));
  script.remove();
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const name = script.dataset.name ?? defaultModel;
  return new File([await new Response(stream).blob()], name);
}
