/**
 * Prints a table in the README's form for each chip that the benchmark has measured:
 * `node scripts/docs/result-tables.mjs`.
 */

import {readdirSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

/** @import {Result, ResultRow} from '../../tests/bench/results.mjs' */

const FOLDER = fileURLToPath(new URL('../../tests/bench/results', import.meta.url));
const LENGTHS = [16, 32, 128, 512];

/**
 * @param {Result} result
 * @returns {string} A heading with the chip's instructions, and its table in Markdown.
 */
export function resultTable({cpu, instructions, left_out, rows}) {
  const without = left_out.length > 0 ? `, in Chromium without ${left_out.join(', ')}` : '';
  const lengths = LENGTHS.filter((tokens) => rows.some((row) => row.tokens === tokens));
  const models = [...new Set(rows.map(nameOf))];
  const body = models.map((name) => [
    name,
    ...lengths.map((tokens) => {
      const row = rows.find((each) => each.tokens === tokens && nameOf(each) === name);
      return row ? cell(row) : 'not measured';
    }),
  ]);
  const head = [
    'ms: bertscope / LiteRT.js / onnxruntime-web',
    ...lengths.map((n) => `${n} tokens`),
  ];
  const lines = [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`);
  return `### ${cpu} (${instructions.join(', ')})${without}\n\n${lines.join('\n')}\n`;
}

/** @param {ResultRow} row */
const nameOf = ({engine, model, threads}) =>
  `${engine}, ${model}${threads ? `, ${threads} threads` : ''}`;

/** @param {ResultRow} row */
const cell = ({ours_ms, litert_int8_ms, peer_int8_ms}) =>
  [ours_ms, litert_int8_ms, peer_int8_ms]
    .map((time) => time?.toFixed(time < 100 ? 1 : 0) ?? '–')
    .join(' / ');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  const results = files.map((name) => JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')));
  process.stdout.write(results.map(resultTable).join('\n'));
}
