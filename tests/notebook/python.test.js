import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {PYTHON} from '../support/python.js';

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));

test('the parts of the Python package that need no notebook pass their tests', () => {
  const {status, stderr} = spawnSync(PYTHON, ['-m', 'unittest', 'discover', '-s', path('python')], {
    env: {
      ...process.env,
      PYTHONPATH: path('../../web/notebook/python'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  assert.match(stderr, /^Ran [1-9]\d* tests/m);
  assert.doesNotMatch(stderr, /skipped/);
});
