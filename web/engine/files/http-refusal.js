/** Says in a sentence why a server refuses a file. */

import {BertscopeError} from '../errors.js';
import {shorten} from '../json.js';

/**
 * @param {string} url
 * @param {Response} response
 * @param {boolean} hadToken
 */
export function refusal(url, {status, headers}, hadToken) {
  const ofHub = hubRefusal(url, status, headers, hadToken);
  if (ofHub) return ofHub;
  const sentence = `${url}: expected a file to download, found HTTP status ${status}`;
  if (status === 401 || status === 403) {
    const how = hadToken
      ? 'the token that was given may not read it'
      : 'either there is nothing of this name, or reading it needs a login: check the name, give an access token, or download the files and drop them here';
    return new BertscopeError('login-needed', `${sentence}: ${how}`);
  }
  if (status === 404 || status === 410) {
    return new BertscopeError('not-found', `${sentence}: there is no such file`);
  }
  if (status === 429) {
    const wait = headers.get('retry-after');
    const when = wait ? `, again after ${shorten(wait)}` : '';
    const message = `${sentence}: the server wants fewer requests${when}`;
    return new BertscopeError('too-many-requests', message);
  }
  if (status >= 500) return new BertscopeError('server-error', `${sentence}: the server failed`);
  return new BertscopeError('download-failed', sentence);
}

/** A hub answers this to a token that it does not know. */
const BAD_TOKEN = 'Invalid credentials in Authorization header';
/**
 * A hub answers this to a reader who is not logged in, if no model has the name or the model is
 * private.
 */
const NO_LOGIN = 'Invalid username or password.';

/**
 * A hub states its reason in a header, and hides from those who are not logged in which models are
 * private. Other servers have no such header, or do not let pages of other origins read it.
 * Source: `hf_raise_for_status` in `utils/_http.py` of huggingface_hub.
 * @param {string} url
 * @param {number} status
 * @param {Headers} headers
 * @param {boolean} hadToken
 */
function hubRefusal(url, status, headers, hadToken) {
  const [, model = url, revision = ''] = /^(.+?)\/resolve\/([^/]+)\//.exec(url) ?? [];
  const code = headers.get('x-error-code');
  const message = headers.get('x-error-message');
  if (code === 'RepoNotFound' || (status === 401 && !code && message === NO_LOGIN)) {
    const how = hadToken
      ? 'check its spelling, and whether the token that was given may read it'
      : 'check its spelling (a private model needs an access token)';
    const sentence = `${model}: expected a model, found that there is no model of this name: ${how}`;
    return new BertscopeError('model-not-found', sentence);
  }
  if (code === 'RevisionNotFound') {
    const sentence = `${model}: expected the revision ${decoded(revision)}, found that this model has none of this name`;
    return new BertscopeError('revision-not-found', sentence);
  }
  if (code === 'GatedRepo') {
    const how = hadToken
      ? 'the account of the token has not accepted the terms, or has not been let in yet'
      : 'accept them on its page, then give an access token of the same account';
    const sentence = `${model}: expected a model that everyone may read, found one whose owner asks to accept terms first: ${how}`;
    return new BertscopeError('login-needed', sentence);
  }
  if (status === 401 && message === BAD_TOKEN) {
    const sentence = `${model}: expected an access token that the hub knows, found one that it does not`;
    return new BertscopeError('login-needed', sentence);
  }
  return undefined;
}

/** @param {string} part A part of an address. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
