/** @typedef {'onward' | 'return' | 'next' | 'back' | 'large'} StepAction */

/** Elements that use these keys themselves. */
const usesArrows = 'input, textarea, select, bert-scope, [role=application], dialog, dialog *';
const usesSpace = `${usesArrows}, button, summary, a`;

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
  const within = (/** @type {string} */ selector) =>
    event.composedPath().some((node) => node instanceof Element && node.matches(selector));
  if (within(key === ' ' ? usesSpace : usesArrows)) return null;
  if (key === ' ') return shiftKey ? 'return' : 'onward';
  if (key === 'ArrowRight') return 'next';
  if (key === 'ArrowLeft') return 'back';
  return key === 'p' ? 'large' : null;
}
