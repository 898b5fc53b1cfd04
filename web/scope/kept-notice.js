import {html, nothing} from 'lit';
import {liveStrings} from '../strings/live.js';

/** @import {ScopeState} from './layout.js' */

/**
 * Says that the picture is kept, as long as nothing differs from it: two equal pictures would show nothing.
 *
 * @param {ScopeState} state
 */
export function keptNotice({baselineSession, comparison}) {
  return baselineSession.baseline && !comparison
    ? html`<p class="notice" role="status">${liveStrings.actions.kept}</p>`
    : nothing;
}
