import fc from 'fast-check';

/** Whether properties are tried for minutes, by `scripts/fuzz.sh`. */
export const isLong = fc.readConfigureGlobal()?.interruptAfterTimeLimit !== undefined;

/**
 * Sets how many random cases a property is tried with, unless fast-check's global configuration sets another number.
 *
 * @param {number} numRuns
 * @returns {fc.Parameters<any>} `any`, because the global configuration's reporter has unknown arguments
 */
export const tries = (numRuns) =>
  /** @type {fc.Parameters<any>} */ ({numRuns, ...fc.readConfigureGlobal()});
