import {html, nothing} from 'lit';
import {strings} from '../strings/index.js';
import {liveParts} from './live-parts.js';
import {failureMessage, failureText, isWithoutEngine, progressMessage} from './messages.js';
import {namesSnapshot} from './model-address.js';

/** @import {Session} from './session.js' */

/**
 * The picture, or a message in its place.
 *
 * @param {Session} session
 * @param {object} state
 * @param {string} state.text
 * @param {string} state.poster  the address of a picture that is shown until the model is loaded
 * @param {string} state.notice  a message above the picture
 * @param {unknown} state.picture
 * @param {() => void} state.retry
 * @param {(() => void) | null} state.embedded  runs the embedded model instead; null if that is not offered
 */
export function scopeContent(
  {failure, loadsSaved, model, pass, progress},
  {text, poster, notice, picture, retry, embedded},
) {
  const standIn = poster && !namesSnapshot(poster) && html`<img src=${poster} alt=${text} />`;
  if (failure) {
    const other = model || isWithoutEngine(failure) || !text.trim() ? null : embedded;
    return html`${failureMessage(failureText(failure, Boolean(model)), retry, other)}${standIn || nothing}`;
  }
  if (pass) {
    const said = notice ? html`<p class="notice" role="status">${notice}</p>` : nothing;
    return html`${liveParts?.cutNotice(pass)} ${said} ${picture}`;
  }
  if (!model) {
    const message = loadsSaved
      ? progressMessage(strings.scope.loadingSaved)
      : liveParts?.loadingMessage(progress);
    return html`${standIn || nothing} ${message}`;
  }
  return text.trim() ? nothing : liveParts?.emptyMessage();
}
