import fc from 'fast-check';

/** Whether `scripts/fuzz.sh` says how often or how long properties are tried. */
export const isLong = fc.readConfigureGlobal()?.numRuns !== undefined;

/**
 * Sets how many random cases a property is tried with, unless fast-check's global configuration sets another number.
 *
 * @param {number} numRuns
 * @returns {fc.Parameters<any>} `any`, because the global configuration's reporter has unknown arguments
 */
export const tries = (numRuns) =>
  /** @type {fc.Parameters<any>} */ ({numRuns, ...fc.readConfigureGlobal()});
