import {html, nothing} from 'lit';

/** @typedef {1 | -1} Direction  onward or back */

/** Elements that use arrow keys themselves. */
const usesArrows = 'input, textarea, select, bert-scope, [role=application], dialog, dialog *';

/** @param {Event} event @param {string} selector */
const isWithin = (event, selector) =>
  event.composedPath().some((node) => node instanceof Element && node.matches(selector));

/**
 * Whether a key belongs to the focused element.
 *
 * @param {KeyboardEvent} event
 */
export const isTaken = (event) =>
  isWithin(event, event.key === ' ' ? `${usesArrows}, button, summary, a` : usesArrows);

/**
 * Takes the focus from a field, so that the next keys are the presenter's. Pictures and dialogs do this themselves, and
 * Enter is a click on what is no field.
 *
 * @param {KeyboardEvent} event
 */
function leaveField(event) {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || isWithin(event, 'bert-scope, dialog')) return;
  if (event.key === 'Enter' && !focused.matches('textarea')) return;
  if (event.key === 'Enter') event.preventDefault();
  focused.blur();
}

/**
 * What a clicker, or a presenter at the keyboard, asks for. Clickers send Page Down and Page Up, also while the focus is
 * in a picture, or arrows.
 *
 * @param {KeyboardEvent} event
 * @returns {Direction | 'end' | 'dark' | null}
 */
function presenterKey(event) {
  const {key, altKey, ctrlKey, metaKey, shiftKey} = event;
  if (altKey || ctrlKey || metaKey) return null;
  if (key === 'PageDown') return 1;
  if (key === 'PageUp') return -1;
  if (isTaken(event)) return null;
  if (key === 'Escape') return 'end';
  if (key === 'b' || key === '.') return 'dark';
  if (key === ' ') return shiftKey ? -1 : 1;
  if (key === 'ArrowRight' || key === 'ArrowDown') return 1;
  return key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : null;
}

/**
 * Follows the presenter of one part of the page. A presentation ends with Escape, and with the full screen.
 *
 * @param {object} presented
 * @param {() => boolean} presented.isOn
 * @param {(by: Direction) => void} presented.go
 * @param {() => void} presented.end
 */
export function followPresenter({isOn, go, end}) {
  const stop = () => {
    darken(false);
    end();
  };
  addEventListener(
    'keydown',
    (event) => {
      if (!isOn()) return;
      const act = presenterKey(event);
      if (!act && (event.key === 'Escape' || event.key === 'Enter')) leaveField(event);
      if (!act) return;
      event.preventDefault();
      event.stopPropagation();
      if (act === 'dark') return darken();
      darken(false);
      if (act === 'end') stop();
      else go(act);
    },
    {capture: true},
  );
  document.addEventListener('fullscreenchange', () => {
    if (!document.fullscreenElement && isOn()) stop();
  });
}

/** Makes the screen black, so that the audience looks at the presenter, or brings it back. @param {boolean} [isDark] */
function darken(isDark) {
  document.documentElement.toggleAttribute('data-dark-screen', isDark);
}

/**
 * The bar of a presentation: where it is, and buttons for a presenter without a clicker.
 *
 * @param {{label: string, back: string, onward: string, end: string}} words
 * @param {string} position
 * @param {{go: (by: Direction) => void, end: () => void}} actions
 * @param {unknown} [field]  for what an audience asks for
 */
export function presentationBar({label, back, onward, end}, position, actions, field = nothing) {
  const {go, end: stop} = actions;
  return html`<nav class="stepping presented" aria-label=${label}>
    <button type="button" class="quiet" @click=${stop}>${end}</button>
    ${field}
    <span class="position" aria-live="polite">${position}</span>
    <button type="button" class="quiet" aria-label=${back} @click=${() => go(-1)}>←</button>
    <button type="button" class="quiet" aria-label=${onward} @click=${() => go(1)}>→</button>
  </nav>`;
}
