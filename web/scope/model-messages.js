import {html} from 'lit';
import {strings} from '../strings/index.js';
import {liveStrings} from '../strings/live.js';
import {progressMessage} from './messages.js';
import {resultOfText} from '../session/pass.js';

/** @import {Pass} from '../session/pass.js' */
/** @import {Progress} from '../session/shared-engine.js' */

const {running: words, size} = liveStrings;

/** The message while a model loads. @param {Progress} progress */
export function loadingMessage({loaded, total}) {
  return total > 0
    ? progressMessage(
        words.loading,
        loaded / total,
        size.progress(megabytes(loaded), megabytes(total)),
      )
    : progressMessage(words.loading);
}

/** The message in place of the picture while there is no text. */
export const emptyMessage = () => html`<p class="message">${words.empty}</p>`;

/**
 * Notices above a picture: the text was too long for the model, which may read no pairs, or the model had to be loaded again.
 *
 * @param {Pass} pass
 * @param {Error | null} recoveredFrom  the error that ended the model's engine
 */
export function passNotices(pass, recoveredFrom) {
  const {snapshot} = pass;
  const {truncated: cut = 0, sentences} = resultOfText(pass) ?? {};
  const isUnread = pass.origin.textPair.trim() && sentences && !sentences.includes(1);
  const fit = snapshot.queryTokens.length;
  const isPair = snapshot.sentenceB !== null;
  const notices = [
    ...(recoveredFrom ? [words.recovered(recoveredFrom.message)] : []),
    ...(isUnread ? [words.unreadPair] : []),
    ...(cut ? [words.truncated(fit, cut, isPair)] : []),
  ];
  return notices.map((notice) => html`<p class="notice" role="status">${notice}</p>`);
}

/**
 * @param {Error & {code?: string}} error  of a model or a text
 * @param {boolean} isLoaded  whether the model was loaded, so that it was the text that failed
 */
export function failureText({code, message}, isLoaded) {
  if (code === 'consent-needed') return message;
  if (code === 'no-wasm-simd') return words.noSimd;
  if (code === 'engine-unavailable') return words.noEngine(message);
  if (code === 'bad-intervention') return words.changeFailed(message);
  return isLoaded ? words.runFailed(message) : strings.scope.loadFailed(message);
}

/** @param {number} bytes */
export function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1);
}
