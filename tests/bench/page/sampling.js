/** Measures times with a coarse clock: contestants take turns, and each sample is long enough for the clock. */

/**
 * @typedef {object} Effort
 * @property {number} minRounds
 * @property {number} maxRounds
 * @property {number} budgetMs Rounds end when this is spent and `minRounds` are done.
 */

/** A sample lasts this many of the clock's smallest steps, or more. */
const SAMPLE_STEPS = 50;
const MIN_SAMPLE_MS = 10;
const WARM_UPS = 2;
/** The time in which the browser compiles the hot code. */
const WARM_UP_MS = 300;

/**
 * Lets contestants take turns in the given order, and ignores their first turns.
 * @template {string} Name
 * @param {Record<Name, () => unknown>} contestants
 * @param {Effort} effort
 * @returns {Promise<{medians: Record<Name, number>, spreads: Record<Name, number>, rounds: number}>}
 *   The milliseconds of a call, and the middle half of the samples as a share of the median.
 */
export async function takeTurns(contestants, {minRounds, maxRounds, budgetMs}) {
  const sampleMs = Math.max(MIN_SAMPLE_MS, SAMPLE_STEPS * clockStep());
  const entries = /** @type {[Name, () => unknown][]} */ (Object.entries(contestants));
  const lanes = [];
  for (const [name, call] of entries) {
    const estimate = await warmUp(call);
    const calls = Math.max(1, Math.ceil(sampleMs / estimate));
    lanes.push({name, call, calls, samples: /** @type {number[]} */ ([])});
  }
  const begin = performance.now();
  let rounds = 0;
  while (rounds < maxRounds && (rounds < minRounds || performance.now() < begin + budgetMs)) {
    for (const {call, calls, samples} of lanes) samples.push(await timed(call, calls));
    rounds++;
  }
  const medians = lanes.map(({name, samples}) => [name, median(samples)]);
  const spreads = lanes.map(({name, samples}) => [name, spread(samples)]);
  return {medians: Object.fromEntries(medians), spreads: Object.fromEntries(spreads), rounds};
}

/**
 * @param {() => unknown} call
 * @returns Roughly the milliseconds a call takes.
 */
async function warmUp(call) {
  const begin = performance.now();
  let calls = 0;
  while (calls < WARM_UPS || performance.now() < begin + WARM_UP_MS) {
    await call();
    calls++;
  }
  return (performance.now() - begin) / calls;
}

/**
 * @param {() => unknown} call
 * @param {number} calls
 */
async function timed(call, calls) {
  const begin = performance.now();
  for (let i = 0; i < calls; i++) await call();
  return (performance.now() - begin) / calls;
}

/** The smallest difference that `performance.now` shows here, in milliseconds. */
function clockStep() {
  let smallest = Infinity;
  for (let i = 0; i < 5; i++) {
    const begin = performance.now();
    let now = begin;
    while (now === begin) now = performance.now();
    smallest = Math.min(smallest, now - begin);
  }
  return smallest;
}

/** @param {number[]} values */
export const median = (values) => quantile(values, 0.5);

/** @param {number[]} values */
const spread = (values) =>
  (quantile(values, 0.75) - quantile(values, 0.25)) / quantile(values, 0.5);

/**
 * @param {number[]} values
 * @param {number} share
 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at % 1);
}
