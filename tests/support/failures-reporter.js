import {relative} from 'node:path';
import {inspect} from 'node:util';

/**
 * Reports for `node --test` the tests that fail or are skipped, then the totals as TAP has them (`# pass 12`).
 *
 * @param {AsyncIterable<{type: string, data: any}>} source
 */
export default async function* report(source) {
  for await (const {type, data} of source) {
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
}
