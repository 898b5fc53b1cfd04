import {pageStrings} from '../strings/page.js';
import {find} from './find-element.js';

/** The entry of the session's storage that names the page's script that was last reloaded for a missing file. */
const reloadedFor = 'bertscope-reloaded-for';

/**
 * Makes the page work without a network from the second visit on, and tells the reader of a newer version.
 *
 * @param {Promise<unknown>} isWorking  resolves when the page has shown what it was opened for
 * @returns {Promise<void>}  resolves when the browser has all files of the page, or when it will not keep them
 */
export async function keepOffline(isWorking) {
  // The offline file has everything in it, also where a learning platform serves it.
  const {PROD, MODE} = import.meta.env;
  if (!PROD || MODE === 'offline' || location.protocol === 'file:') return;
  // A release that has replaced this one on the host may not have its files any more.
  addEventListener('vite:preloadError', ({payload}) => {
    if (didNotArrive(payload)) void reloadOnce();
  });
  if (!isSecureContext || !('serviceWorker' in navigator)) return;
  const {serviceWorker} = navigator;
  // A worker of a newer release answers. It may have taken over while this page was loading, or take over later.
  const tellThatItWorks = async () => {
    await isWorking;
    // In Firefox a page can learn of its new controller before its registration does.
    const worker = serviceWorker.controller ?? (await serviceWorker.ready).active;
    worker?.postMessage({works: import.meta.url});
  };
  serviceWorker.addEventListener('message', ({data}) => {
    if (data?.isReplaced) offerReload();
  });
  serviceWorker.addEventListener('controllerchange', () => void tellThatItWorks());
  const isKept = serviceWorker.controller !== null;
  const keep = async () => {
    // The wait keeps this from slowing down the first picture.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const registration = await serviceWorker.register('./service-worker.js').catch(() => null);
    if (!registration) return; // It is blocked, and the page works only with a network.
    await tellThatItWorks();
    await isActivated(await serviceWorker.ready);
  };
  const keeping = keep();
  if (!isKept) await keeping;
}

/** Resolves when the page gets its files from the worker. @param {ServiceWorkerRegistration} registration */
function isActivated({active}) {
  return new Promise((resolve) => {
    const look = () => active?.state !== 'activating' && resolve(undefined);
    active?.addEventListener('statechange', look);
    look();
  });
}

/**
 * Whether a file did not arrive. A script that arrives and fails would fail again after a reload, and what the reader
 * does beside it would be lost.
 *
 * @param {Error} error  `TypeError` of the browser for a script, and Vite's for a style sheet
 */
const didNotArrive = (error) =>
  error instanceof TypeError || error.message.startsWith('Unable to preload CSS');

async function reloadOnce() {
  try {
    if (sessionStorage.getItem(reloadedFor) === import.meta.url) return;
    sessionStorage.setItem(reloadedFor, import.meta.url);
  } catch {
    return; // Without storage, the page could reload without end.
  }
  // Without a network, a reload would lose the page.
  const response = await fetch(location.href, {method: 'HEAD'}).catch(() => null);
  if (response?.ok) location.reload();
}

function offerReload() {
  find('update-text', HTMLSpanElement).textContent = pageStrings.page.newVersion;
  find('update-now', HTMLButtonElement).onclick = () => location.reload();
  find('update', HTMLParagraphElement).hidden = false;
}
