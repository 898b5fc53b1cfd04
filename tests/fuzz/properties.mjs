/**
 * For `node --import`: with FUZZ_TRIES or FUZZ_SECONDS each property is tried so often or so long, with new cases each
 * time. Without them, as in `npm test`, the cases are the same in each run: a red test speaks of the change that it is
 * run on.
 */

import fc from 'fast-check';

const {FUZZ_TRIES: tries, FUZZ_SECONDS: seconds} = process.env;
if (tries === undefined && seconds === undefined) fc.configureGlobal({seed: 1});
else tryLong();

function tryLong() {
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
}
