import assert from 'node:assert/strict';
import {test} from 'node:test';
import {checked} from '../../web/engine/options.js';

/** @typedef {{pair?: string, seed?: number, signal?: AbortSignal}} Options */

test('an option of another name is refused, and the message lists all options', () => {
  const misspelt = /** @type {Options} */ ({pair: 'a', sead: 1});
  assert.throws(() => checked('attend', misspelt, 'pair, seed and signal'), {
    code: 'bad-option',
    message: 'attend: expected the options pair, seed and signal, found sead',
  });
  for (const name of ['constructor', 'and', 'pair, seed', '']) {
    assert.throws(
      () => checked('attend', /** @type {Options} */ ({[name]: 1}), 'pair, seed and signal'),
      {code: 'bad-option'},
    );
  }
});

test('a caller who changes an object of options later does not change those of a call', () => {
  const options = /** @type {Options} */ ({pair: 'a', seed: undefined});
  const own = checked('attend', options, 'pair, seed and signal');
  options.pair = 'b';
  assert.deepEqual(own, {pair: 'a', seed: undefined});
});

test('what is no object of options is refused', () => {
  for (const options of /** @type {any[]} */ ([undefined, null, 5]))
    assert.throws(() => checked('attend', options, /** @type {any} */ ('pair and seed')), {
      code: 'bad-option',
      message: `attend: expected an object with the options pair and seed, found ${options}`,
    });
});
