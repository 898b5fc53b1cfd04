#!/usr/bin/env node
/** Whether a model is bert-base-uncased, by the figures that lesson 5 shows of it. */

import {readFileSync} from 'node:fs';
import {parseArgs} from 'node:util';
import {loadModel} from '../cli/engine.mjs';
import {printable} from '../cli/output.mjs';
import {BertscopeError} from '../../web/engine/errors.js';
import {compare, TOLERANCE} from './figures.mjs';

/** @import {Expected} from './figures.mjs' */

const HELP = `npm run check:bert-base -- [--precision f32|int8] [--tolerance T] MODEL

Runs the text of lesson 5 through MODEL, a Hugging Face folder or a quantized file of
bert-base-uncased, and prints each figure that differs from what PyTorch printed: ids, sizes, the
mean over the heads of the last layer, head 8-10 (layer 7, head 9: “me” to “told” is 0.683).

    --precision   f32 (exact, the default) or int8, as the page computes
    --tolerance   beyond the rounding of the printed figure (default ${TOLERANCE}); int8 needs more

Exit status: 0 when nothing differs, 1 when something does, 2 when there is no such model.
`;

try {
  const {values, positionals} = parseArgs({
    options: {
      precision: {type: 'string', default: 'f32'},
      tolerance: {type: 'string', default: String(TOLERANCE)},
      help: {type: 'boolean', short: 'h'},
    },
    allowPositionals: true,
  });
  if (values.help) process.stdout.write(HELP);
  else process.exitCode = await check(values, positionals);
} catch (error) {
  const {code, message} = /** @type {NodeJS.ErrnoException} */ (error);
  if (!(error instanceof BertscopeError) && !code?.startsWith('ERR_PARSE_ARGS')) throw error;
  process.stderr.write(`check:bert-base: ${printable(message)}\n`);
  process.exitCode = 2;
}

/**
 * @param {{precision: string, tolerance: string}} values
 * @param {string[]} positionals
 */
async function check({precision, tolerance}, positionals) {
  if (positionals.length !== 1) {
    throw new BertscopeError(
      'usage',
      `expected one model, found ${positionals.length}; see --help`,
    );
  }
  if (precision !== 'int8' && precision !== 'f32') {
    const message = `--precision: expected int8 or f32, found ${precision}`;
    throw new BertscopeError('usage', message);
  }
  if (!(Number(tolerance) >= 0) || tolerance.trim() === '') {
    const message = `--tolerance: expected a number from 0, found ${tolerance}`;
    throw new BertscopeError('usage', message);
  }

  const file = new URL('bert-base.json', import.meta.url);
  /** @type {Expected} */
  const expected = JSON.parse(readFileSync(file, 'utf8'));
  const model = await loadModel(positionals[0], precision);
  const {ids, pass} = await model.attend(expected.text);
  const {layers, heads, hiddenSize, intermediateSize, layerNormEpsilon} = model.config;
  const {compared, differences, largest} = await compare(
    expected,
    {
      ids,
      decoded: model.decode(ids),
      shape: {layers, heads, hiddenSize, intermediateSize, layerNormEpsilon},
      attention: (layer, head) => model.pull(pass, 'attention', [layer, head]),
    },
    Number(tolerance),
  );
  for (const difference of differences) process.stdout.write(`${printable(difference)}\n`);
  const verdict = differences.length === 0 ? 'nothing differs' : `${differences.length} differ`;
  const farthest = largest > 0 ? `; the farthest figure is off by ${largest.toPrecision(2)}` : '';
  process.stdout.write(
    `${printable(model.name)}, ${precision}: ${compared} compared, ${verdict}${farthest}\n`,
  );
  return differences.length === 0 ? 0 : 1;
}
