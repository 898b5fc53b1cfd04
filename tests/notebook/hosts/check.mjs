#!/usr/bin/env node
/**
 * Installs the wheel in an environment of its own, with what the Python registry has: JupyterLab, Notebook, marimo and
 * transformers. Then runs the tests of the package, with pytest, and those of the widget, in a browser without a network.
 */

import {execFileSync, spawnSync} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {makeEnvironment} from '../../published/prepare.mjs';
import {environment, python} from './environment.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));

if (!process.env.PYTHON) makeEnvironment(environment, `${here}requirements.txt`);
const wheels = readdirSync(`${root}dist/python`).map((name) => `${root}dist/python/${name}`);
/** @param {string[]} args */
const run = (...args) => execFileSync(python, ['-m', ...args], {stdio: 'inherit', cwd: root});

run('pip', 'install', '--quiet', '--no-deps', '--no-index', '--force-reinstall', ...wheels);
run('pytest', '--quiet', '-p', 'no:cacheprovider', 'tests/notebook/python');
run('mypy', '--strict', '--ignore-missing-imports', '--cache-dir=/dev/null', '-p', 'bertscope');

const tests = readdirSync(here).filter((name) => name.endsWith('.test.js'));
const reporter = `--test-reporter=${root}tests/support/failures-reporter.js`;
const {status} = spawnSync(
  process.execPath,
  ['--test', '--test-concurrency=1', '--test-timeout=600000', reporter, ...tests],
  {stdio: 'inherit', cwd: here},
);
process.exitCode = status ?? 1;
