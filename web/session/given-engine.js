/** @typedef {Pick<typeof import('./shared-models.js'), 'defaultModel' | 'pageEngine'>} GivenEngine */

/** The engine of a page that loads it together with the element; null on other pages. @type {GivenEngine | null} */
export let givenEngine = null;

/** Must be called before the element is defined. @param {GivenEngine} given */
export function giveEngine(given) {
  givenEngine = given;
}
