/** Sets up tests of the models dialog: a hub with the golden models, and helpers that open models and wait for them. */

import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import {after, before} from 'node:test';
import {zipSync} from 'fflate';
import {openModel} from '../../scripts/cli/source.mjs';
import {goldenFolder, runtime} from '../engine/support.js';
import {eventually} from '../support/eventually.js';
import {serveHub} from '../support/hub-server.js';
import {server, userTest, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */

export const families = [
  'distilbert',
  'roberta',
  'xlm-roberta',
  'camembert',
  'electra-small',
  'albert',
  'odd-sizes',
];
export const text = '#text=the+cat+sat';

/** @type {Awaited<ReturnType<typeof serveHub>>} */
export let hub;
/** The folder of the hub's models. @type {string} */
export let root;

before(async () => {
  root = mkdtempSync(join(tmpdir(), 'bertscope-models-'));
  for (const name of families) copyGolden(name);
  makeSentenceTransformer('sentences');
  // The page offers this name, and this is another revision of a model.
  cpSync(join(root, 'odd-sizes'), join(root, 'bert-base-uncased'), {recursive: true});
  cpSync(join(root, 'roberta'), join(root, 'odd-sizes@v2'), {recursive: true});
  mkdirSync(join(root, 'quantized'));
  hub = await serveHub(root);
});
after(() => {
  hub?.close();
  rmSync(root, {recursive: true});
});

/**
 * Tests an act of a user on the page with a short text. The test may ask the hub for files that it does not have.
 *
 * @param {string} claim
 * @param {Parameters<typeof userTest>[1]} options
 * @param {(page: Page) => Promise<void>} act
 */
export const modelTest = (claim, options, act) =>
  userTest(claim, {hash: text, errors: /Failed to load resource/, ...options}, act);

/** Lists the files of a golden model that a reader of it has. @param {string} name */
export function filesOf(name) {
  const isText = (/** @type {string} */ file) => /\.(json|txt)$/.test(file);
  return readdirSync(goldenFolder(name)).filter(
    (file) => isText(file) || file === 'model.safetensors',
  );
}

/** Copies a golden model to the hub. @param {string} name @param {string} [copy] @returns the folder */
export function copyGolden(name, copy = name) {
  const folder = join(root, copy);
  mkdirSync(folder);
  for (const file of filesOf(name)) cpSync(join(goldenFolder(name), file), join(folder, file));
  return folder;
}

/**
 * Makes a folder like older sentence-transformers, where the model is one level deeper.
 *
 * @param {string} name
 * @returns the folder
 */
export function makeSentenceTransformer(name) {
  const folder = join(root, name);
  cpSync(join(root, 'odd-sizes'), join(folder, '0_Transformer'), {recursive: true});
  const modules = ['0_Transformer', '1_Pooling'].map((path, idx) => {
    return {idx, name: String(idx), path, type: 'sentence_transformers.models'};
  });
  writeFileSync(join(folder, 'modules.json'), JSON.stringify(modules));
  writeFileSync(join(folder, 'config.json'), '{"__version__": "0.2.0"}');
  mkdirSync(join(folder, '1_Pooling'));
  writeFileSync(join(folder, '1_Pooling/config.json'), '{"word_embedding_dimension": 60}');
  return folder;
}

/** Packs a folder of the hub into a zip archive. @param {string} name */
export function zipOf(name) {
  const files = readdirSync(join(root, name), {recursive: true, withFileTypes: true});
  const entries = files
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [`x/${relative(join(root, name), path)}`, new Uint8Array(readFileSync(path))]);
  return Buffer.from(zipSync(Object.fromEntries(entries)));
}

/** The quantized files of golden models. @type {Map<string, Promise<Buffer>>} */
const quantized = new Map();

/** Quantizes a golden model, once. @param {string} name */
export function quantizedFile(name) {
  const quantize = async () => {
    const model = await runtime.load(await openModel(goldenFolder(name)));
    return Buffer.concat([...model.quantizedFile()]);
  };
  const file = quantized.get(name) ?? quantize();
  quantized.set(name, file);
  return file;
}

/** Opens the models dialog. @param {Page} page */
export async function openManager(page) {
  await page.getByRole('button', {name: 'Models…'}).click();
  await page.getByRole('heading', {name: 'Models', exact: true}).waitFor();
}

