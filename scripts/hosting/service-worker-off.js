/**
 * Takes bertscope's service worker away from every browser that has it. Serve this file in place of `service-worker.js`
 * when pages should come from the host alone, such as after bertscope has left this address. Kept models stay.
 */

const worker = /** @type {any} */ (self);

worker.addEventListener('install', () => worker.skipWaiting());
// The worker before asks once more if it was still at work then (see web/page/service-worker.js).
worker.addEventListener('message', (/** @type {any} */ event) => {
  if (event.data?.takeOver) event.waitUntil(worker.skipWaiting());
});
worker.addEventListener('activate', (/** @type {any} */ event) => {
  event.waitUntil(leave());
});

async function leave() {
  const names = await caches.keys();
  const ofReleases = names.filter((name) => name.startsWith('bertscope-release-'));
  await Promise.all(ofReleases.map((name) => caches.delete(name)));
  await worker.registration.unregister();
}
