import assert from 'node:assert/strict';
import {test} from 'node:test';
import {failureText} from '../../web/scope/model-messages.js';
import {strings} from '../../web/strings/index.js';
import {liveStrings} from '../../web/strings/live.js';

const {running: words} = liveStrings;

/** @param {string | undefined} code */
const failure = (code) => Object.assign(new Error('why'), {code});

test('a failure is explained by its kind, and a request for consent is said as it is', () => {
  for (const isLoaded of [false, true]) {
    const said = (/** @type {string} */ code) => failureText(failure(code), isLoaded);
    assert.equal(said('consent-needed'), 'why');
    assert.equal(said('no-wasm-simd'), words.noSimd);
    assert.equal(said('engine-unavailable'), words.noEngine('why'));
    assert.equal(said('bad-intervention'), words.changeFailed('why'));
  }
  assert.equal(failureText(failure(undefined), true), words.runFailed('why'));
  assert.equal(failureText(failure('bad-checkpoint'), false), strings.scope.loadFailed('why'));
});
