/**
 * Remembers, from visit to visit, which models have ended the engine's worker, so that a page does not open one again
 * and again. A model that runs a text is forgiven.
 */

const storageKey = 'bertscope-ended-models';
/** A model that has ended this many times in a row is opened only if the reader says so. */
const mostEnds = 2;
const mostModels = 50;

/** Counts by address, the latest last. @returns {Map<string, number>} */
function read() {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return new Map(stored);
  } catch {
    return new Map(); // there is no storage, or something else in it
  }
}

/** @param {Map<string, number>} ends */
function write(ends) {
  try {
    localStorage.setItem(storageKey, JSON.stringify([...ends].slice(-mostModels)));
  } catch {
    // Then it is forgotten after this visit.
  }
}

/** @param {string} address */
export function noteEnd(address) {
  const ends = read();
  const count = (ends.get(address) ?? 0) + 1;
  ends.delete(address);
  write(ends.set(address, count));
}

/** @param {string} address */
export function forgiveEnds(address) {
  const ends = read();
  if (ends.delete(address)) write(ends);
}

/** @param {string} address */
export const hasEndedOften = (address) => (read().get(address) ?? 0) >= mostEnds;
