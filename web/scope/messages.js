import {html, nothing} from 'lit';
import {strings} from '../strings/index.js';
import {isFrozenBuild} from './frozen-build.js';

/** @import {Progress} from './shared-models.js' */

/**
 * @param {Progress} progress
 * @param {string} label  the words for what is loading
 */
export function progressMessage({loaded, total}, label) {
  const known = total > 0;
  return html`<div class="message">
    <label>
      ${label}
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
 * @param {(() => void) | null} [embedded]  runs the embedded model instead; null if that would not help
 */
export function failureMessage(message, retry, embedded = null) {
  return html`<div class="message" role="alert">
    <p>${message}</p>
    <button type="button" @click=${retry}>${strings.scope.retry}</button>
    ${
      embedded
        ? html`<button type="button" @click=${embedded}>${strings.scope.embedded}</button>`
        : nothing
    }
  </div>`;
}

/** Whether no model can be run. @param {Error & {code?: string}} error */
export function isWithoutEngine({code}) {
  return isFrozenBuild || code === 'no-wasm-simd' || code === 'engine-unavailable';
}

/**
 * @param {Error & {code?: string}} error
 * @param {boolean} loaded  whether the model was loaded, so that it was the text that failed
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
