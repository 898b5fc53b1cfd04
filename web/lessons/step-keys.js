import {isTaken} from '../controls/presentation.js';

/** @typedef {'onward' | 'return' | 'next' | 'back' | 'large'} StepAction */

/**
 * The action of a key in a lesson: Space shows what comes next, the arrow keys step, `p` switches to large type for
 * a projector. A focused element that uses the key itself gets it instead.
 *
 * @param {KeyboardEvent} event
 * @returns {StepAction | null}
 */
export function stepKey(event) {
  const {key, shiftKey} = event;
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return null;
  if (isTaken(event)) return null;
  if (key === ' ') return shiftKey ? 'return' : 'onward';
  if (key === 'ArrowRight') return 'next';
  if (key === 'ArrowLeft') return 'back';
  return key === 'p' ? 'large' : null;
}
