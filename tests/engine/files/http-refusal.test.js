import assert from 'node:assert/strict';
import {test} from 'node:test';
import {openHttpFile} from '../../../web/engine/files/http-file.js';

const URL_OF_FILE = 'https://hub.test/a/b/resolve/v2/config.json';

/**
 * @param {number} status
 * @param {Record<string, string>} headers
 * @param {string} [token]
 * @param {string} [url]
 */
async function refusalOf(status, headers, token, url = URL_OF_FILE) {
  const started = Promise.resolve(new Response(null, {status, headers}));
  return openHttpFile(url, {started, token}).then(
    () => assert.fail('it was opened'),
    (/** @type {import('../../../web/engine/errors.js').BertscopeError} */ error) => error,
  );
}

for (const [what, status, headers, code, says] of /** @type {const} */ ([
  [
    'a name without a model',
    401,
    {'x-error-code': 'RepoNotFound'},
    'model-not-found',
    /no model of this name/,
  ],
  [
    'the same to an account',
    404,
    {'x-error-code': 'RepoNotFound'},
    'model-not-found',
    /no model of this name/,
  ],
  [
    'the same without a code',
    401,
    {'x-error-message': 'Invalid username or password.'},
    'model-not-found',
    /no model of this name/,
  ],
  [
    'a revision',
    404,
    {'x-error-code': 'RevisionNotFound'},
    'revision-not-found',
    /the revision v2, found/,
  ],
  ['a file', 404, {'x-error-code': 'EntryNotFound'}, 'not-found', /there is no such file/],
  [
    'a model behind a gate',
    401,
    {'x-error-code': 'GatedRepo'},
    'login-needed',
    /accept terms first/,
  ],
  [
    'a model behind a closed gate',
    403,
    {'x-error-code': 'GatedRepo'},
    'login-needed',
    /accept terms first/,
  ],
  [
    'an answer without reasons',
    401,
    {},
    'login-needed',
    /either there is nothing of this name, or reading it needs a login/,
  ],
  [
    'a ban without reasons',
    403,
    {},
    'login-needed',
    /either there is nothing of this name, or reading it needs a login/,
  ],
])) {
  test(`a hub’s refusal of ${what} (${status}) is ${code}`, async () => {
    const error = await refusalOf(status, headers);
    assert.equal(error.code, code);
    assert.match(error.message, says);
    assert.match(error.message, /^https:\/\/hub\.test\/a\/b/);
    // A typing error is never reported as a missing login.
    if (code === 'model-not-found') assert.doesNotMatch(error.message, /login/);
  });
}

test('a token that a hub does not know is named', async () => {
  const headers = {'x-error-message': 'Invalid credentials in Authorization header'};
  const error = await refusalOf(401, headers, 'old');
  assert.match(error.message, /expected an access token that the hub knows/);
});

for (const [part, revision] of [
  ['refs%2Fpr%2F1', 'refs/pr/1'],
  ['%E0%A4', '%E0%A4'],
]) {
  test(`a revision that is ${part} in the address is named ${revision}`, async () => {
    const url = URL_OF_FILE.replace('v2', part);
    const error = await refusalOf(404, {'x-error-code': 'RevisionNotFound'}, undefined, url);
    assert.match(error.message, new RegExp(`expected the revision ${revision}, found`));
  });
}
