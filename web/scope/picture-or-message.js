import {html, nothing} from 'lit';
import {strings} from '../strings/index.js';
import {liveParts} from './live-parts.js';
import {failureMessage, isWithoutEngine, progressMessage} from './messages.js';
import {namesSnapshot} from '../session/source-address.js';

/** @import {BaselineSession} from '../session/baseline-session.js' */
/** @import {Session} from '../session/session.js' */

/**
 * The picture, or a message in its place.
 *
 * @param {Session} session
 * @param {object} state
 * @param {string} state.text
 * @param {string} state.poster  the address of a picture that is shown until the model is loaded
 * @param {BaselineSession} state.baseline  may have a notice above the picture, or a question
 * @param {unknown} state.picture
 * @param {() => void} state.retry
 * @param {(() => void) | null} state.embedded  runs the embedded model instead; null if that is not offered
 */
export function scopeContent(
  {failure, loadsSaved, model, pass, progress, recoveredFrom},
  {text, poster, baseline, picture, retry, embedded},
) {
  const standIn =
    poster &&
    !namesSnapshot(poster, liveParts?.engine ?? null) &&
    html`<img src=${poster} alt=${text} />`;
  if (failure) {
    const other = model || isWithoutEngine(failure) || !text.trim() ? null : embedded;
    return html`${failureMessage(failure, Boolean(model), retry, other)}${standIn || nothing}`;
  }
  if (pass) {
    return html`${liveParts?.passNotices(pass, recoveredFrom)} ${noticeOf(baseline)} ${picture}`;
  }
  if (!model) {
    const message = loadsSaved
      ? progressMessage(strings.scope.loadingSaved)
      : liveParts?.loadingMessage(progress);
    return html`${standIn || nothing} ${message}`;
  }
  return text.trim() ? nothing : liveParts?.emptyMessage();
}

/** @param {BaselineSession} baseline */
function noticeOf(baseline) {
  const {notice, question} = baseline;
  if (!notice) return nothing;
  const button = question
    ? html`<button type="button" @click=${() => baseline.grant()}>${question.label}</button>`
    : nothing;
  return html`<p class="notice" role="status">${notice} ${button}</p>`;
}
