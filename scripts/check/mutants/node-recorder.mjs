/** Loaded before a test of JavaScript: makes the mutant active that MUTANT names, and writes down which are reached. */

import {appendFileSync} from 'node:fs';

const active = Number(process.env.MUTANT ?? -1);
const reached = process.env.MUTANTS_REACHED;
/** @type {Set<number>} */
const seen = new Set();

Object.assign(globalThis, {
  isMutant(/** @type {number} */ id) {
    if (reached && !seen.has(id)) {
      seen.add(id);
      appendFileSync(reached, `${id}\n`);
    }
    return id === active;
  },
});
