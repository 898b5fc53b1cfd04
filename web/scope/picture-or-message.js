import {html, nothing} from 'lit';
import {strings} from '../strings/index.js';
import {failureMessage, failureText, isWithoutEngine, progressMessage} from './messages.js';
import {namesSnapshot} from './model-address.js';

/** @import {Pass} from './pass.js' */
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
    return html`${cutNotice(pass)} ${said} ${picture}`;
  }
  if (!model) {
    const {loading, loadingSaved} = strings.scope;
    return html`${standIn || nothing}
    ${progressMessage(progress, loadsSaved ? loadingSaved : loading)}`;
  }
  return text.trim() ? nothing : html`<p class="message">${strings.scope.empty}</p>`;
}

/** @param {Pass} pass */
function cutNotice({result, snapshot}) {
  const cut = result?.truncated ?? 0;
  const fit = snapshot.queryTokens.length;
  const isPair = snapshot.sentenceB !== null;
  return cut
    ? html`<p class="notice" role="status">${strings.scope.truncated(fit, cut, isPair)}</p>`
    : nothing;
}
