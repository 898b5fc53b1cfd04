/**
 * Makes `dist/python/bertscope-….whl`, the Python package with everything inside, from what Vite built. A wheel is a zip
 * archive, so no tool of Python is needed.
 */

import {createHash} from 'node:crypto';
import {cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {zipSync} from 'fflate';
import {savedPage} from '../../web/export/embed-markup.js';

const path = (/** @type {string} */ relative) =>
  fileURLToPath(new URL(`../../${relative}`, import.meta.url));

const PACKAGE = path('web/notebook/python/bertscope');
const STATIC = path('build/notebook/static');
const OUT = path('dist/python');
/** Equal sources make equal files. */
const DATE = new Date(2000, 0, 1);

/** What the package needs: anywidget shows it in every notebook, and NumPy has the numbers. */
const REQUIREMENTS = ['anywidget>=0.9.6,<1', 'numpy>=1.22'];

const {version, description, license} = JSON.parse(readFileSync(path('package.json'), 'utf8'));
const name = `bertscope-${version}`;

gatherStatic();
const files = {
  ...filesIn(PACKAGE, 'bertscope'),
  ...filesIn(STATIC, 'bertscope/static'),
  [`${name}.dist-info/METADATA`]: Buffer.from(metadata()),
  [`${name}.dist-info/WHEEL`]: Buffer.from(
    'Wheel-Version: 1.0\nGenerator: bertscope\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  ),
  [`${name}.dist-info/licenses/LICENSE`]: readFileSync(path('LICENSE')),
};
const record = `${name}.dist-info/RECORD`;
const wheel = zipSync({...files, [record]: Buffer.from(recordOf(files))}, {mtime: DATE});
rmSync(OUT, {recursive: true, force: true});
mkdirSync(OUT, {recursive: true});
const file = `dist/python/${name}-py3-none-any.whl`;
writeFileSync(path(file), wheel);
console.log(`${file}: ${(wheel.length / 1e6).toFixed(1)} MB`);

/** Gathers the files of the package that are not Python. */
function gatherStatic() {
  rmSync(STATIC, {recursive: true, force: true});
  mkdirSync(STATIC);
  for (const built of ['widget.js', 'worker.js']) {
    cpSync(path(`build/notebook/${built}`), join(STATIC, built));
  }
  const frozen = path('build/frozen/bertscope-frozen.js');
  cpSync(frozen, join(STATIC, 'bertscope-frozen.js'));
  const models = path('web/models/default');
  const model = readdirSync(models).find((each) => each.endsWith('.safetensors'));
  if (!model) throw new Error(`${models}: expected a .safetensors model, found none`);
  cpSync(join(models, model), join(STATIC, 'bertscope-default.safetensors'));
  // The marks that page.py replaces.
  const page = savedPage({
    title: '@title@',
    language: 'en',
    attributes: {'data-attributes': '@attributes@'},
    json: '@snapshot@',
    script: readFileSync(frozen, 'utf8'),
  });
  writeFileSync(join(STATIC, 'picture.html'), page);
}

/** @param {string} folder @param {string} as @returns {Record<string, Buffer>} */
function filesIn(folder, as) {
  const entries = readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('__pycache__'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Object.fromEntries(
    entries.map((place) => [
      `${as}${place.slice(folder.length).replaceAll('\\', '/')}`,
      readFileSync(place),
    ]),
  );
}

function metadata() {
  return `Metadata-Version: 2.4
Name: bertscope
Version: ${version}
Summary: ${description.replace('browser', 'notebook')}
License-Expression: ${license}
License-File: LICENSE
Requires-Python: >=3.9
${REQUIREMENTS.map((requirement) => `Requires-Dist: ${requirement}\n`).join('')}Classifier: Framework :: Jupyter
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

${description.replace('browser', 'notebook')}. Everything is inside: nothing is fetched from a network.

    import bertscope

    bertscope.attention(tokens, output.attentions)
    scope = bertscope.live("time flies like an arrow", layer=3)
    scope                            # draws the widget
    scope.result.attention(3, 0)     # in a later cell: NumPy
`;
}

/** The hash and the size of each file. @param {Record<string, Uint8Array>} listed */
function recordOf(listed) {
  const lines = Object.entries(listed).map(([place, bytes]) => {
    const hash = createHash('sha256').update(bytes).digest('base64url');
    return `${place},sha256=${hash},${bytes.length}`;
  });
  return [...lines, `${record},,`, ''].join('\n');
}
