/** Tests how a worker's chunks take from its script what they share, by running what is written. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createContext, runInContext} from 'node:vm';
import {sharedByWorker} from '../../scripts/bundle/worker-chunks.mjs';

/** @param {string} fileName @param {string} code @param {string[]} [imports] @param {boolean} [isEntry] */
const chunk = (fileName, code, imports = [], isEntry = false) => {
  const name = fileName.replace(/\d*\.js$/, '');
  return {type: 'chunk', name, fileName, code, imports, isEntry};
};

/** @param {ReturnType<typeof chunk>[]} chunks @returns {Record<string, ReturnType<typeof chunk>>} */
function bundled(chunks) {
  const bundle = Object.fromEntries(chunks.map((each) => [each.fileName, each]));
  const {generateBundle} = /** @type {any} */ (sharedByWorker());
  generateBundle({}, bundle);
  return bundle;
}

/** @param {{code: string}[]} scripts @returns What the last one puts into `self.found`. */
function run(...scripts) {
  /** @type {{found: number[]}} */
  const self = {found: []};
  const context = createContext({self});
  for (const {code} of scripts) runInContext(`{${code}}`, context);
  return [...self.found];
}

test('a later chunk takes what it shares with a worker from its script', () => {
  const bundle = bundled([
    chunk('worker.js', 'import{o}from"./part.js";var w=o+1;export{w as x};', ['part.js'], true),
    chunk('part.js', 'var one=1;export{one as o};'),
    chunk('late.js', 'import{x as y}from"./worker.js";import{o}from"./part.js";self.found=[y,o];', [
      'worker.js',
      'part.js',
    ]),
  ]);
  assert.deepEqual(Object.keys(bundle), ['worker.js', 'late.js']);
  assert.deepEqual(run(bundle['worker.js'], bundle['late.js']), [2, 1]);
});

test('chunks of one name, and those whose names end alike, are kept apart', () => {
  const code =
    'import{a}from"./other-part.js";import{b}from"./part2.js";import{c}from"./part.js";self.found=[a,b,c];';
  const bundle = bundled([
    chunk('worker.js', code, ['part.js', 'part2.js', 'other-part.js'], true),
    chunk('part.js', 'var c=3;export{c};'),
    chunk('part2.js', 'var b=2;export{b};'),
    chunk('other-part.js', 'var a=1;export{a};'),
  ]);
  assert.deepEqual(run(bundle['worker.js']), [1, 2, 3]);
});

test('chunks that import each other are refused', () => {
  const chunks = [
    chunk('worker.js', 'import{a}from"./part.js";export{a as w};', ['part.js'], true),
    chunk('part.js', 'import{w}from"./worker.js";var a=w;export{a};', ['worker.js']),
  ];
  assert.throws(() => bundled(chunks), {
    message: 'worker.js: expected no chunk of it to import it, found worker.js, part.js',
  });
});
