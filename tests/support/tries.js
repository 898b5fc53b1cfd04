import fc from 'fast-check';

/**
 * How often a property is tried: so often, unless fast-check is told otherwise for all of them.
 *
 * @param {number} numRuns
 * @returns {fc.Parameters<any>} whose reporter would otherwise be one of unknown arguments
 */
export const tries = (numRuns) =>
  /** @type {fc.Parameters<any>} */ ({numRuns, ...fc.readConfigureGlobal()});
