import {strings} from '../strings/index.js';
import {find} from './find-element.js';

/** Makes the page work without a network from the second visit on, and tells the reader of a newer version. */
export async function keepOffline() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  if (!isSecureContext || location.protocol === 'file:') return;
  const {serviceWorker} = navigator;
  // The wait keeps this from slowing down the first picture.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const registration = await serviceWorker.register('./service-worker.js').catch(() => null);
  if (!registration) return; // it is blocked, so the page works only with a network
  const announce = () => {
    const {waiting} = registration;
    if (waiting && serviceWorker.controller) offer(waiting);
  };
  announce();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', announce);
  });
}

/** @param {ServiceWorker} waiting */
function offer(waiting) {
  const box = find('update', HTMLParagraphElement);
  const button = find('update-now', HTMLButtonElement);
  find('update-text', HTMLSpanElement).textContent = strings.page.newVersion;
  box.hidden = false;
  button.onclick = () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());
    waiting.postMessage('take over');
  };
}
