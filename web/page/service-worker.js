/**
 * Keeps the page for use without a network.
 *
 * Each release of the page has a cache of its own. The names of most files contain a hash of their content, so pages of
 * several releases can be open at once: each finds its own files, even those that the host no longer has.
 *
 * A page is taken from the cache if a page of its release has worked in this browser before. Otherwise the host is
 * asked first. So a release that does not come up is replaced at the next visit after the host has a better one.
 */

/**
 * The events of a service worker, as far as they are used here.
 *
 * @typedef {Event & {waitUntil: (work: Promise<unknown>) => void}} LifeEvent
 * @typedef {Event & {request: Request, respondWith: (response: Promise<Response>) => void}} FetchEvent
 *
 * @typedef {object} Release
 * @property {string} id
 * @property {{url: string, isHashed: boolean}[]} files  `isHashed`: whether its name contains a hash of its content
 */

const worker = /** @type {any} */ (self);

/** The release that this file belongs to; the build fills it in. @type {Release} */
const release = worker.__RELEASE__;

const cachePrefix = 'bertscope-release-';
const ownCache = cachePrefix + release.id;
/** An entry of a release's cache: a page of the release has worked. */
const worksUrl = new URL('it-works', worker.registration.scope).href;
/** The number of releases that stay cached, for pages that are open. */
const keptReleases = 3;
/** So long no page must have asked for a file before this worker gives way. */
const quietMilliseconds = 500;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let givingWay;

worker.addEventListener('install', (/** @type {LifeEvent} */ event) => {
  event.waitUntil(install());
});
worker.addEventListener('activate', (/** @type {LifeEvent} */ event) => {
  // Pages that were opened before need their files too, when the host has them no longer.
  event.waitUntil(Promise.all([removeOldReleases(), worker.clients.claim()]));
});
worker.addEventListener('message', (/** @type {LifeEvent & MessageEvent} */ event) => {
  const {works, takeOver} = event.data ?? {};
  event.waitUntil(takeOver ? worker.skipWaiting() : noteThatItWorks(String(works), event.source));
});
worker.addEventListener('fetch', (/** @type {FetchEvent} */ event) => {
  const {request} = event;
  if (worker.registration.waiting) giveWaySoon();
  const isOwn = request.method === 'GET' && request.url.startsWith(worker.registration.scope);
  if (!isOwn) return;
  event.respondWith(request.mode === 'navigate' ? openPage(request) : openFile(request));
});

/**
 * Asks the newer worker to take over once more, when pages have been quiet for a moment. Chromium starts a worker anew
 * that is asked for a file while it is being stopped, and then lets it go on until nobody has asked it for 30 s.
 */
function giveWaySoon() {
  clearTimeout(givingWay);
  givingWay = setTimeout(() => {
    worker.registration.waiting?.postMessage({takeOver: true});
  }, quietMilliseconds);
}

/** Caches all files, and takes over from the worker before: a page that does not come up could not ask for it. */
async function install() {
  const cache = await caches.open(ownCache);
  await Promise.all(
    release.files.map(async ({url, isHashed}) => {
      const known = isHashed ? await cachedFile(url) : undefined;
      // The browser's own cache may have an older page.
      const response = known ?? (await fetch(url, {cache: isHashed ? 'default' : 'reload'}));
      if (!response.ok) throw new Error(`${url} answered ${response.status}`);
      await cache.put(url, await withoutRedirect(response));
    }),
  );
  await worker.skipWaiting();
}

/** A browser takes no redirected response for a page. @param {Response} response */
async function withoutRedirect(response) {
  if (!response.redirected) return response;
  return new Response(await response.blob(), {headers: response.headers});
}

/** Returns the names of the releases' caches, the oldest first. */
async function cachedReleases() {
  const names = await caches.keys();
  return names.filter((name) => name.startsWith(cachePrefix));
}

async function removeOldReleases() {
  const others = (await cachedReleases()).filter((name) => name !== ownCache);
  await Promise.all(others.slice(0, 1 - keptReleases).map((name) => caches.delete(name)));
}

/**
 * Notes that a page of this release works, or tells a page that has been replaced by this release.
 *
 * @param {string} script  the address of the page's script
 * @param {MessageEventSource | null} page
 */
async function noteThatItWorks(script, page) {
  const isOwn = release.files.some(({url}) => new URL(url, worker.location).href === script);
  if (isOwn) return (await caches.open(ownCache)).put(worksUrl, new Response());
  // The page may be newer than this worker: then no cache has it, or the worker of its release is on its way.
  const {installing, waiting} = worker.registration;
  if (!installing && !waiting && (await cachedFile(script))) page?.postMessage({isReplaced: true});
}

/** @param {Request} request  for a page */
async function openPage(request) {
  const {origin, pathname} = new URL(request.url);
  const address = origin + pathname.replace(/\/$/, '/index.html');
  const cached = await unlessBroken(cachedFile(address));
  const hasWorked = await unlessBroken(caches.match(worksUrl, {cacheName: ownCache}));
  if (cached && hasWorked) return cached;
  const response = await fetch(request).catch(() => undefined);
  if (response && (response.ok || !cached)) return response;
  return cached ?? Response.error();
}

/** @param {Request} request */
const openFile = async (request) => (await unlessBroken(cachedFile(request))) ?? fetch(request);

/** Without its storage, which a browser may take away, a page is still the host's. @template T @param {Promise<T>} found */
const unlessBroken = (found) => found.catch(() => undefined);

/** Finds a file of this release, or else of the newest one that has it. @param {Request | string} request */
async function cachedFile(request) {
  const others = (await cachedReleases()).filter((name) => name !== ownCache);
  for (const cacheName of [ownCache, ...others.reverse()]) {
    const response = await caches.match(request, {cacheName});
    if (response) return response;
  }
  return undefined;
}
