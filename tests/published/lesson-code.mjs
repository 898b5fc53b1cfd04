#!/usr/bin/env node
/** Runs the PyTorch code of every step as a reader copies it, and compares what it computes with the step. */

import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createEngine} from '../../web/engine/index.js';
import {tensorsNpz} from '../../web/export/tensor-files.js';
import {lessons} from '../../web/lessons/index.js';
import {datesAddress} from '../../web/session/source-address.js';
import {programOf} from '../../web/lessons/parts/step-program.js';
import {ThreadWorker} from '../engine/thread-worker.js';
import {folderOf, models, python} from './prepare.mjs';
import {PYTHON} from '../support/python.js';

/** @import {Step} from '../../web/lessons/step.js' */

Object.assign(globalThis, {Worker: ThreadWorker});

/** Runs a program, and prints the largest difference of each tensor, relative to numbers above 1. */
const HARNESS = `
import contextlib, io, json, sys
import numpy as np

def compare(program, expected):
    space = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(program, "the code", "exec"), space)
    assert printed.getvalue().strip(), "it prints nothing"
    found = {}
    for name in expected.files:
        if name not in names: continue
        a, b = np.asarray(space[name], dtype=np.float64), expected[name]
        assert a.shape == b.shape, f"{name} has the shape {a.shape}, the step has {b.shape}"
        with np.errstate(invalid="ignore"):
            found[name] = float(np.where(a == b, 0, np.abs(a - b) / np.maximum(1, np.abs(b))).max())
    return found

names = sys.argv[1].split(",")
print(json.dumps(compare(open("program.py").read(), np.load("bertscope-step.npz"))))
`;

/**
 * Runs the programs that read bert-base with a random model of its sizes, and a published tokenizer that has its
 * vocabulary. Prints the names of those that fail.
 */
const TRAINED = `
import contextlib, io, json, sys, traceback
from transformers import AutoModel, AutoTokenizer, BertConfig, BertModel

tokenizer = AutoTokenizer.from_pretrained(sys.argv[1])
model = BertModel(BertConfig(attn_implementation="eager"))
AutoTokenizer.from_pretrained = lambda name: tokenizer
AutoModel.from_pretrained = lambda name, **how: model
failures = {}
for name, program in json.load(sys.stdin).items():
    try:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(program, name, "exec"), {})
        assert printed.getvalue().strip(), "it prints nothing"
    except Exception:
        failures[name] = traceback.format_exc().strip().splitlines()[-1]
print(json.dumps(failures))
`;

/** The digits that the page prints and float32 holds; sums of a thousand products are rounded in another order. */
const TOLERANCE = 2e-5;

const engine = await createEngine({kernel: 'simd128'});
/** @param {string} name  of a model that comes with the page */
const load = (name) =>
  engine.load(
    new URL(`../../web/models/${name}/bertscope-${name}.safetensors`, import.meta.url).href,
  );
const [embedded, dates] = [await load('default'), await load('dates')];
const {signal} = new AbortController();
let [run, failed] = [0, 0];
/** The programs that read bert-base. @type {Record<string, string>} */
const trained = {};

for (const {id, steps} of lessons) {
  /** @type {Record<string, Step>} */
  const found = (await import(`../../web/lessons/${id}/steps.js`)).steps;
  for (const {id: name} of steps) {
    const step = found[name];
    const choices = step.choices ?? {};
    const sentences = [...step.sentences];
    const model = step.model === datesAddress ? dates : embedded;
    const data = await step.compute({lab: engine.lab, model, signal}, {sentences, choices});
    const program = programOf(step, data, choices, sentences);
    if (!program) continue;
    const whole = `${program.preamble}\n\n\n${program.code}\n`;
    if (!step.results) {
      trained[`${id}/${name}`] = whole;
      continue;
    }
    const folder = mkdtempSync(join(tmpdir(), 'bertscope-code-'));
    writeFileSync(join(folder, 'program.py'), whole);
    const {arrays, results} = program;
    try {
      writeFileSync(join(folder, 'bertscope-step.npz'), tensorsNpz({...arrays, ...results}));
      const names = Object.keys(results);
      const out = execFileSync(PYTHON, ['-c', HARNESS, names.join(',')], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const differences = /** @type {Record<string, number>} */ (JSON.parse(out));
      const worst = Math.max(...names.map((each) => differences[each] ?? Infinity));
      if (!(worst <= TOLERANCE)) throw new Error(`differs by ${worst}: ${out.trim()}`);
      run++;
      process.stdout.write(
        `${id}/${name}: ${names.join(', ')} by at most ${worst.toExponential(1)}\n`,
      );
    } catch (error) {
      failed++;
      const {message, stderr = ''} = /** @type {Error & {stderr?: string}} */ (error);
      process.stdout.write(
        `${id}/${name} FAILED: ${stderr.trim().split('\n').at(-1) || message}\n`,
      );
    }
  }
}
engine.dispose();

const count = Object.keys(trained).length;
const tokenizer = folderOf(models[0]);
if (existsSync(python) && existsSync(tokenizer)) {
  const out = execFileSync(python, ['-c', TRAINED, tokenizer], {
    input: JSON.stringify(trained),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const failures = Object.entries(/** @type {Record<string, string>} */ (JSON.parse(out)));
  for (const [name, why] of failures) process.stdout.write(`${name} FAILED: ${why}\n`);
  failed += failures.length;
  process.stdout.write(
    `${count - failures.length} programs run with a random model of bert-base’s sizes\n`,
  );
} else {
  const why = 'npm run check:published installs what they need';
  process.stdout.write(`${count} programs that read bert-base were not run: ${why}\n`);
}
process.stdout.write(`${run} programs compute what their step shows, ${failed} programs fail\n`);
process.exitCode = failed ? 1 : 0;
