/**
 * Keeps the page for when there is no network. Files have their content's hash in their name, so what
 * is kept is never stale; a new version waits until the reader takes it.
 */

import {cleanupOutdatedCaches, precacheAndRoute} from 'workbox-precaching';

const worker = /** @type {any} */ (self);

// The build writes the list of its files here.
precacheAndRoute(worker.__WB_MANIFEST, {ignoreURLParametersMatching: [/^lang$/]});
cleanupOutdatedCaches();

worker.addEventListener('message', (/** @type {MessageEvent} */ {data}) => {
  if (data === 'take over') worker.skipWaiting();
});
