import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {noReaderChanges} from '../../web/attention/reader-changes.js';
import {beyondModel} from '../../web/page/state-beyond-model.js';
import {datesState, firstState, leavesChoice, parseAddress} from '../../web/page/address.js';
import {plainDisplay} from '../../web/attention/display.js';
import {filters} from '../../web/attention/selection.js';
import {addressFields, formatAddress} from '../../web/scope/state-fields.js';
import {anyState} from '../support/any-state.js';

/** @import {FieldName} from '../../web/scope/state-fields.js' */

const state = anyState(/** @type {FieldName[]} */ (Object.keys(addressFields)));

test('an address brings back every state', () => {
  fc.assert(
    fc.property(state, (before) => {
      const address = formatAddress(/** @type {any} */ (before));
      assert.deepEqual(parseAddress(new URL(address, 'http://localhost/').hash), before);
    }),
  );
});

test('any text after the # gives a valid state', () => {
  fc.assert(
    fc.property(fc.string(), (hash) => {
      const {layer, heads, filter} = parseAddress(`#${hash}`);
      assert.ok(Number.isInteger(layer) && heads.every(Number.isInteger));
      assert.ok(filters.includes(filter));
    }),
  );
});

test('an empty address is the page as it first opens', () => {
  const shown = parseAddress('');
  assert.deepEqual({...firstState, ...shown}, firstState);
  assert.deepEqual(parseAddress('#'), shown);
});

test('an address gives the first 10,000 characters of each text, and no half of a pair', () => {
  const long = new URLSearchParams({text: `a${'😀'.repeat(6000)}`, pair: '汉'.repeat(20_000)});
  long.set('compare-mode', 'side');
  long.set('compare-text', 'b'.repeat(20_000));
  const {text, textPair, compare} = parseAddress(`#${long}`);
  assert.equal(text, `a${'😀'.repeat(4999)}`);
  assert.equal(textPair, '汉'.repeat(10_000));
  assert.equal(compare?.text, 'b'.repeat(10_000));
  assert.equal(compare.mode, 'side');
});

test('an address with a text has no second sentence unless it names one', () => {
  assert.equal(parseAddress('#text=hello').textPair, '');
  assert.equal(parseAddress('#text=hello&pair=you').textPair, 'you');
});

test('an address of a text alone leaves it open what is shown, without the tokens around the text', () => {
  const shown = parseAddress('#text=hello&theme=dark');
  assert.deepEqual([shown.special, shown.heads, shown.token], ['hide', [], null]);
  assert.equal(parseAddress('#text=hello&layer=0').special, 'show');
  for (const open of ['', '&pair=b&model=hub:a/b', '&panel=why', '&workbench=why&method=alti'])
    assert(leavesChoice(`#text=a${open}`), open);
  assert(leavesChoice(''));
  for (const hash of ['#text=a&heads=1', '#text=a&panel=all', '#text=a&off=1.1'])
    assert(!leavesChoice(hash));
});

test('an address of a model alone shows what that model shows first', () => {
  const {text, layer, heads, token, filter} = parseAddress('#model=given:dates');
  assert.deepEqual(
    {text, layer, heads, token, filter},
    {text: datesState.text, layer: 1, heads: [0], token: null, filter: 'cross'},
  );
  const other = parseAddress('#model=hub:a/b');
  assert.equal(other.text, firstState.text);
  assert.deepEqual([other.heads, other.token], [[], null]);
});

test('an older address opens the workbench by its former name', () => {
  assert.equal(parseAddress('#text=a&lab=predict').workbench, 'predict');
  assert.equal(parseAddress('#text=a&lab=predict&workbench=heads').workbench, 'heads');
  assert.equal(parseAddress('#text=a&lab=nothing').workbench, '');
});

test('the address in the documentation is understood', () => {
  assert.deepEqual(
    parseAddress('#text=a+b&pair=c&view=head&layer=3&heads=0.4&filter=ab&theme=dark'),
    {
      text: 'a b',
      textPair: 'c',
      noSpecialTokens: false,
      view: 'head',
      layer: 3,
      heads: [0, 4],
      filter: 'ab',
      token: null,
      statistic: 'word',
      open: false,
      onlyLayers: [],
      onlyHeads: [],
      file: '',
      src: '',
      ids: [],
      theme: 'dark',
      present: false,
      large: false,
      height: 0,
      interventions: noReaderChanges,
      compare: null,
      workbench: '',
      method: '',
      answer: '',
      relation: '',
      pairs: '',
      panel: '',
      ...plainDisplay,
    },
  );
});

test('a field that cannot be read is ignored', () => {
  const {layer, heads, filter, token, theme} = parseAddress(
    '#text=a&layer=-1&heads=x.2.2.1e3&filter=xx&token=z9&theme=pink',
  );
  assert.deepEqual(
    {layer, heads, filter, token, theme},
    {
      layer: 0,
      heads: [2],
      filter: 'all',
      token: null,
      theme: 'auto',
    },
  );
});

test('a comparison with a larger model can show its layers, and changes beyond the smaller model are named', () => {
  const before = parseAddress('#text=a&layer=8&heads=1.11&off=5.7,8.1');
  const small = {layers: 6, heads: 8};
  const large = {layers: 12, heads: 12};
  assert.deepEqual(beyondModel(before, {available: large, model: {shape: small}}), {
    named: ['off=8.1'],
    mended: {},
  });
  assert.deepEqual(beyondModel(before, {available: small, model: {shape: small}}), {
    named: ['layer=8', 'heads=11', 'off=8.1'],
    mended: {layer: 5, heads: [1]},
  });
});
