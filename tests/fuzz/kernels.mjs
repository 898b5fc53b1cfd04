/**
 * Compares all kernels with the scalar ones, bit for bit, in Chromium, Firefox and WebKitGTK, until each kernel set has
 * computed as many values as the argument says: `scripts/fuzz.sh --kernels`.
 */

import {drivers} from '../browser/drivers.js';
import {openComparison, serveComparison} from '../browser/kernels.js';

/** @import {Report} from '../browser/kernels.js' */

/** A browser must answer within seconds. */
const CASES_AT_ONCE = 2000;

const wanted = Number(process.argv[2]);
if (!(wanted > 0)) throw new Error(`expected a number of values, found ${process.argv[2]}`);

/** @param {Report} report @param {number} seconds */
function textOf({digest, difference, dot, sets}, seconds) {
  const lines = sets.map(
    ({name, calls, values, different}) =>
      `  ${name}: ${values} values of ${calls} calls, ${different} different`,
  );
  const end = `  relaxed dot product: ${dot}; digest ${digest}; ${seconds.toFixed()} s`;
  return [...lines, end, ...(difference ? [`  ${difference}`] : [])].join('\n');
}

const server = await serveComparison();
const digests = new Set();
let failed = false;
for (const {engine, drive} of drivers) {
  const driver = await drive();
  try {
    const start = performance.now();
    const {compare} = await openComparison(driver, server.url);
    let report = await compare(0, CASES_AT_ONCE);
    for (let first = CASES_AT_ONCE; ; first += CASES_AT_ONCE) {
      const least = Math.min(...report.sets.map(({values}) => values));
      if (least >= wanted || report.difference) break;
      report = await compare(first, CASES_AT_ONCE);
    }
    console.log(engine.version());
    console.log(textOf(report, (performance.now() - start) / 1000));
    digests.add(report.digest);
    failed ||= report.difference !== '' || report.dot === 'unknown';
  } finally {
    await driver.close();
  }
}
server.close();
if (digests.size > 1) console.log('the browsers compute different values');
process.exitCode = failed || digests.size > 1 ? 1 : 0;
