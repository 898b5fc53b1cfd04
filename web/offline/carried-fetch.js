/** @type {{address: string, bytes: ArrayBuffer}[]} */
let carried = [];

addEventListener('message', (event) => {
  if (!event.data?.carried) return;
  event.stopImmediatePropagation();
  carried = event.data.carried;
});

const fetchElsewhere = globalThis.fetch;

/** The beginning of the address of WebAssembly that the script itself holds. */
const inScript = /^data:([\w/]*);base64,/;

/**
 * Answers requests for what the page carries: its models, and WebAssembly in `data:` addresses, which a page's policy may
 * forbid to fetch. All others go to the network.
 *
 * @type {typeof fetch}
 */
globalThis.fetch = async (request, options) => {
  const address = request instanceof Request ? request.url : String(request);
  const [beginning, type] = inScript.exec(address) ?? [];
  if (beginning !== undefined) {
    const bytes = atob(address.slice(beginning.length));
    const binary = Uint8Array.from(bytes, (letter) => letter.charCodeAt(0));
    return new Response(binary, {headers: {'content-type': type}});
  }
  const model = carried.find((each) => each.address === address);
  if (!model) return fetchElsewhere(request, options);
  return new Response(model.bytes, {
    headers: {'content-length': String(model.bytes.byteLength)},
  });
};
