/** For `node --import`: each property is tried for FUZZ_SECONDS, not a hundred times. */

import fc from 'fast-check';

const seconds = Number(process.env.FUZZ_SECONDS);
if (!(seconds > 0)) throw new Error(`FUZZ_SECONDS: expected seconds, found ${seconds}`);
fc.configureGlobal({
  numRuns: 1e9,
  interruptAfterTimeLimit: 1000 * seconds,
  reporter(run) {
    console.log(`tries of a property: ${run.numRuns}`);
    if (run.failed) throw new Error(fc.defaultReportMessage(run));
  },
});
