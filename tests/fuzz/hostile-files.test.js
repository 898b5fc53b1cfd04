/** Tests that every file that is built to harm is read or refused in a sentence, soon and in little memory. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {parseHubAddress} from '../../web/engine/hub-address.js';
import {modelAddress} from '../../web/engine/model-address.js';
import {BertscopeError} from '../../web/engine/errors.js';
import {parseAddress} from '../../web/page/address.js';
import {tries} from '../support/tries.js';
import {addresses, archives, arrayFiles, headers, pickles, tokenizers} from './hostile-files.js';
import {ggufs} from './hostile-ggufs.js';
import {outcomeOf} from './readers.js';

/** @import {Hostile} from './hostile-files.js' */

/** The time of the processor and the memory that any file may take, besides what the size that it states allows. */
const MOST_SECONDS = 2;
const MOST_MEGABYTES = 64;
/** A machine under load unpacks 100 MB in a second. */
const SECONDS_PER_BYTE = 1e-8;

/**
 * @param {number} stated  how many bytes a file states
 * @param {() => unknown} read
 */
async function inBudget(stated, read) {
  const cpu = process.cpuUsage();
  const before = process.resourceUsage().maxRSS;
  await read();
  const {user, system} = process.cpuUsage(cpu);
  const seconds = (user + system) / 1e6;
  const longest = MOST_SECONDS + SECONDS_PER_BYTE * stated;
  assert(seconds < longest, `expected less than ${longest} s, found ${seconds}`);
  const megabytes = (process.resourceUsage().maxRSS - before) / 1000;
  const most = MOST_MEGABYTES + (2 * stated) / 1e6;
  assert(megabytes < most, `expected less than ${most} MB, found ${megabytes}`);
}

/** @type {[keyof typeof import('./readers.js').readers, fc.Arbitrary<Hostile>][]} */
const kinds = [
  ['archive', archives],
  ['attention', arrayFiles],
  ['gguf', ggufs],
  ['pickle', pickles],
  ['safetensors', headers],
  ['tokenizer', tokenizers],
];
for (const [kind, files] of kinds) {
  test(`any ${kind} that states what is not so is read or refused soon, in little memory`, async () => {
    const property = fc.asyncProperty(files, async ({bytes, stated}) => {
      await inBudget(stated, async () => {
        const outcome = await outcomeOf(kind, bytes);
        assert(outcome.length < 700, outcome);
      });
    });
    await fc.assert(property, tries(150));
  });
}

test('any long address is read or refused soon', async () => {
  const property = fc.asyncProperty(addresses, (address) =>
    inBudget(address.length, () => {
      modelAddress(address);
      parseAddress(`#model=${address}`);
      parseAddress(address);
      try {
        parseHubAddress(address);
      } catch (error) {
        assert(error instanceof BertscopeError, String(error));
      }
    }),
  );
  await fc.assert(property, tries(300));
});
