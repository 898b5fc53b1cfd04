import {html, nothing} from 'lit';
import {strings} from '../strings/index.js';
import {failureMessage, failureText, isWithoutEngine, progressMessage} from './messages.js';
import {hasControls} from './scope-properties.js';
import {namesSnapshot} from '../session/source-address.js';

/** @import {ScopeActions, ScopeState} from './layout.js' */
/** @import {ScopeProperties} from './scope-properties.js' */
/** @import {BaselineSession} from '../session/baseline-session.js' */

/**
 * The picture, or a message in its place.
 *
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 * @param {ScopeActions} actions
 */
export function pictureOrMessage(
  scope,
  {live, session, baselineSession, picture},
  {choose, retry},
) {
  const {text, poster, src} = scope;
  const {failure, loadsSaved, model, pass, progress, recoveredFrom} = session;
  const standIn =
    poster &&
    !namesSnapshot(poster, live?.engine ?? null) &&
    html`<img src=${poster} alt=${text} />`;
  if (failure) {
    const said = failureText(failure, Boolean(model), live);
    const canBeEmbedded = live && src && !model && !isWithoutEngine(failure) && text.trim();
    const embedded = canBeEmbedded && hasControls(scope) ? () => choose({src: ''}) : null;
    return html`${failureMessage(failure, said, retry, embedded)}${standIn || nothing}`;
  }
  if (pass) {
    return html`${live?.passNotices(pass, recoveredFrom)} ${noticeOf(baselineSession)} ${picture}`;
  }
  if (!model) {
    const message = loadsSaved
      ? progressMessage(strings.scope.loadingSaved)
      : live?.loadingMessage(progress);
    return html`${standIn || nothing} ${message}`;
  }
  return text.trim() ? nothing : live?.emptyMessage();
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
