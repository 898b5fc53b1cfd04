import {html, nothing} from 'lit';

/** What went wrong with a task; giving it up is no problem. @param {unknown} error */
export function problem(error) {
  const {name, message} = /** @type {Error} */ (error);
  return name === 'AbortError' ? nothing : html`<p role="alert">${message}</p>`;
}
