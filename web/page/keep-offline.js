import {pageStrings} from '../strings/page.js';
import {find} from './find-element.js';

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
  addEventListener('vite:preloadError', () => void lookForRelease());
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
    // If the worker is blocked or cannot keep all files, the page works only with a network.
    if (!registration || !(await isInstalled(registration))) return;
    await tellThatItWorks();
    await isActivated(await serviceWorker.ready);
  };
  const keeping = keep();
  if (!isKept) await keeping;
}

/** Whether there is a worker, once the one that is being installed is ready or has failed. @param {ServiceWorkerRegistration} registration */
async function isInstalled(registration) {
  const {installing} = registration;
  await new Promise((resolve) => {
    const look = () => installing?.state !== 'installing' && resolve(undefined);
    installing?.addEventListener('statechange', look);
    look();
  });
  return Boolean(registration.waiting ?? registration.active);
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
 * Tells the reader if the host has another release, which may not have the files of this one any more. Only the reader
 * reloads the page: opened files and what is written in a dialog would be lost.
 */
async function lookForRelease() {
  const response = await fetch(location.href, {cache: 'no-cache'}).catch(() => null);
  if (!response?.ok) return;
  const newest = scriptsOf(await response.text());
  const own = [...document.querySelectorAll('script[src]')].map((each) => each.getAttribute('src'));
  if (newest.length && String(newest) !== String(own)) offerReload();
}

/** The addresses of the scripts in a page that a build wrote. @param {string} html */
const scriptsOf = (html) =>
  [...html.matchAll(/<script\b[^>]* src="([^"]*)"/g)].map(([, src]) => src);

function offerReload() {
  find('update-text', HTMLSpanElement).textContent = pageStrings.page.newVersion;
  find('update-now', HTMLButtonElement).onclick = () => location.reload();
  find('update', HTMLParagraphElement).hidden = false;
}
