/** Tests what a reader learns when a hub or a connection fails. */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {loadGolden, runtime} from '../support.js';
import {attentionOf, hub, load, open, root} from './served-models.js';

/** @import {BertscopeError} from '../../../web/engine/errors.js' */

for (const [how, status, reason] of /** @type {[string, number, RegExp][]} */ ([
  ['no further answer', 200, /found (no answer|the connection closed|terminated)/],
  ['a server that fails', 503, /found HTTP status 503: the server failed/],
  ['the file gone', 404, /found HTTP status 404: there is no such file/],
])) {
  test(`an error names the place where the connection broke for good, with ${how}, and the next load succeeds`, async () => {
    const before = await load('odd-sizes');
    const bytes = readFileSync(join(root, 'odd-sizes', 'model.safetensors')).length;
    for (let tenth = 1; tenth < 10; tenth++) {
      const at = Math.floor((bytes * tenth) / 10);
      // Every try may lose bytes that had come, so the connection breaks there many times.
      hub.faults.cuts = Array(50).fill(at);
      const source = await open('odd-sizes');
      hub.faults.status = status;
      /** @type {BertscopeError} */
      const error = await runtime.load(source).then(
        () => assert.fail('it loaded'),
        (error) => error,
      );
      assert.equal(error.code, status === 404 ? 'not-found' : 'read-failed');
      const [, path, whole, found, why] =
        /^(\S+): expected (\d+) bytes, found the connection broken after (\d+) and the rest not available \((.+)\)$/.exec(
          error.message,
        ) ?? assert.fail(error.message);
      assert.equal(path, `${hub.url}/someone/odd-sizes/resolve/main/model.safetensors`);
      assert.equal(Number(whole), bytes);
      assert(Number(found) > 0 && Number(found) <= at, `${found} of ${at}`);
      assert.match(why, reason);
      Object.assign(hub.faults, {cuts: [], status: 200});
    }
    // A connection that breaks before its first byte counts as no answer.
    hub.faults.cuts = Array(50).fill(0);
    await assert.rejects(load('odd-sizes'), {
      code: 'no-answer',
      message: /model\.safetensors: expected a file to download, found no answer/,
    });
    hub.faults.cuts = [];
    assert.deepEqual(await attentionOf(await load('odd-sizes')), await attentionOf(before));
  });
}

test('a file from a server without ranges is read again from the start', async () => {
  hub.faults.cuts = [200_000];
  hub.faults.ranges = false;
  const model = await load('odd-sizes');
  assert.deepEqual(await attentionOf(model), await attentionOf(await loadGolden('odd-sizes')));
});

test('a file that changed while its connection was broken is refused', async () => {
  hub.faults.cuts = [100_000];
  const again = await open('odd-sizes');
  hub.faults.tag = '"2"';
  await assert.rejects(runtime.load(again), {code: 'file-changed', message: /its ETag changed/});
});

for (const [status, code, message] of /** @type {[number, string, RegExp][]} */ ([
  [
    401,
    'login-needed',
    /status 401: either there is nothing of this name, or reading it needs a login/,
  ],
  [403, 'login-needed', /status 403: either there is nothing of this name, or reading it needs a/],
  [404, 'not-found', /hub:someone\/odd-sizes: expected a model at .*, found no config.json there/],
  [429, 'too-many-requests', /the server wants fewer requests, again after 30/],
  [500, 'server-error', /status 500: the server failed/],
])) {
  test(`HTTP status ${status} is reported in a sentence`, async () => {
    hub.faults.status = status;
    await assert.rejects(load('odd-sizes'), {code, message});
  });
}

test('an access token opens a private model, and is not sent to the host that its files lie on', async () => {
  hub.faults.token = 'secret';
  hub.downloads.length = 0;
  await assert.rejects(load('odd-sizes'), {
    code: 'model-not-found',
    message: /there is no model of this name: .*\(a private model needs an access token\)/,
  });
  await assert.rejects(load('odd-sizes', {token: 'other'}), {
    code: 'login-needed',
    message: /expected an access token that the hub knows, found one that it does not/,
  });
  await load('odd-sizes', {token: 'secret'});
  assert.deepEqual(hub.downloads, ['/odd-sizes/model.safetensors']);
});

test('a name that no model has is told from a model that needs a login', async () => {
  const address = `${hub.url}/someone/odd-size`;
  await assert.rejects(load('odd-size'), {
    code: 'model-not-found',
    message: `${address}: expected a model, found that there is no model of this name: check its spelling (a private model needs an access token)`,
  });
  await assert.rejects(load('odd-size', {token: 'any'}), {
    code: 'model-not-found',
    message: /there is no model of this name: check its spelling, and whether the token/,
  });
});

test('a model that its owner gives to some is told from one that is not there', async () => {
  hub.faults.gate = 'friend';
  await assert.rejects(load('odd-sizes'), {
    code: 'login-needed',
    message: /asks to accept terms first: accept them on its page, then give an access token/,
  });
  await assert.rejects(load('odd-sizes', {token: 'stranger'}), {
    code: 'login-needed',
    message: /the account of the token has not accepted the terms/,
  });
  await load('odd-sizes', {token: 'friend'});
});

test('a revision that a model does not have is named', async () => {
  await assert.rejects(load('odd-sizes@v3'), {
    code: 'revision-not-found',
    message: `${hub.url}/someone/odd-sizes: expected the revision v3, found that this model has none of this name`,
  });
});
