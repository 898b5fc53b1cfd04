import assert from 'node:assert/strict';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {resultTable} from '../../scripts/docs/result-tables.mjs';
import {keepResult} from './results.mjs';

const machine = {
  cpu: 'AMD EPYC(TM) 9R14 Processor',
  instructions: ['AVX2', 'AVX-VNNI'],
  left_out: /** @type {string[]} */ ([]),
  browsers: {chromium: 'Chromium 156', firefox: 'Firefox 153'},
  commit: 'abc',
  date: '2026-11-22T15:00:00.000Z',
  load: 0.123,
};

/** @param {string} engine @param {number} tokens @param {number} ours_ms */
const row = (engine, tokens, ours_ms) => ({
  ...{engine, model: 'bert-base', tokens, kernel: 'relaxed', ours_ms},
  ...{peer_int8_ms: 44.671, peer_float32_ms: 168.1, spread: 0.1},
});

/** @param {object[]} rows @param {object} [changes] */
const report = (rows, changes) =>
  /** @type {any} */ ({machine: {...machine, ...changes}, rows, steps: []});

/** @param {import('node:test').TestContext} t */
function newFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), 'bertscope-results-'));
  t.after(() => rmSync(folder, {recursive: true}));
  return folder;
}

test('a chip has one file, in which later runs replace the rows that they measured', (t) => {
  const folder = newFolder(t);
  keepResult(report([row('chromium', 128, 124), row('chromium', 16, 14.4)]), folder);
  const path = keepResult(
    report([row('chromium', 16, 13.333), row('firefox', 16, 31.9)], {commit: 'def'}),
    folder,
  );
  const {rows, ...chip} = JSON.parse(readFileSync(path, 'utf8'));
  assert.deepEqual(chip, {cpu: machine.cpu, instructions: machine.instructions, left_out: []});
  assert.deepEqual(rows[0], {
    ...{engine: 'chromium', version: 'Chromium 156', model: 'bert-base', tokens: 16},
    ...{kernel: 'relaxed', ours_ms: 13.3, peer_int8_ms: 44.7, peer_float32_ms: 168},
    ...{commit: 'def', date: '2026-11-22', load: 0.123},
  });
  assert.deepEqual(
    rows.map((/** @type {any} */ {engine, tokens, commit}) => `${engine} ${tokens} ${commit}`),
    ['chromium 16 def', 'chromium 128 abc', 'firefox 16 def'],
  );
});

test('runs of several threads are kept beside those of one, even where one worker ran ours', (t) => {
  const folder = newFolder(t);
  keepResult(report([{...row('chromium', 16, 14), asked: 1, threads: 1}]), folder);
  const path = keepResult(report([{...row('chromium', 16, 15), asked: 4, threads: 1}]), folder);
  const {rows} = JSON.parse(readFileSync(path, 'utf8'));
  assert.deepEqual(
    rows.map((/** @type {any} */ {threads, ours_ms}) => ({threads, ours_ms})),
    [
      {threads: undefined, ours_ms: 14},
      {threads: 4, ours_ms: 15},
    ],
  );
  const table = resultTable(JSON.parse(readFileSync(path, 'utf8')));
  assert.match(
    table,
    /\| chromium, bert-base \| 14\.0 .*\n\| chromium, bert-base, 4 threads \| 15\.0 /,
  );
});

test('the time of LiteRT.js is kept if it ran, and is a column of the table of its chip', (t) => {
  const folder = newFolder(t);
  const rows = [{...row('chromium', 16, 14), litert_int8_ms: 27.149}, row('chromium', 128, 124)];
  const result = JSON.parse(readFileSync(keepResult(report(rows), folder), 'utf8'));
  assert.deepEqual(
    result.rows.map((/** @type {any} */ {litert_int8_ms}) => litert_int8_ms),
    [27.1, undefined],
  );
  assert.equal(
    resultTable(result).split('\n\n')[1],
    `| ms: bertscope / LiteRT.js / onnxruntime-web | 16 tokens | 128 tokens |
| --- | --- | --- |
| chromium, bert-base | 14.0 / 27.1 / 44.7 | 124 / – / 44.7 |
`,
  );
});

test('steps of models that continue a text are kept beside the passes', (t) => {
  const folder = newFolder(t);
  const of = {engine: 'chromium', model: 'gpt2-small', tokens: 32, kernel: 'relaxed'};
  const step = {...of, ours_ms: 9.284, peer_int8_ms: 47.151, bytes: 123, stream_ms: 7.5, more: 1};
  keepResult({...report([row('chromium', 16, 14)]), steps: [{...step, ours_ms: 12}]}, folder);
  const path = keepResult({...report([]), steps: [step]}, folder);
  const {rows, steps} = JSON.parse(readFileSync(path, 'utf8'));
  assert.equal(rows.length, 1);
  assert.deepEqual(steps, [
    {
      ...{...of, version: 'Chromium 156', ours_ms: 9.28, peer_int8_ms: 47.2, bytes: 123},
      ...{stream_ms: 7.5, commit: 'abc', date: '2026-11-22', load: 0.123},
    },
  ]);
});

test('a run without the byte dot product has a file of its own, which says so', (t) => {
  const folder = newFolder(t);
  keepResult(report([row('chromium', 16, 14)]), folder);
  const path = keepResult(report([row('chromium', 16, 60)], {left_out: ['AVX-VNNI']}), folder);
  assert.deepEqual(readdirSync(folder).sort(), [
    'amd-epyc-9r14-avx2-avx-vnni-without-vnni.json',
    'amd-epyc-9r14-avx2-avx-vnni.json',
  ]);
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')).left_out, ['AVX-VNNI']);
});

test('two chips of one name and of different instructions do not share a file', (t) => {
  const folder = newFolder(t);
  keepResult(report([row('chromium', 16, 14)], {cpu: 'AMD EPYC'}), folder);
  const older = {cpu: 'AMD EPYC', instructions: ['AVX2', 'AVX-512 VNNI']};
  const {rows} = JSON.parse(
    readFileSync(keepResult(report([row('chromium', 16, 60)], older), folder), 'utf8'),
  );
  assert.equal(readdirSync(folder).length, 2);
  assert.deepEqual(
    rows.map((/** @type {any} */ {ours_ms}) => ours_ms),
    [60],
  );
});

test('the table of a chip has a line for each browser and model, and names the instructions', (t) => {
  const folder = newFolder(t);
  const first = {...row('chromium', 16, 14), litert_int8_ms: 24.81};
  const rows = [first, row('chromium', 128, 124), row('firefox', 16, 32)];
  const path = keepResult(report(rows, {left_out: ['AVX-VNNI']}), folder);
  assert.equal(
    resultTable(JSON.parse(readFileSync(path, 'utf8'))),
    `### AMD EPYC(TM) 9R14 Processor (AVX2, AVX-VNNI), in Chromium without AVX-VNNI

| ms: bertscope / LiteRT.js / onnxruntime-web | 16 tokens | 128 tokens |
| --- | --- | --- |
| chromium, bert-base | 14.0 / 24.8 / 44.7 | 124 / – / 44.7 |
| firefox, bert-base | 32.0 / – / 44.7 | not measured |
`,
  );
});
