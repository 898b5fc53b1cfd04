/**
 * Caches the page for use without a network. File names contain a hash of the content, so a cached file is never
 * stale; a new version waits until the reader accepts it.
 */

import {cleanupOutdatedCaches, precacheAndRoute} from 'workbox-precaching';

const worker = /** @type {any} */ (self);

// The build writes the list of its files here.
precacheAndRoute(worker.__WB_MANIFEST, {ignoreURLParametersMatching: [/^lang$/]});
cleanupOutdatedCaches();

worker.addEventListener('message', (/** @type {MessageEvent} */ {data}) => {
  if (data === 'take over') worker.skipWaiting();
});
