import assert from 'node:assert/strict';
import {test} from 'node:test';
import {readFile} from 'node:fs/promises';
import {Runtime} from '../../../web/engine/host/runtime.js';
import {openModel} from '../../../scripts/cli/source.mjs';
import {fromRoot, goldenFolder} from '../support.js';

const build = (/** @type {string} */ file) => readFile(fromRoot(`build/wasm/${file}`));

/**
 * @param {string} [plugin]
 * @param {import('../../../web/engine/host/runtime.js').Kernel} [kernel]
 */
async function createRuntime(plugin, kernel) {
  const {default: createModule} = await import('#wasm/bertscope.js');
  return Runtime.create(createModule, {
    kernel,
    wasmBinary: await build('bertscope.wasm'),
    relaxedBinary: plugin ? build(plugin) : undefined,
  });
}

async function attentionOf(/** @type {Runtime} */ runtime) {
  const model = await runtime.load(await openModel(goldenFolder('odd-sizes')));
  const {pass} = await model.attend('the cat sat on the mat');
  const heads = Array.from({length: model.shape.heads}, (_, head) => [2, head]);
  return Promise.all(heads.map((indices) => model.pull(pass, 'attention', indices)));
}

// The plug-ins under test bring a dot product of known behaviour in place of the relaxed one.
for (const [plugin, name] of [
  ['plugin-SignedDot.wasm', 'relaxed-signed'],
  ['plugin-UnsignedDot.wasm', 'relaxed-unsigned'],
  ['plugin-SaturatingDot.wasm', 'relaxed-saturating'],
]) {
  test(`a plug-in runs as ${name} and changes no bit of the attention`, async () => {
    const relaxed = await createRuntime(plugin, 'relaxed');
    assert.equal(relaxed.kernel, name);
    const simd128 = await createRuntime(plugin, 'simd128');
    assert.equal(simd128.kernel, 'simd128');
    assert.deepEqual(await attentionOf(relaxed), await attentionOf(simd128));
  });
}

test('simd128 runs where there is no plug-in, and a request for relaxed is refused', async () => {
  assert.equal((await createRuntime()).kernel, 'simd128');
  await assert.rejects(createRuntime(undefined, 'relaxed'), {code: 'kernel-unavailable'});
});

test('the plug-in imports the memory alone and brings no data', async () => {
  const bytes = await build('bertscope-relaxed.wasm');
  assert(bytes.length < 8192, `${bytes.length} bytes`);
  const sections = sectionIds(bytes);
  assert(sections.includes(10) && !sections.includes(11), `sections ${sections}`);
  assert(bytes.includes('memory') && !bytes.includes('__stack_pointer'));
});

/** The ids of a module's sections: 10 is code, 11 data (WebAssembly core specification, 5.5). */
function sectionIds(/** @type {Uint8Array} */ bytes) {
  const ids = [];
  for (let at = 8; at < bytes.length;) {
    ids.push(bytes[at++]);
    let size = 0;
    for (let shift = 0, more = true; more; shift += 7, at++) {
      size |= (bytes[at] & 127) << shift;
      more = bytes[at] > 127;
    }
    at += size;
  }
  return ids;
}
