/** The wasm module by itself, with a golden model in it. */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {NO_CHANGES} from '../../../web/engine/interventions.js';
import {parseConfig} from '../../../web/engine/files/model-config.js';
import {fromRoot, goldenFolder, inChunks, readAll} from '../support.js';

/** @import {Failure, ModelConfig, WasmModel, WasmModule} from '../../../web/engine/wasm-module.d.ts' */

const FOLDER = goldenFolder('odd-sizes');
export const config = parseConfig(`${readFileSync(`${FOLDER}/config.json`)}`, 'odd-sizes');
export const {tensors} = await readAll(
  inChunks(new Uint8Array(readFileSync(`${FOLDER}/model.safetensors`))),
);

const {default: createModule} = await import('#wasm/bertscope.js');
export const module = /** @type {WasmModule} */ (
  await createModule({
    wasmBinary: readFileSync(fromRoot('build/wasm/bertscope.wasm')),
    wasmMemory: new WebAssembly.Memory({initial: 256, maximum: 65536}),
    printErr: () => {},
  })
);
export const kernels = new module.Kernels(0, 0, 0);

/** @param {unknown} result */
export function failureOf(result) {
  const {code, message} = /** @type {Failure} */ (result ?? {});
  assert.equal(typeof message, 'string', `expected a failure, found ${result}`);
  return {code, message};
}

/** @param {WasmModel} model @param {Partial<Record<keyof ModelConfig, unknown>>} [changes] */
export const begin = (model, changes) =>
  model.begin(/** @type {ModelConfig} */ ({...config, ...changes}), 'int8', 'rotated');

/** @param {WasmModel} model @param {(value: number) => number} [change] Of each byte. */
export function load(model, change = (value) => value) {
  assert.equal(begin(model), null);
  for (const [name, {dtype, shape, bytes}] of tensors) {
    const wanted = model.beginTensor(name, dtype, shape);
    assert.equal(typeof wanted, 'boolean', name);
    // The least of the mantissa, so that all stay finite.
    assert.equal(model.append(bytes.map((value, at) => (at % 4 ? value : change(value)))), null);
    assert.equal(model.endTensor(), null);
  }
  assert.equal(model.finish(), null);
}

export function loadedModel() {
  const model = new module.Model(kernels);
  load(model);
  return model;
}

export const IDS = Int32Array.of(2, 7, 9, 3);
export const TYPES = Int32Array.of(0, 0, 0, 1);
export const LENGTHS = Int32Array.of(4);
export const CLASSES = {
  kinds: Uint8Array.of(1, 0, 0, 2),
  words: Int32Array.of(-1, 0, 1, -1),
  occurrences: Int32Array.of(-1, 0, 1, -1),
};

export function runModel() {
  const model = loadedModel();
  assert.equal(model.start(IDS, TYPES, LENGTHS, NO_CHANGES), null);
  for (let layer = 0; layer < config.layers; layer++) assert.equal(model.runLayer(layer), null);
  return model;
}
