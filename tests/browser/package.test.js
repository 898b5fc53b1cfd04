import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {build} from 'vite';
import {browser} from './support.js';
import {serve} from './server.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folder of a project that uses the package. @type {string} */
let project;
/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

/** Installs the packed package as npm does, without asking a registry for what it depends on. */
before(async () => {
  project = await mkdtemp(join(tmpdir(), 'bertscope-package-'));
  const modules = join(project, 'node_modules');
  const {stdout} = await run('npm', ['pack', '--json', '--pack-destination', project], {cwd: root});
  const [{filename, size, unpackedSize, dependencies}] = JSON.parse(stdout);
  console.log(
    `# ${filename}: ${(size / 1e6).toFixed(1)} MB, unpacked ${(unpackedSize / 1e6).toFixed(1)} MB`,
  );
  assert.equal(dependencies, undefined);
  await mkdir(join(modules, 'bertscope'), {recursive: true});
  await run('tar', [
    '-xzf',
    join(project, filename),
    '--strip-components=1',
    '-C',
    join(modules, 'bertscope'),
  ]);
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (!name.startsWith('.')) await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  server = await serve(project);
});

after(async () => {
  server?.close();
  await rm(project, {recursive: true, force: true});
});

/** Opens a page of the project, and reads the attention that it computed. @param {string} path @param {string} kernel */
async function attentionOn(path, kernel) {
  const page = await browser.newPage();
  const failures = /** @type {string[]} */ ([]);
  page.on('pageerror', ({message}) => failures.push(message));
  await page.goto(`${server.url}${path}?kernel=${kernel}`);
  await page.waitForFunction(() => 'seen' in window || 'failure' in window).catch(() => {});
  const seen = await page.evaluate(() => /** @type {any} */ (window).seen);
  assert.deepEqual(failures, []);
  await page.locator('bert-scope .query .piece', {hasText: 'chat'}).waitFor();
  await page.locator('#view .query .piece', {hasText: 'dort'}).waitFor();
  await page.close();
  return seen;
}

const html = (/** @type {string} */ head) => `<!doctype html><meta charset="utf-8">
<link rel="icon" href="data:,">
<bert-scope><script type="application/json">${JSON.stringify({
  tokens: ['le', 'chat'],
  attention: [
    [
      [
        [0.25, 0.75],
        [1, 0],
      ],
    ],
  ],
})}</script></bert-scope>
<div id="view"></div>
${head}`;

const model = './node_modules/bertscope/dist/lib/bertscope-default.safetensors';

/** Writes a script that uses all three entries as their documentation does. */
const script = (/** @type {string} */ address) => `
import {createEngine} from 'bertscope';
import 'bertscope/element';
import {createSnapshot, headView, tokenStyle, viewStyles} from 'bertscope/views';

const root = document.querySelector('#view').attachShadow({mode: 'open'});
root.innerHTML = '<style>' + [tokenStyle, ...viewStyles].join('') + '</style>';
const snapshot = createSnapshot({
  tokens: ['il', 'dort'], layers: 1, heads: 1, attention: () => Float32Array.of(0.5, 0.5, 1, 0),
});
const selection = {layer: 0, heads: [0], filter: 'all', token: null};
const nothing = () => {};
root.append(headView({snapshot, selection, dark: false}, {onPin: nothing, onSelect: nothing, onOpen: nothing}));

const engine = await createEngine({kernel: new URLSearchParams(location.search).get('kernel')});
const loaded = await engine.load(${address});
const result = await loaded.attend('time flies like an arrow');
const attention = [];
for (let layer = 0; layer < loaded.shape.layers; layer++) attention.push(...(await result.attention(layer, 3)));
window.seen = {kernel: engine.kernel, tokens: result.tokens.length, layers: loaded.shape.layers, attention};
engine.dispose();
`;

