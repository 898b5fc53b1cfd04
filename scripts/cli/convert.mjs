import {stat} from 'node:fs/promises';
import {BertscopeError} from '../../web/engine/errors.js';
import {loadModel} from './engine.mjs';
import {checkEnding, checkOutput, printable, writeFileWhole} from './output.mjs';
import {formatBytes} from './inspect.mjs';
import {enter} from './stage.mjs';

/**
 * @param {{output?: string}} values
 * @param {string[]} positionals
 */
export async function convert({output}, positionals) {
  if (positionals.length !== 1 || output === undefined) {
    const message =
      'convert: expected <model-dir | model.safetensors | model.gguf> -o out.safetensors, found';
    const found = positionals.length !== 1 ? `${positionals.length} models` : 'no -o';
    throw new BertscopeError('usage', `${message} ${found}`);
  }
  await checkOutput(output);
  checkEnding(output, ['.safetensors']);
  const model = await loadModel(positionals[0], 'int8');
  enter(`writing ${output}`);
  await writeFileWhole(output, model.quantizedFile());
  for (const note of model.notes) process.stdout.write(`note: ${printable(note)}\n`);
  process.stdout.write(`${output}: ${formatBytes((await stat(output)).size)}\n`);
}
