import {strings} from '../strings/index.js';
import {find} from './find-element.js';

/** Makes the page work without a network from the second visit on, and says when there is a newer one. */
export async function keepOffline() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  if (!isSecureContext || location.protocol === 'file:') return;
  const {serviceWorker} = navigator;
  // Not while the first picture is on its way.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const registration = await serviceWorker.register('./service-worker.js').catch(() => null);
  if (!registration) return; // blocked: the page works as before, with a network
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
