import assert from 'node:assert/strict';
import {test} from 'node:test';
import {alignmentRemark, comparisonOf, nameBeside} from '../../web/scope/comparison.js';
import {choiceOf, passOf} from './passes.js';

/** @import {Pass} from '../../web/session/pass.js' */

const before = passOf('[CLS] time flies [SEP]');
const after = passOf('[CLS] fruit flies [SEP]');
const small = passOf('[CLS] time flies [SEP]', {layers: 1, heads: 2});

/** Names the model of a pass. @param {Pass} pass @param {string} model @returns {Pass} */
const madeBy = (pass, model) => {
  const about = {text: '', model, interventions: '', measure: '', name: '', shown: ''};
  return {...pass, snapshot: {...pass.snapshot, about}};
};

/** @param {Pass} pass @param {'side' | 'difference'} mode */
const baselineOf = (pass, mode) => ({pass, mode});

test('side by side nothing is subtracted, and the picture is named after the inspected pass', () => {
  const comparison = comparisonOf(baselineOf(before, 'side'), after, 'head', choiceOf(), false);
  assert.equal(comparison.subtraction, null);
  assert.equal(comparison.inspected.pass, after);
  assert.equal(comparison.pictureName, after.name);
  assert.deepEqual(
    comparison.passes.map(({pass}) => pass),
    [before, after],
  );
});

test('the reader may inspect the baseline', () => {
  const comparison = comparisonOf(baselineOf(before, 'side'), after, 'head', choiceOf(), true);
  assert.equal(comparison.inspected.pass, before);
});

test('the pass that has the chosen head is inspected in place of one that lacks it', () => {
  const choice = choiceOf({layer: 1, heads: [2]});
  const comparison = comparisonOf(baselineOf(before, 'side'), small, 'head', choice, false);
  assert.equal(comparison.inspected.pass, before);
  assert.equal(comparison.passes[1].lacksChosen, true);
});

test('a difference is named after both passes', () => {
  const comparison = comparisonOf(
    baselineOf(before, 'difference'),
    after,
    'head',
    choiceOf(),
    false,
  );
  assert.equal(comparison.subtraction?.problem, '');
  assert.ok(comparison.pictureName.startsWith(after.name));
  assert.ok(comparison.pictureName.endsWith(before.name));
});

test('heads that only one model has get a sentence in place of a difference', () => {
  const choice = choiceOf({layer: 1, heads: [2]});
  const {subtraction, pictureName} = comparisonOf(
    baselineOf(small, 'difference'),
    before,
    'head',
    choice,
    false,
  );
  assert.notEqual(subtraction?.problem, '');
  assert.equal(pictureName, before.name);
});

test('texts without a common word have no difference', () => {
  const other = passOf('completely different words here');
  const longer = passOf('a b');
  const {subtraction} = comparisonOf(
    baselineOf(longer, 'difference'),
    other,
    'head',
    choiceOf(),
    false,
  );
  assert.notEqual(subtraction?.problem, '');
});

test('the names of two models distinguish passes of one text', () => {
  const [bert, roberta] = [madeBy(before, 'bert'), madeBy(before, 'roberta')];
  assert.equal(nameBeside(bert, roberta), `bert: ${before.name}`);
  assert.equal(nameBeside(bert, madeBy(after, 'bert')), before.name);
  const {passes} = comparisonOf(baselineOf(bert, 'side'), roberta, 'head', choiceOf(), false);
  assert.deepEqual(
    passes.map(({name}) => name),
    ['bert', 'roberta'],
  );
});

test('a remark names the words that only one text has', () => {
  const longer = passOf('[CLS] time often flies [SEP]');
  const remark = alignmentRemark(baselineOf(before, 'difference'), longer, 'matrix', choiceOf());
  assert.match(remark, /often/);
  const same = alignmentRemark(baselineOf(before, 'difference'), after, 'matrix', choiceOf());
  assert.equal(same, '');
});
