/** Tests how much a page downloads for the engine alone, from the built library. */

import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {brotliCompressSync} from 'node:zlib';
import {engineFiles, LIBRARY} from '../bench/payload.mjs';

/** Eigen's part is 16 kB, most of it the eigenvectors of the map of heads; the links between words are 1.3 kB, GPT-NeoX 0.7 kB, the slower rotations of Llama 3.1 0.8 kB, and the heads that copy, answers that are set against others and the names of GGUF 0.5 kB. Biases by distance, heads of any size with norms, and the names of Qwen3, MPNet and T5 are 3.4 kB, vectors of distances with the names of DeBERTa 2.0 kB, beams 0.5 kB. What explains decoders is 6.6 kB: a float32 pass and its gradients through every choice of a block, the parts of a logit, and ALTI-Logit. ALTI+ is 3.6 kB: that pass through cross attention, and what follows both texts. Gradients of what an encoder-decoder writes and Value Zeroing of both its attentions are 2.7 kB: a float32 pass of both sides, and the way back through cross attention into the encoder; the bridge that attention files share is 0.2 kB. Rows of one token, causal runs and the search for links are 1 kB, classifiers of tokens and ModernBERT's of texts 2 kB, what distances add to the scores of a head 0.3 kB. */
const LIMIT = 210e3;
const LIMIT_OF_PLAIN_WASM = 413e3;

test('library, worker and binaries together are at most 210 kB after brotli', async () => {
  const files = await engineFiles();
  const contents = await Promise.all(files.map((name) => readFile(join(LIBRARY, name))));
  const sizes = contents.map((content) => brotliCompressSync(content).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const list = files.map((name, i) => `${name} ${sizes[i]}`).join(', ');
  console.log(`# ${total} bytes: ${list}`);
  assert(total <= LIMIT, `expected at most ${LIMIT} bytes, found ${total}: ${list}`);
});

test('the WebAssembly is at most 413 kB before compression', async () => {
  const {length} = await readFile(join(LIBRARY, 'bertscope.wasm'));
  assert(length <= LIMIT_OF_PLAIN_WASM, `expected at most 413 kB, found ${length} bytes`);
});
