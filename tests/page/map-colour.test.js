/** Tests which of the offers colours the map of heads. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {offerRelation, offerWord, showOffer} from '../../web/page/map-colour.js';

/** @param {string} name */
const statistic = (name) => /** @type {any} */ ({name, values: [0, 1]});
const ofWord = statistic('Links of “they”');
const ofRelation = statistic('Finds the verb of an object (obj)');

/** An element as far as the map is concerned. @returns {any} */
const scopeOf = () => ({
  statistic: 'word',
  mapped: null,
  model: {name: 'measured'},
  isSaved: false,
  compare: null,
  change(/** @type {object} */ changed) {
    Object.assign(this, changed);
  },
  requestUpdate() {
    showOffer(this);
  },
});

test('before anything is offered, what colours the map is not known', () => {
  const scope = scopeOf();
  showOffer(scope);
  assert.equal(scope.mapped, null);
});

test('a relation takes the place of the word and of a chosen statistic, until another is chosen', () => {
  const scope = scopeOf();
  offerWord(scope, ofWord);
  assert.equal(scope.mapped, ofWord);
  scope.statistic = 'entropy';
  offerWord(scope, ofWord);
  assert.equal(scope.mapped, undefined);
  offerRelation(scope, ofRelation);
  assert.deepEqual([scope.statistic, scope.mapped], ['word', ofRelation]);
  offerWord(scope, statistic('Links of “we”'));
  assert.equal(scope.mapped, ofRelation, 'also with another word');
  scope.statistic = 'entropy';
  showOffer(scope);
  assert.equal(scope.mapped, undefined);
});

for (const [what, changed] of /** @type {const} */ ([
  ['of another model', {model: {name: 'other'}}],
  ['of a file', {isSaved: true}],
  ['of a comparison', {compare: {mode: 'side'}}],
])) {
  test(`a relation does not colour the map ${what}`, () => {
    const scope = scopeOf();
    const {model, isSaved, compare} = scope;
    offerWord(scope, ofWord);
    offerRelation(scope, ofRelation);
    Object.assign(scope, changed);
    showOffer(scope);
    assert.equal(scope.mapped, ofWord);
    Object.assign(scope, {model, isSaved, compare});
    showOffer(scope);
    assert.equal(scope.mapped, ofRelation);
  });
}

test('a new measurement ends what was offered of the one before', () => {
  const scope = scopeOf();
  offerWord(scope, ofWord);
  offerRelation(scope, ofRelation);
  offerRelation(scope, null);
  assert.equal(scope.mapped, ofWord);
});
