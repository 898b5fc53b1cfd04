/**
 * Puts many mutants into one source, each behind a condition (“mutant schemata”: Untch, Offutt & Harrold 1993), so that
 * everything is built once, and one run of a test tells which of them it reaches.
 */

/** @import {Mutant} from '../mutants.mjs' */

/** Overlapping mutants are not allowed. @param {string} text @param {Mutant[]} mutants */
export const withConditions = (text, mutants) =>
  mutants
    .toSorted((a, b) => a.start - b.start)
    .reduceRight(
      (source, mutant) =>
        replaced(
          source,
          mutant,
          mutant.file.endsWith('.js') ? inJavascript(mutant) : inCpp(mutant),
        ),
      text,
    );

/** @param {string} text @param {Mutant} mutant */
export const withMutant = (text, mutant) => replaced(text, mutant, mutant.to);

/** @param {string} text @param {Mutant} mutant @param {string} by */
const replaced = (text, {start, end}, by) => text.slice(0, start) + by + text.slice(end);

/** @param {Mutant} mutant */
function inJavascript({id, kind, from, to}) {
  const condition = `globalThis.isMutant?.(${id})`;
  return kind === 'statement'
    ? `${condition}||(${from.replace(/;$/, '')});`
    : `(${condition}?(${to}):(${from}))`;
}

/** conditions.h says what its words do. @param {Mutant} mutant */
function inCpp({id, kind, from, to}) {
  const condition = `::mutants::isActive(${id})`;
  if (kind === 'statement') return `{ if (!${condition}) { ${from} } }`;
  if (kind === 'constant') return `(${condition} ? ${to} : ${from})`;
  return to === '' ? `::mutants::Minus{${id}} * ` : `${from} ::mutants::At{${id}} ${from}`;
}
