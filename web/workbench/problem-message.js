import {html, nothing} from 'lit';

/** Draws the error of a task; a task that was aborted has none. @param {unknown} error */
export function problem(error) {
  const {name, message} = /** @type {Error} */ (error);
  return name === 'AbortError' ? nothing : html`<p class="notice" role="alert">${message}</p>`;
}
