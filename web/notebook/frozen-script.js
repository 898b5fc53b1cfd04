import {bringPackageFile} from './package-line.js';

/** The code of the element without its engine, which every saved page contains. */
export async function frozenScript() {
  return (await bringPackageFile('bertscope-frozen.js')).text();
}
