import {parseArgs} from 'node:util';

const USAGE = `npm run bench -- [--quick] [--engines chromium|all] [--kernels] [--json FILE] [--original FOLDER]
  --quick      the embedded model and bert-base at 16 and 32 tokens, few repetitions
  --engines    chromium (unless given), or all: Firefox and WebKitGTK too
  --kernels    the int8 kernels alone, against the limit; a full run has them as well
  --json       writes everything that was measured
  --original   the Hugging Face folder that the embedded model was quantized from`;

/** @typedef {ReturnType<typeof parseOptions>} Options */

/** @param {string[]} args */
export function parseOptions(args) {
  let values;
  try {
    ({values} = parseArgs({
      args,
      options: {
        quick: {type: 'boolean', default: false},
        engines: {type: 'string', default: 'chromium'},
        kernels: {type: 'boolean', default: false},
        json: {type: 'string'},
        original: {type: 'string', default: '../shared/data/starter-model'},
      },
    }));
    if (!['chromium', 'all'].includes(values.engines)) {
      throw new Error(`--engines: expected chromium or all, found ${values.engines}`);
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}\n`);
    process.exit(2);
  }
  return values;
}
