import {parseArgs} from 'node:util';
import {FLOAT, MODEL_NAMES} from './plan.mjs';

const USAGE = `npm run bench -- [--quick] [--engines chromium|all] [--kernels] [--interventions]
                     [--explanations] [--first] [--page] [--native] [--soak KEYSTROKES] [--without-vnni] [--check] [--json FILE]
                     [--models LIST] [--tokens LIST] [--threads N] [--litert]
                     [--float FOLDER]
  --quick      the embedded model and bert-base at 16 and 32 tokens, few repetitions
  --engines    chromium (unless given), or all: Firefox and WebKitGTK too
  --kernels    the int8 kernels alone, against the limit; a full run has them as well
  --interventions  changes of the model beside plain passes, alone: bert-base at 16 tokens
  --explanations   what each method takes to explain an answer, alone: the embedded model at 16 tokens
  --first      from nothing to the first attention, ours and the peers', alone: the embedded model at
               16 tokens, each time in a new browser; a full run has it as well
  --page       what readers wait for, alone, in Chromium: the page's start, its main thread, views,
               frozen pictures, each step of the lessons after an edit; a full run has them as well
  --native     the parts of bert-base in a native build, alone
  --without-vnni  Chromium as on a chip without a byte dot product, such as AMD's Zen 3
  --soak       what memory grows by while so many keys are typed, alone; fails if that is too much
  --check      fails where a figure is over its limit (limits.mjs)
  --json       writes everything that was measured
  --models     passes of these alone, for example bert-base,MiniLM-L6; float is the model of --float
  --tokens     passes of these lengths alone, for example 16,128
  --threads    passes of so many workers alone, beside those of one; the peer gets shared memory
               and as many threads, for which the benchmark's page has the headers; ours needs none
  --litert     passes of BERTs in LiteRT.js too, which takes turns with the others; makes a Python
               environment of 600 MB for LiteRT's converter, and a graph for each length
  --float      a Hugging Face folder whose attention in 8 bits and in float32 is compared; without
               it, the embedded model's, whose weights are 8 bits in both`;

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
        interventions: {type: 'boolean', default: false},
        explanations: {type: 'boolean', default: false},
        first: {type: 'boolean', default: false},
        page: {type: 'boolean', default: false},
        check: {type: 'boolean', default: false},
        native: {type: 'boolean', default: false},
        'without-vnni': {type: 'boolean', default: false},
        litert: {type: 'boolean', default: false},
        soak: {type: 'string'},
        json: {type: 'string'},
        models: {type: 'string'},
        tokens: {type: 'string'},
        threads: {type: 'string'},
        float: {type: 'string'},
      },
    }));
    const models = values.models?.split(',') ?? [];
    const known = [...MODEL_NAMES, FLOAT];
    const unknown = models.find((name) => !known.includes(name));
    if (unknown !== undefined) {
      throw new Error(`--models: expected ${known.join(', ')}, found ${unknown}`);
    }
    if (models.includes(FLOAT) && !values.float) {
      throw new Error(`--models ${FLOAT}: expected --float FOLDER too, found none`);
    }
    if (!/^\d+(,\d+)*$/.test(values.tokens ?? '1')) {
      throw new Error(`--tokens: expected numbers and commas, found ${values.tokens}`);
    }
    if (!/^[1-9]\d*$/.test(values.threads ?? '1')) {
      throw new Error(`--threads: expected a number from 1, found ${values.threads}`);
    }
    if (!/^[1-9]\d*$/.test(values.soak ?? '1')) {
      throw new Error(`--soak: expected a number of keystrokes, found ${values.soak}`);
    }
    if (!['chromium', 'all'].includes(values.engines)) {
      throw new Error(`--engines: expected chromium or all, found ${values.engines}`);
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}\n`);
    process.exit(2);
  }
  const {models, tokens, threads} = values;
  return {...values, passesAlone: Boolean(models ?? tokens ?? threads)};
}
