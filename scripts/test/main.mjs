/** Runs `npm test`; see scripts/test.sh. */

import {fileURLToPath} from 'node:url';
import {runSteps} from './run-steps.mjs';
import {describeTools} from './stamps.mjs';
import {steps} from './steps.mjs';

const [option, ...more] = process.argv.slice(2);
if ((option !== undefined && option !== '--all') || more.length) {
  console.error(`test: expected --all or nothing, found ${process.argv.slice(2).join(' ')}`);
  process.exit(2);
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const start = performance.now();
const tools = describeTools(root);
const say = (/** @type {string} */ text) => void process.stdout.write(text);
const results = await runSteps(root, steps, {tools, all: option === '--all', say});

// Again, since steps that come later print much; at most 25 lines of each.
for (const {log} of results) {
  let left = 0;
  for (const line of log.split('\n')) {
    if (line.startsWith('FAILED ')) left = 25;
    if (left-- > 0) console.log(line);
  }
}
console.log();
for (const {name, seconds, passed, failed, skipped, unchanged} of results) {
  const cells = [passed, failed, skipped].map((number, i) => String(number).padStart(i ? 4 : 6));
  console.log(
    unchanged
      ? `${name.padEnd(24)} unchanged since it passed (${unchanged})`
      : `${name.padEnd(24)} ${String(seconds).padStart(5)} s ${cells[0]} passed ${cells[1]} failed ${cells[2]} skipped`,
  );
}
const sum = (/** @type {'passed' | 'failed' | 'skipped' | 'unchanged'} */ key) =>
  results.reduce((so_far, result) => so_far + result[key], 0);
if (sum('unchanged'))
  console.log(`${sum('unchanged')} passed before and were not run again; --all runs them`);
console.log(`in all ${Math.round((performance.now() - start) / 1000)} s`);
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') ? 1 : 0;
