/** Serves golden models from a hub, as a reader of the page finds them, and as zip archives and quantized files. */

import assert from 'node:assert/strict';
import {
  cpSync,
  ftruncateSync,
  closeSync,
  openSync,
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
import {families, filesOf, goldenFolder, runtime} from '../engine/support.js';
import {serveHub} from '../support/hub-server.js';
import {openManager} from './models.js';
import {userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

export const text = '#text=the+cat+sat&layer=0';

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

/** How many bytes a large model has besides those of a golden one. */
const UNUSED_BYTES = 120e6;

/**
 * Makes a model whose download is large: its last tensor, which no model uses, is a hole in the file.
 *
 * @param {string} name
 */
export function makeLarge(name) {
  const path = join(copyGolden('odd-sizes', name), 'model.safetensors');
  const bytes = readFileSync(path);
  const length = Number(bytes.readBigUint64LE(0));
  const header = JSON.parse(bytes.toString('utf8', 8, 8 + length));
  const data = bytes.subarray(8 + length);
  const end = data.length + UNUSED_BYTES;
  header.unused = {dtype: 'F32', shape: [UNUSED_BYTES / 4], data_offsets: [data.length, end]};
  const text = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUint64LE(BigInt(text.length));
  const file = openSync(path, 'w');
  writeFileSync(file, Buffer.concat([size, text, data]));
  ftruncateSync(file, 8 + text.length + end);
  closeSync(file);
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

/** @param {Page} page @param {string} name  the model's name on the hub, or an address */
export async function loadByName(page, name) {
  await openManager(page);
  const address = page.getByLabel('Address of the hub');
  if (!(await address.isVisible())) await page.getByText('Another hub, or a model').click();
  await address.fill(hub.url);
  await page.getByLabel('Name on the Hugging Face hub').fill(name);
  await page.getByRole('button', {name: 'Load', exact: true}).click();
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
