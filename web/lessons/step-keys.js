/** @typedef {'next' | 'back' | 'large'} StepAction */

/** What writes, chooses or moves by itself with these keys. */
const usesArrows = 'input, textarea, select, bert-scope, [role=application], dialog, dialog *';
const usesSpace = `${usesArrows}, button, summary, a`;

/**
 * What a key does to a lesson: Space and the arrows step, `p` is the projector's type. Whatever has
 * the focus and uses the key itself keeps it.
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
  if (key === ' ') return shiftKey ? 'back' : 'next';
  if (key === 'ArrowRight') return 'next';
  if (key === 'ArrowLeft') return 'back';
  return key === 'p' ? 'large' : null;
}