/** @param {Page} page @param {string} name  the model's name on the hub, or an address */
export async function loadByName(page, name) {
  await openManager(page);
  const address = page.getByLabel('Address of the hub');
  if (!(await address.isVisible())) await page.getByText('Another hub, or a model').click();
  await address.fill(hub.url);
  await page.getByLabel('Name on the Hugging Face hub').fill(name);
  await page.getByRole('button', {name: 'Load', exact: true}).click();
}

/** Opens a model of the list of kept models. @param {Page} page @param {string} name */
export async function openKept(page, name) {
  await openManager(page);
  const entry = page.getByRole('listitem').filter({has: page.getByText(name, {exact: true})});
  await entry.getByRole('button', {name: 'Open'}).click();
}

/** Waits until a model's attention is drawn. @param {Page} page @param {string} name */
export async function waitForPicture(page, name) {
  await page.waitForFunction((name) => {
    const status = document.querySelector('#status')?.textContent ?? '';
    const scope = /** @type {any} */ (document.querySelector('bert-scope'));
    return status.startsWith(name) && scope.result && scope.shadowRoot.querySelector('canvas');
  }, name);
}

/**
 * Waits until a model's attention is drawn and the browser keeps the model, so that it stores nothing afterwards.
 *
 * @param {Page} page
 * @param {string} name
 */
export async function waitForModel(page, name) {
  await waitForPicture(page, name);
  const source = await page.evaluate(
    () => /** @type {any} */ (document.querySelector('bert-scope')).src,
  );
  if (source) await waitForKept(page, source);
}

/** Waits until the page's address names a model. @param {Page} page @param {string} source */
export async function waitForAddress(page, source) {
  await page.waitForFunction(
    (source) => new URLSearchParams(location.hash.slice(1)).get('model') === source,
    source,
  );
}

/** Shows each view, and waits until it is drawn. @param {Page} page */
export async function visitViews(page) {
  for (const view of ['Model', 'Neuron', 'Matrix', 'Head']) {
    await page.getByRole('radio', {name: view, exact: true}).check();
    await page.locator(`.${view.toLowerCase()}-view`).waitFor();
  }
}

/** Waits until one word is the text, in whatever pieces. @param {Page} page @param {string} word */
export async function waitForWord(page, word) {
  await page.waitForFunction((word) => {
    const {tokens} = /** @type {any} */ (document.querySelector('bert-scope')).result;
    return tokens.join('').replaceAll('##', '') === `[CLS]${word}[SEP]`;
  }, word);
}

/** Lists the tokens that each picture shows, as one text per picture. @param {Page} page */
export const drawnTokens = (page) =>
  page.evaluate(() => {
    const root = /** @type {any} */ (document.querySelector('bert-scope')).shadowRoot;
    return [...root.querySelectorAll('.head-view')].map((view) =>
      [...view.querySelectorAll('.query .piece')].map((piece) => piece.textContent).join(' '),
    );
  });

/** Lists what the browser keeps: the paths of weights and notes. @param {Page} page */
export const keptPaths = (page) =>
  page.evaluate(async () => {
    const keys = await (await caches.open('bertscope-models-1')).keys();
    return keys.map(({url}) => decodeURIComponent(new URL(url).pathname)).sort();
  });

/** Waits until a model is stored; its note is written last. @param {Page} page @param {string} source */
export async function waitForKept(page, source) {
  await eventually(`${source} to be kept`, async () => {
    const paths = await keptPaths(page);
    assert(paths.includes(`/note/${source}`), paths.join());
  });
}

/** Does something while the hub answers no request, and checks that none was made. @param {() => Promise<void>} act */
export async function withoutHub(act) {
  hub.faults.status = 503;
  hub.requests.length = 0;
  try {
    await act();
    assert.deepEqual(hub.requests, []);
  } finally {
    hub.faults.status = 200;
  }
}

/** @param {Page} page @param {string} prelude  the code that the engine's worker runs first */
export async function openWithWorker(page, prelude) {
  server.faults.workerPrelude = prelude;
  try {
    await page.goto(`${server.url}${text}`);
    await waitForTokens(page, ['[CLS]', 'the', 'cat', 'sat', '[SEP]']);
  } finally {
    server.faults.workerPrelude = '';
  }
}
