#!/usr/bin/env node
/** Runs the PyTorch code of every step as a reader copies it, and compares what it computes with the step. */

import {execFileSync} from 'node:child_process';
import {mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createEngine} from '../../web/engine/index.js';
import {tensorsNpz} from '../../web/export/tensor-files.js';
import {lessons} from '../../web/lessons/index.js';
import {programOf} from '../../web/lessons/parts/step-program.js';
import {ThreadWorker} from '../engine/thread-worker.js';
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

/** The digits that the page prints and float32 holds; sums of a thousand products are rounded in another order. */
const TOLERANCE = 2e-5;

const engine = await createEngine({kernel: 'simd128'});
const model = await engine.load(
  new URL('../../web/models/default/bertscope-default.safetensors', import.meta.url).href,
);
const {signal} = new AbortController();
let [run, failed, compiled] = [0, 0, 0];

for (const {id, steps} of lessons) {
  /** @type {Record<string, Step>} */
  const found = (await import(`../../web/lessons/${id}/steps.js`)).steps;
  for (const {id: name} of steps) {
    const step = found[name];
    const choices = step.choices ?? {};
    const sentences = [...step.sentences];
    const data = await step.compute({lab: engine.lab, model, signal}, {sentences, choices});
    const program = programOf(step, data, choices, sentences);
    if (!program) continue;
    const folder = mkdtempSync(join(tmpdir(), 'bertscope-code-'));
    writeFileSync(join(folder, 'program.py'), `${program.preamble}\n\n\n${program.code}\n`);
    const {arrays, results} = program;
    try {
      if (!step.results) {
        // It reads bert-base, which is not here: only its grammar is checked.
        execFileSync(PYTHON, ['-m', 'py_compile', 'program.py'], {cwd: folder, encoding: 'utf8'});
        compiled++;
        continue;
      }
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
process.stdout.write(
  `${run} programs compute what their step shows, ${failed} do not; ${compiled} need bert-base and only compile\n`,
);
process.exitCode = failed ? 1 : 0;
