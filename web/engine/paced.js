/** Limits how often progress is reported, because the number of steps depends on the file. */

const MILLISECONDS = 50;

/**
 * @template T
 * @param {(progress: T) => void} report
 * @returns {{report: (progress: T) => void, flush: () => void}} `flush` reports the last progress if
 *   it came too soon after another. Call it at the end.
 */
export function paced(report) {
  let due = -Infinity;
  /** @type {(() => void) | undefined} */
  let waiting;
  const flush = () => {
    waiting?.();
    waiting = undefined;
  };
  return {
    report(progress) {
      waiting = () => report(progress);
      const now = performance.now();
      if (now < due) return;
      due = now + MILLISECONDS;
      flush();
    },
    flush,
  };
}
