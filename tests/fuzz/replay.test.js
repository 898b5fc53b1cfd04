import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** The memory that any file may take, besides twice the size that it states, in MB. */
const mostMegabytes = 64;
/** The sizes that files state which are large when they are unpacked, in MB. @type {Record<string, number>} */
const stated = {'overlapping-entries.npz': 100, 'float16-zeros.npz': 134};

for (const kind of ['archive', 'attention', 'checkpoint', 'gguf', 'pickle', 'tokenizer']) {
  for (const file of readdirSync(path(`corpus/${kind}`))) {
    test(
      `${kind}/${file} is refused in a sentence, in little memory`,
      {timeout: 20_000},
      async () => {
        const args = [path('replay.mjs'), kind, path(`corpus/${kind}/${file}`)];
        const {stdout} = await promisify(execFile)('node', args, {timeout: 15_000});
        const {outcome, megabytes} = JSON.parse(stdout);
        assert.notEqual(outcome, 'read');
        assert(outcome.length < 300, outcome);
        const most = mostMegabytes + 2 * (stated[file] ?? 0);
        assert(megabytes < most, `expected at most ${most} MB, found ${megabytes}`);
        console.log(`# ${kind}/${file}: ${megabytes.toFixed()} MB of ${most}`);
      },
    );
  }
}
