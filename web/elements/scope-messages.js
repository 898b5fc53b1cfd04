import {html} from 'lit';
import {strings} from '../strings/index.js';

/** @import {Progress} from './model-pool.js' */

/** @param {Progress} progress */
export function progressMessage({loaded, total}) {
  const known = total > 0;
  return html`<div class="message">
    <label>
      ${strings.scope.loading}
      <progress max=${known ? total : 1} .value=${known ? loaded : 0}></progress>
    </label>
    <span class="bytes"
      >${known ? strings.size.progress(megabytes(loaded), megabytes(total)) : ''}</span
    >
  </div>`;
}

/**
 * @param {string} message
 * @param {() => void} retry
 */
export function failureMessage(message, retry) {
  return html`<div class="message" role="alert">
    <p>${message}</p>
    <button type="button" @click=${retry}>${strings.scope.retry}</button>
  </div>`;
}

/**
 * @param {Error & {code?: string}} error
 * @param {boolean} loaded  the model was loaded, so it was the text that failed
 */
export function failureText(error, loaded) {
  if (error.code === 'no-wasm-simd') return strings.scope.noSimd;
  if (error.code === 'engine-unavailable') return strings.scope.noEngine(error.message);
  if (error.code === 'bad-snapshot') return strings.scope.badSnapshot(error.message);
  return loaded ? strings.scope.runFailed(error.message) : strings.scope.loadFailed(error.message);
}

/** @param {number} bytes */
export function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1);
}
