import assert from 'node:assert/strict';
import {test} from 'node:test';
import {plainDisplay} from '../../web/attention/display.js';
import {statisticNames} from '../../web/attention/head-statistics.js';
import {mappedStatistic, overviewData} from '../../web/scope/head-overview-data.js';
import {passOf} from './passes.js';
import {kindsOf} from '../../web/views/view-kinds.js';

/** @import {OverviewState} from '../../web/scope/head-overview-data.js' */

const pass = passOf('[CLS] time flies [SEP]');
const base = pass.snapshot;

/** @param {Partial<OverviewState>} [change] @returns {OverviewState} */
const stateOf = (change) => ({
  ...{base, name: '', pictureName: ''},
  availableShape: base,
  kind: kindsOf.head,
  display: plainDisplay,
  chosen: {layers: [0], heads: [0, 1, 2]},
  statistic: 'entropy',
  isOff: () => false,
  ...change,
});
const latest = {base, survey: await pass.survey(base)};

test('every statistic can be chosen before the survey, and none colours the map yet', () => {
  const {known, map, inspected} = overviewData(stateOf(), null);
  assert.deepEqual(Object.keys(known), statisticNames);
  assert.equal(map.statistic, null);
  assert.deepEqual(inspected.statistics, []);
});

test('the chosen statistic colours the map with one value for each head', () => {
  const {map} = overviewData(stateOf(), latest);
  assert.equal(map.statistic?.values.length, 6);
  assert.equal(map.statistic?.values, latest.survey.statistics.entropy);
  assert.equal(map.statistic?.range.most, Math.log(4));
  assert.ok(Array.from(map.statistic?.values ?? []).every(Number.isFinite));
});

test('the scale of a text of one or two tokens is that of two, so that it has a length', () => {
  for (const text of ['a', 'a b']) {
    const short = passOf(text);
    const survey = {base: short.snapshot, survey: latest.survey};
    const state = stateOf({base: short.snapshot, availableShape: short.snapshot});
    assert.equal(overviewData(state, survey).map.statistic?.range.most, Math.log(2));
  }
});

test('a text without a repeated word does not offer the statistic of the same word', async () => {
  assert.equal(overviewData(stateOf(), latest).known.sameWord, undefined);
  const twice = passOf('[CLS] flies like flies [SEP]');
  const survey = {base: twice.snapshot, survey: await twice.survey(twice.snapshot)};
  const state = stateOf({base: twice.snapshot, availableShape: twice.snapshot});
  assert.equal(overviewData(state, survey).known.sameWord, 'Same word');
});

test('an unknown statistic gives way to the first that is known', () => {
  const {known, map} = overviewData(stateOf({statistic: 'sameWord'}), latest);
  assert.equal(mappedStatistic(known, 'sameWord'), 'previous');
  assert.equal(map.statistic?.values, latest.survey.statistics.previous);
});

test('statistics of the tokens around a text have the names of these tokens', async () => {
  for (const [text, begin, separator] of [
    ['[CLS] time flies [SEP]', '[CLS]', '[SEP]'],
    ['<s> time flies </s>', '<s>', '</s>'],
    ['[CLS] time flies [SEP] [PAD]', '[CLS]', '[SEP]'],
    ['<s> time flies', '<s>', undefined],
    ['time flies', undefined, undefined],
  ]) {
    const pass = passOf(text ?? '');
    const {snapshot} = pass;
    const survey = {base: snapshot, survey: await pass.survey(snapshot)};
    const state = stateOf({base: snapshot, availableShape: snapshot, statistic: 'cls'});
    const {known, map} = overviewData(state, survey);
    assert.deepEqual([known.cls, known.sep], [begin, separator], text);
    if (!begin) continue;
    assert.equal(map.statistic?.help, `The share of attention that goes to ${begin}.`);
    // Its own token apart, each gives as much to every other.
    const others = snapshot.keyTokens.length - 1;
    assert.ok(Math.abs(map.statistic.values[1] - 1 / 2 / others) < 1e-6, text);
  }
});

test('the survey of a model of another shape is not shown', () => {
  const other = passOf('a b', {layers: 1});
  const state = stateOf({base: other.snapshot, availableShape: other.snapshot});
  assert.equal(overviewData(state, latest).map.statistic, null);
});

test('heads that only the other of two models has are named and have no value', () => {
  const state = stateOf({name: 'small', availableShape: {layers: 3, heads: 4}});
  const {map, inspected} = overviewData(state, latest);
  assert.deepEqual([map.elsewhere(0, 0), map.elsewhere(2, 0), map.elsewhere(0, 3)], ['', 'small', 'small']); // prettier-ignore
  const values = map.statistic?.values ?? [];
  assert.deepEqual([values.length, values[3], values[8]], [12, undefined, undefined]);
  assert.equal(values[4], latest.survey.statistics.entropy?.[3]);
  assert.equal(inspected.columns, 4);
});

test('the inspector says how the picture’s numbers differ from the model’s own weights', () => {
  const told = (/** @type {Partial<OverviewState>} */ change) =>
    overviewData(stateOf(change), latest).inspected;
  assert.deepEqual(told({}).unlike, []);
  assert.deepEqual(told({display: {...plainDisplay, strongest: 0.5}}).unlike, ['strongest']);
  assert.deepEqual(told({display: {...plainDisplay, special: 'hide'}}).unlike, ['special']);
  const rollout = told({display: {...plainDisplay, measure: 'rollout'}});
  assert.deepEqual([rollout.unlike, rollout.isOfAllHeads], [['measure'], true]);
  assert.deepEqual([told({}).isTold, told({kind: kindsOf.neuron}).isTold], [true, false]);
});

test('a survey of a saved picture ends when it is aborted', async () => {
  const work = new AbortController();
  const survey = pass.survey(base, work.signal);
  work.abort();
  await assert.rejects(survey, {name: 'AbortError'});
});
