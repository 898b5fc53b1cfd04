import {html, nothing} from 'lit';
import {strings} from '../strings/index.js';

/** @import {LiveParts} from './live-parts.js' */
/** @import {Failure} from '../session/session.js' */

/**
 * @param {string} label  the words for what is loading
 * @param {number} [share]  the share that has arrived, from 0 to 1
 * @param {string} [bytes]  the same in words
 */
export function progressMessage(label, share = 0, bytes = '') {
  return html`<div class="message">
    <label>
      ${label}
      <progress max="1" .value=${share}></progress>
    </label>
    <span class="bytes">${bytes}</span>
  </div>`;
}

/**
 * @param {Failure} failure
 * @param {string} said  what the reader is told about it
 * @param {() => void} retry
 * @param {(() => void) | null} [embedded]  runs the embedded model instead; null if that would not help
 */
export function failureMessage(failure, said, retry, embedded = null) {
  const again = () => {
    failure.grant?.();
    retry();
  };
  return html`<div class="message" role="alert">
    <p>${said}</p>
    <button type="button" @click=${again}>${failure.label ?? strings.scope.retry}</button>
    ${
      embedded
        ? html`<button type="button" @click=${embedded}>${strings.scope.embedded}</button>`
        : nothing
    }
  </div>`;
}

/** Whether no model can be run. @param {Error & {code?: string}} error */
export function isWithoutEngine({code}) {
  return code === 'no-wasm-simd' || code === 'engine-unavailable';
}

/**
 * @param {Error & {code?: string}} error
 * @param {boolean} isLoaded  whether the model was loaded, so that it was the text that failed
 * @param {LiveParts | null} live
 */
export function failureText(error, isLoaded, live) {
  const {code, message} = error;
  if (code === 'bad-snapshot') return strings.scope.badSnapshot(message);
  return live ? live.failureText(error, isLoaded) : strings.scope.loadFailed(message);
}
