/** Releases of the page for tests: copies of the built site in which every file has another name. */

import {cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, join, relative} from 'node:path';
import {after, before} from 'node:test';
import {fileURLToPath} from 'node:url';
import {serve} from './server.js';

const site = fileURLToPath(new URL('../../dist/site', import.meta.url));
const workerOff = fileURLToPath(
  new URL('../../scripts/hosting/service-worker-off.js', import.meta.url),
);

/** The host of the tests of a file. @type {Awaited<ReturnType<typeof makeHost>>} */
export let host;
/** Serves what the host has. @type {Awaited<ReturnType<typeof serve>>} */
export let server;

before(async () => {
  host = await makeHost();
  server = await serve(host.folder);
});
after(async () => {
  server?.close();
  await host?.close();
});

/**
 * A host that serves one release after the other at the same address, and never two.
 *
 * @returns {Promise<{folder: string, deploy: (release: string) => Promise<void>, switchOff: () => Promise<void>, close: () => Promise<void>}>}
 *   `folder`: what the host serves; `switchOff`: takes the service worker away from browsers
 */
async function makeHost() {
  const root = await mkdtemp(join(tmpdir(), 'bertscope-releases-'));
  const folder = join(root, 'served');
  return {
    folder,
    async deploy(release) {
      const made = join(root, release);
      await rm(made, {recursive: true, force: true});
      await makeRelease(made, release);
      await symlink(made, `${folder}-next`);
      await rename(`${folder}-next`, folder);
    },
    switchOff: () => cp(workerOff, join(folder, 'service-worker.js')),
    close: () => rm(root, {recursive: true}),
  };
}

/**
 * @param {string} folder
 * @param {string} release  Its page has this name in `data-release`. The page of a release whose name begins with
 *   `broken` does not start, and the service worker of one whose name ends with `deaf` neither. If it ends with `full`, the
 *   browser has no space for its files.
 */
async function makeRelease(folder, release) {
  // The page itself asks neither for the element of other pages nor for what readers download.
  const isOfPage = (/** @type {string} */ path) =>
    !/\.(br|gz)$/.test(path) && !/^(lib|download)$/.test(relative(site, path));
  await cp(site, folder, {recursive: true, filter: isOfPage});
  const names = await readdir(join(folder, 'assets'));
  for (const name of names)
    await rename(join(folder, 'assets', name), join(folder, 'assets', `${release}-${name}`));
  const everyName = new RegExp(names.map((name) => name.replaceAll('.', '\\.')).join('|'), 'g');
  for (const path of await readdir(folder, {recursive: true})) {
    if (!/\.(html|js|css)$/.test(path)) continue;
    const file = join(folder, path);
    let text = await readFile(file, 'utf8');
    text = text.replace(everyName, `${release}-$&`);
    text = text.replace('<html ', `<html data-release="${release}" `);
    const name = basename(path);
    if (release.startsWith('broken') && name.startsWith(`${release}-page-`) && /js$/.test(name))
      text = `throw new Error('a broken release');${text}`;
    if (name === 'service-worker.js') {
      if (release.endsWith('deaf')) text = `throw new Error('a broken worker');${text}`;
      const full =
        "addEventListener('install', (e) => e.waitUntil(Promise.reject(new Error('full'))));";
      if (release.endsWith('full')) text = full + text;
      // A page's own view of the registration can be older than the worker that answers it.
      text = `addEventListener('message', (event) => {
        if (!event.data.asksForRelease) return;
        event.stopImmediatePropagation();
        event.ports[0].postMessage('${release}');
      });${text}`;
      text = text.replace(/(["']?id["']?:\s*[`"'])[0-9a-f]{16}/, `$1${release}`);
    }
    await writeFile(file, text);
  }
}
