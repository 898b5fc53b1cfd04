import {parseConfig} from '../../web/engine/files/model-config.js';
import {BertscopeError} from '../../web/engine/errors.js';
import {modelFiles, notesOnHeader} from '../../web/engine/host/runtime.js';
import {printable, writeStandardOutput} from './output.mjs';
import {defaultModel, openModel} from './source.mjs';
import {enter} from './stage.mjs';

/**
 * @param {{}} _values
 * @param {string[]} positionals
 */
export async function inspect(_values, positionals) {
  if (positionals.length > 1) {
    throw new BertscopeError('usage', `inspect: expected one model, found ${positionals.length}`);
  }
  const path = positionals[0] ?? (await defaultModel());
  enter(`opening ${path}`);
  const source = await openModel(path);
  const reader = await source.open();
  await reader.close();
  const {header} = reader;
  const files = modelFiles(reader, source);
  const {format, version} = header.metadata;
  const parameters = header.tensors.reduce((sum, {shape}) => sum + product(shape), 0);
  const {decoder, ...config} = parseConfig(files['config.json'], source.path);
  const facts = {
    file: source.weights,
    format: version === undefined ? (format ?? 'safetensors') : `${format} ${version}`,
    size: formatBytes(header.fileBytes),
    tokenizer:
      ['tokenizer.json', 'vocab.txt', 'merges.txt'].find((name) => name in files) ?? 'none',
    ...config,
    ...(decoder && {decoderLayers: decoder.layers, decoderHeads: decoder.heads}),
    ...(notesOnHeader(header, source.path).length > 0 && {checksum: 'none: unverified'}),
    tensors: header.tensors.length,
    parameters: parameters.toLocaleString('en'),
  };
  const rows = header.tensors.map(({name, dtype, storedAs, shape, begin, end}) => [
    name,
    storedAs ?? dtype,
    `[${shape.join(', ')}]`,
    formatBytes(end - begin),
  ]);
  await writeStandardOutput([
    table(Object.entries(facts).map(([key, value]) => [key, String(value)])),
    '\n',
    table(rows),
  ]);
}

/** @param {number} bytes */
export function formatBytes(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** @param {number[]} sizes */
function product(sizes) {
  return sizes.reduce((result, size) => result * size, 1);
}

/** @param {string[][]} cells */
function table(cells) {
  const rows = cells.map((row) => row.map(printable));
  const [first = []] = rows;
  const widths = first.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column])));
  return lines.map((line) => `${line.join('  ').trimEnd()}\n`).join('');
}
