/** The guide for contributors is true: the places that it names are there, and have every thing of their kind. */

import assert from 'node:assert/strict';
import {existsSync, readFileSync, statSync} from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {FAMILIES} from '../../web/engine/files/model-families.js';
import {measures} from '../../web/engine/measures.js';
import {methods} from '../../web/engine/methods.js';
import {lessons} from '../../web/lessons/index.js';
import {viewNames} from '../../web/scope/state-fields.js';
import {languageNames} from '../../web/strings/language.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const guide = readFileSync(`${root}.github/CONTRIBUTING.md`, 'utf8');
const languages = Object.keys(languageNames);

/** What the sections speak of, by their headings. @type {Record<string, string[]>} */
const things = {
  'A view': viewNames,
  'A measure of attention': Object.keys(measures),
  'An explanation method': Object.keys(methods),
  'A family of models': Object.keys(FAMILIES),
  'A lesson': lessons.map(({id}) => id),
  'A language': languages,
};

/** Files with some things of a kind: those that need what others do without. */
const withSome = [
  'web/views/styles.js',
  'web/lessons/styles.js',
  'scripts/reference/contributions.py',
  'scripts/reference/make_contributions_golden.py', // Gradients are PyTorch's own.
  'scripts/reference/make_decoder_golden.py', // and what BERT has stands in the file above.
  'scripts/reference/make_written_golden.py',
  'web/lessons/does-it-matter/steps.js', // ALTI-Logit is of decoders.
  'web/strings/*/lessons/does-it-matter.js',
  'web/docs/tables.md',
  'scripts/reference/make_transformers_golden.py', // Several families are one model of transformers.
  'src/model/family_names.cpp',
  'web/strings/*/models.js', // It says XLM-R.
  'src/model/config.h',
  'src/model/config.cpp',
  'web/engine/wasm-module.d.ts',
  'tests/engine/support.js',
  'tests/support/golden.cpp', // Encoder-decoders are tested with the whole engine.
  'web/attention/pronouns.js',
  'web/attention/findings.js',
  'web/strings/locale.js', // Most are written as their language is.
  'tests/browser/small-screens.test.js', // Chinese words are shorter.
  'tests/lessons/lessons.test.js', // Lessons that watch a whole model have no code.
  'tests/browser/hosting.test.js', // It counts bytes, and the documentation lessons.
  'web/strings/*/docs.js',
  'src/analysis/NAME.cpp', // Two measures are a line each.
];

/** The paths that a text names. In them `*` stands for a language, and NAME for a thing. @param {string} text */
const pathsIn = (text) =>
  [...text.matchAll(/`([\w.*/-]+)`/g)]
    .map(([, path]) => path)
    .filter((path) => /^(web|src|tests|scripts)\/|^\.dep|^CMake/.test(path));

/** @param {string} path @param {string} name */
const filesOf = (path, name) =>
  (path.includes('*') ? languages : ['']).map((language) =>
    path.replace('*', language).replace('NAME', name),
  );

/** A name as any language writes it. @param {string} text */
const bare = (text) => text.replace(/[^a-z0-9]/gi, '').toLowerCase();

/** Whether a text names a thing. Longer words have the letters of a short name. @param {string} text @param {string} name */
const names = (text, name) =>
  name.length > 3 ? bare(text).includes(bare(name)) : new RegExp(`\\b${name}\\b`, 'i').test(text);

test('every place that the guide names is there', () => {
  const paths = pathsIn(guide).filter((path) => !path.includes('NAME'));
  assert.ok(paths.length > 40);
  for (const path of paths)
    for (const file of filesOf(path, '')) assert.ok(existsSync(root + file), file);
});

for (const [heading, known] of Object.entries(things)) {
  test(`“${heading}”: what there is of it is in every place that the guide names`, () => {
    const [, text] = guide.split(`## ${heading}\n`);
    const paths = pathsIn(text.split('\n## ')[0]).filter((path) => !withSome.includes(path));
    assert.ok(paths.length > 0);
    for (const path of paths)
      for (const name of known)
        for (const file of filesOf(path, name)) {
          assert.ok(existsSync(root + file), `${name} has no ${file}`);
          if (path.includes('NAME') || statSync(root + file).isDirectory()) continue;
          assert.ok(names(readFileSync(root + file, 'utf8'), name), `${file} lacks ${name}`);
        }
  });
}