test('the package has the engine, the element, the views and their types, and each model once', async () => {
  const lib = await readdir(join(project, 'node_modules/bertscope/dist/lib'));
  for (const name of [
    'bertscope.js',
    'element.js',
    'views.js',
    'worker.js',
    'attention-worker.js',
    'types',
  ]) {
    assert(lib.includes(name), `${name} is missing among ${lib}`);
  }
  const {stdout} = await run('find', [
    join(project, 'node_modules/bertscope'),
    '-name',
    '*.safetensors',
  ]);
  const models = stdout
    .trim()
    .split('\n')
    .map((path) => basename(path));
  assert.deepEqual(models.sort(), ['bertscope-dates.safetensors', 'bertscope-default.safetensors']);
});

test('a plain page uses the package through an import map, and its kernels agree bit for bit', async () => {
  const imports = {
    bertscope: './node_modules/bertscope/dist/lib/bertscope.js',
    'bertscope/element': './node_modules/bertscope/dist/lib/element.js',
    'bertscope/views': './node_modules/bertscope/dist/lib/views.js',
  };
  const code = script(`'${model}'`);
  const map = `<script type="importmap">${JSON.stringify({imports})}</script>`;
  await writeFile(
    join(project, 'plain.html'),
    html(`${map}<script type="module">${code}</script>`),
  );
  const simd128 = await attentionOn('plain.html', 'simd128');
  assert.equal(simd128.kernel, 'simd128');
  const {layers, tokens, attention} = simd128;
  assert.equal(attention.length, layers * tokens * tokens);
  for (let start = 0; start < attention.length; start += tokens) {
    const sum = attention
      .slice(start, start + tokens)
      .reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b);
    assert(Math.abs(sum - 1) < 1e-5, `a row sums to ${sum}`);
  }
  // The kernel depends on the chip: x86 without AVX-VNNI has no exact relaxed product.
  const auto = await attentionOn('plain.html', 'auto');
  assert.match(auto.kernel, /^(simd128(-bytes)?|relaxed-(unsigned|signed|saturating))$/);
  assert.deepEqual(auto.attention, attention);
});

test('a Vite project bundles the package with worker, binaries and model', async () => {
  await mkdir(join(project, 'app'));
  await symlink(join(project, 'node_modules'), join(project, 'app/node_modules'));
  const code = script('model').replace(
    'import {',
    "import model from 'bertscope/model?url';\nimport {",
  );
  await writeFile(join(project, 'app/main.js'), code);
  await writeFile(
    join(project, 'app/index.html'),
    html('<script type="module" src="./main.js"></script>'),
  );
  await build({
    root: join(project, 'app'),
    base: './',
    configFile: false,
    logLevel: 'error',
    build: {target: 'es2022', outDir: join(project, 'built')},
    worker: {format: 'es'},
  });
  // The bundle is served from another folder, so that it cannot find the package's files by chance.
  await cp(join(project, 'built'), join(project, 'hosted'), {recursive: true});
  const seen = await attentionOn('hosted/index.html', 'auto');
  assert.equal(seen.attention.length, seen.layers * seen.tokens ** 2);
});

test('the types of the package check a program that uses it', async () => {
  const use = `
    import {createEngine} from 'bertscope';
    import {BertScope} from 'bertscope/element';
    import 'bertscope/frozen';
    import {createSnapshot, headView} from 'bertscope/views';
    const engine = await createEngine({kernel: 'auto'});
    const model = await engine.load('model.safetensors');
    const result = await model.attend('a', {pair: 'b'});
    const weights: Float32Array = await result.attention(0, 0);
    const scope: BertScope = document.createElement('bert-scope') as BertScope;
    scope.textPair = 'x';
    const snapshot = createSnapshot({tokens: ['a'], layers: 1, heads: 1, attention: () => weights});
    const view: Function = headView;
    // @ts-expect-error a layer is a number
    await result.attention('0', 0);
    export {snapshot, view};
  `;
  await writeFile(join(project, 'use.ts'), use);
  const settings = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom,dom.iterable', '--types', '', 'use.ts']; // prettier-ignore
  const tsc = join(root, 'node_modules/@typescript/native/lib/tsc.js');
  const {stdout} = await run('node', [tsc, ...settings], {cwd: project}).catch((error) => error);
  assert.equal(stdout, '');
});
