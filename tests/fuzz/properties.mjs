/** For `node --import`: each property is tried FUZZ_TRIES times, or for FUZZ_SECONDS, not a hundred times. */

import fc from 'fast-check';

const {FUZZ_TRIES: tries, FUZZ_SECONDS: seconds} = process.env;
const [name, given] = tries === undefined ? ['FUZZ_SECONDS', seconds] : ['FUZZ_TRIES', tries];
const number = Number(given);
if (!(number > 0)) throw new Error(`${name}: expected a number over 0, found ${given}`);
fc.configureGlobal({
  ...(tries === undefined
    ? {numRuns: 1e9, interruptAfterTimeLimit: 1000 * number}
    : {numRuns: number}),
  reporter(run) {
    console.log(`tries of a property: ${run.numRuns}`);
    if (run.failed) throw new Error(fc.defaultReportMessage(run));
  },
});
