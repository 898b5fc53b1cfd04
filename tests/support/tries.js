import fc from 'fast-check';

/**
 * Sets how many random cases a property is tried with, unless fast-check's global configuration sets another number.
 *
 * @param {number} numRuns
 * @returns {fc.Parameters<any>} `any`, because the global configuration's reporter has unknown arguments
 */
export const tries = (numRuns) =>
  /** @type {fc.Parameters<any>} */ ({numRuns, ...fc.readConfigureGlobal()});
