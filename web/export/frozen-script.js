import address from '../../build/frozen/bertscope-frozen.js?url';

/** The code of the element without its engine, which every saved page contains. */
export async function frozenScript() {
  const response = await fetch(new URL(address, import.meta.url));
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return response.text();
}
