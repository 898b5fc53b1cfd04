import {relative} from 'node:path';
import {inspect} from 'node:util';

/** The number of tests whose times are told. */
const told = 10;

/**
 * Reports for `node --test` the tests that fail or are skipped, then the totals as TAP has them (`# pass 12`) and which
 * tests took longest.
 *
 * @param {AsyncIterable<{type: string, data: any}>} source
 */
export default async function* report(source) {
  /** @type {{name: string, seconds: number}[]} */
  const times = [];
  for await (const {type, data} of source) {
    if (type === 'test:pass' && data.details.type !== 'suite')
      times.push({name: data.name, seconds: data.details.duration_ms / 1000});
    const place = data.file ? `${relative('.', data.file)}: ` : '';
    if (type === 'test:fail') {
      const {error} = data.details;
      // A suite fails because its tests failed, and these have been reported already.
      if (error.failureType === 'subtestsFailed') continue;
      yield `FAILED ${place}${data.name}\n${inspect(error.cause ?? error)}\n\n`;
    } else if (type === 'test:pass' && data.skip !== undefined) {
      yield `skipped ${place}${data.name} (${data.skip})\n`;
    } else if (type === 'test:stdout' || type === 'test:stderr') {
      yield data.message;
    } else if (type === 'test:diagnostic' && data.nesting === 0) {
      yield `# ${data.message}\n`;
    }
  }
  const longest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, told);
  for (const {name, seconds} of longest) yield `# took ${seconds.toFixed(1)} s: ${name}\n`;
}
