import {strings} from '../strings/index.js';

/** @typedef {CustomElementConstructor & {version: string, instances: Set<any>}} Versioned */

/**
 * Defines an element unless the page has it already. If a page loads two versions, the first one runs, and each of
 * its elements shows a notice.
 *
 * @param {string} name
 * @param {Versioned} element
 */
export function define(name, element) {
  const running = /** @type {Partial<Versioned> | undefined} */ (customElements.get(name));
  if (!running) {
    customElements.define(name, element);
    return;
  }
  if (running.version === element.version) return;
  const problem = strings.scope.twoVersions(running.version ?? '?', element.version);
  for (const instance of running.instances ?? []) instance.notice = problem;
}
