import assert from 'node:assert/strict';
import {cpSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, afterEach, test} from 'node:test';
import {FAMILIES} from '../../web/engine/files/model-families.js';
import {isPartOfName, RUNNABLE, searchHub} from '../../web/engine/hub-search.js';
import {NO_FAULTS, serveHub} from '../support/hub-server.js';
import {fromRoot} from './support.js';

const root = mkdtempSync(join(tmpdir(), 'bertscope-search-'));
for (const name of ['roberta', 'odd-sizes', 'albert'])
  cpSync(fromRoot(`tests/golden/${name}`), join(root, name), {recursive: true});
cpSync(join(root, 'roberta'), join(root, 'gpt'), {recursive: true});
writeFileSync(join(root, 'gpt', 'config.json'), '{"model_type": "xlnet"}');
const hub = await serveHub(root);
after(() => {
  hub.close();
  rmSync(root, {recursive: true});
});
afterEach(() => Object.assign(hub.faults, NO_FAULTS));

const endpoint = `${hub.url}/`;

test('the names that contain a text are found, of models that run here', async () => {
  assert.deepEqual(await searchHub('rober', {endpoint}), ['someone/roberta']);
  const all = await searchHub('someone', {endpoint});
  assert.deepEqual(all.sort(), ['someone/albert', 'someone/odd-sizes', 'someone/roberta']);
});

test('an address is no part of a name, whether of a model or of another page of the hub', () => {
  for (const text of ['be', 'google-bert/bert-base', 'huggingface', 'hf.co'])
    assert(isPartOfName(text), text);
  const addresses = [
    'huggingface.co/a/b',
    'www.huggingface.co/a/b/tree/main',
    'hf.co/a/b',
    'hf.co/settings/tokens',
    'https://mirror.test/a/b',
  ];
  for (const text of ['b', 'hub:a/b', 'a/b@v2', 'a b', ...addresses])
    assert(!isPartOfName(text), text);
});

test('models of every family that runs here are found', () => {
  assert.deepEqual([...RUNNABLE].sort(), Object.keys(FAMILIES).sort());
});

test('a host without a search, and one that answers something else, suggest nothing', async () => {
  hub.faults.isHub = false;
  assert.deepEqual(await searchHub('rober', {endpoint}), []);
  const {fetch} = globalThis;
  const answers = ['{}', 'null', '[1, null, {}, {"id": "a/b"}, {"id": "../x", "tags": ["bert"]}]'];
  try {
    for (const answer of answers) {
      globalThis.fetch = async () => new Response(answer);
      assert.deepEqual(await searchHub('a', {endpoint}), [], answer);
    }
  } finally {
    globalThis.fetch = fetch;
  }
});
