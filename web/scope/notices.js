import {attributeProblem} from './reflected-properties.js';

/** @import {BertScope} from './bert-scope.js' */

/** The problems that an element reports above its picture. Each new one also fires an `error` event. */
export class Notices {
  /** @type {string[]} */
  shown = [];
  #scope;

  /** @param {BertScope} scope */
  constructor(scope) {
    this.#scope = scope;
    scope.addController(this);
  }

  /** Reports problems after the update, because Lit writes attributes while it updates. */
  hostUpdated() {
    const scope = this.#scope;
    const {notice, propertyProblems} = scope;
    const notices = [notice, attributeProblem(scope), ...propertyProblems].filter(Boolean);
    const before = this.shown;
    if (String(notices) === String(before)) return;
    this.shown = notices;
    scope.requestUpdate();
    for (const each of notices) {
      if (before.includes(each)) continue;
      scope.dispatchEvent(new CustomEvent('error', {detail: new Error(each)}));
    }
  }
}
