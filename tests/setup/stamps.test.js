/** Tests which steps of `npm test` run again, with steps that do nothing in a repository of their own. */

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, beforeEach, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {runSteps} from '../../scripts/test/run-steps.mjs';
import {filesOf} from '../../scripts/test/stamps.mjs';
import {steps} from '../../scripts/test/steps.mjs';

/** @import {Step} from '../../scripts/test/steps.mjs' */

const root = mkdtempSync(join(tmpdir(), 'bertscope-stamps-'));
after(() => rmSync(root, {recursive: true}));

const write = (/** @type {string} */ name, /** @type {string} */ text) =>
  writeFileSync(join(root, name), text);
const green = {name: 'green', command: ['-c', 'true'], reads: ['src']};

beforeEach(() => {
  rmSync(root, {recursive: true});
  mkdirSync(join(root, 'src'), {recursive: true});
  write('src/a.txt', 'a');
  write('other.txt', 'other');
  write('.gitignore', 'build\nignored.txt\n');
  execFileSync('git', ['init', '--quiet'], {cwd: root});
  execFileSync('git', ['add', '.'], {cwd: root});
});

/** Names the steps that ran. @param {readonly Step[]} asked @param {{tools?: string, all?: boolean}} [options] */
async function ran(asked, {tools = 'tools', all} = {}) {
  const results = await runSteps(root, asked, {tools, all});
  return results.filter(({passed, failed}) => passed + failed).map(({name}) => name);
}

test('a step that passed runs again only when all are asked for', async () => {
  assert.deepEqual(await ran([green]), ['green']);
  assert.deepEqual(await ran([green]), []);
  assert.deepEqual(await ran([green], {all: true}), ['green']);
});

test('a changed, deleted or untracked file, another tool and another flag each let a step run again', async () => {
  await ran([green]);
  write('src/a.txt', 'changed');
  assert.deepEqual(await ran([green]), ['green']);
  write('src/new.txt', '');
  assert.deepEqual(await ran([green]), ['green']);
  rmSync(join(root, 'src/a.txt'));
  assert.deepEqual(await ran([green]), ['green']);
  assert.deepEqual(await ran([green], {tools: 'newer'}), ['green']);
  const flagged = {...green, command: ['-c', 'true', 'flag']};
  assert.deepEqual(await ran([flagged], {tools: 'newer'}), ['green']);
  assert.deepEqual(await ran([flagged], {tools: 'newer'}), []);
});

test('a file that the step does not read, or that git ignores, lets no step run again', async () => {
  await ran([green]);
  write('other.txt', 'changed');
  write('src/ignored.txt', '');
  assert.deepEqual(await ran([green]), []);
});

test('a step that failed, that skipped a test or whose files changed meanwhile runs again', async () => {
  for (const script of ['exit 1', 'echo "# skipped 1"', 'date +%N > src/a.txt']) {
    const step = {...green, command: ['-c', script]};
    assert.deepEqual(await ran([step]), ['green'], script);
    assert.deepEqual(await ran([step]), ['green'], script);
  }
});

test('a step that makes what another uses runs when that one does', async () => {
  const user = {name: 'user', command: ['-c', 'true'], reads: ['other.txt'], needs: ['green']};
  await ran([user, green]);
  write('other.txt', 'changed');
  assert.deepEqual(await ran([user, green]), ['user', 'green']);
  assert.deepEqual(await ran([user, green]), []);
});

test('every tracked file is read by at least one step', () => {
  const project = fileURLToPath(new URL('../../', import.meta.url));
  const read = new Set(steps.flatMap(({reads}) => filesOf(project, reads)));
  assert.deepEqual(
    filesOf(project, ['.']).filter((file) => !read.has(file)),
    [],
  );
});
