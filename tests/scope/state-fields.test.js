import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {
  addressNames,
  attributeOf,
  attributeProblem,
  contrast,
  fields,
  formatFields,
  initialState,
  parseFields,
  properties,
  usable,
} from '../../web/scope/state-fields.js';
import {live} from '../../web/scope/live.js';
import {provideLiveParts} from '../../web/scope/live-parts.js';
import {attributesOf} from '../../web/scope/tag-attributes.js';
import {anyField, anyState} from '../support/any-state.js';

/** @import {FieldName} from '../../web/scope/state-fields.js' */

provideLiveParts(live);

const names = /** @type {FieldName[]} */ (Object.keys(fields));
const attributes = names.filter((name) => attributeOf(name));

/** Gives the functions with which Lit reads and writes a property's attribute. @param {FieldName} name */
const converterOf = (name) => /** @type {any} */ (properties[name].converter ?? assert.fail(name));

/** @param {Record<string, unknown>} written */
const elementWith = (written) =>
  /** @type {Element} */ (
    /** @type {unknown} */ ({getAttribute: (/** @type {string} */ name) => written[name] ?? null})
  );

test('the tests cover every field of the state', () => {
  assert.deepEqual(Object.keys(anyField).sort(), Object.keys(fields).sort());
});

for (const name of attributes) {
  test(`every value of ${name} is read back from its attribute without a complaint`, () => {
    const {fromAttribute, toAttribute} = converterOf(name);
    fc.assert(
      fc.property(anyField[name], (value) => {
        const text = toAttribute(value);
        assert.deepEqual(fromAttribute(text), value);
        assert.equal(attributeProblem(elementWith({[`${attributeOf(name)}`]: text})), '');
      }),
    );
  });
}

for (const name of addressNames) {
  test(`every value of ${name} is read back from an address`, () => {
    fc.assert(
      fc.property(anyField[name], (value) => {
        const state = {...initialState, [name]: value};
        const written = new URLSearchParams(formatFields([name], state));
        const {[name]: found} = parseFields(
          [name],
          new URLSearchParams(`${written}`),
          initialState,
        );
        assert.deepEqual(found, value);
      }),
    );
  });
}

test('the attributes of a tag bring back what is shown, and leave out defaults', () => {
  assert.deepEqual(attributesOf(initialState), {});
  fc.assert(
    fc.property(anyState(names), (state) => {
      const written = attributesOf(/** @type {any} */ (state));
      for (const name of attributes) {
        const attribute = `${attributeOf(name)}`;
        const isOfPage = fields[name].role === 'page';
        const text = written[attribute] === true ? '' : (written[attribute] ?? null);
        const found = converterOf(name).fromAttribute(text);
        assert.deepEqual(found, isOfPage ? initialState[name] : state[name], name);
      }
    }),
  );
});

test('the tag of a saved page does not name the source of its numbers', () => {
  const state = {
    ...initialState,
    text: 'a',
    interventions: converterOf('interventions').fromAttribute('off=1'),
  };
  const written = attributesOf({...state, measure: 'flow', view: 'matrix'}, ['view']);
  assert.deepEqual(written, {view: 'matrix'});
});

test('any text in an attribute gives a usable value or a sentence on what is wrong', () => {
  fc.assert(
    fc.property(fc.constantFrom(...attributes), fc.string(), (name, text) => {
      const attribute = `${attributeOf(name)}`;
      const value = converterOf(name).fromAttribute(text);
      assert.deepEqual(usable([name], {...initialState, [name]: value})[name], value);
      const problem = attributeProblem(elementWith({[attribute]: text}));
      if (problem) assert.ok(problem.includes(text) || name === 'interventions', problem);
    }),
  );
});

/** Attributes with a wrong value, and the sentences that report them. @type {[string, string, RegExp][]} */
const mistakes = [
  ['view', 'flow', /no view called “flow”/],
  ['layer', 'top', /^Attribute layer: expected 0, 1, 2 …; found “top”/],
  ['layer', '-1', /found “-1”/],
  ['heads', '0,1', /^Attribute heads: expected 0\.4\.7; found “0,1”/],
  ['filter', 'cb', /^Attribute filter: expected all, aa, bb, ab, ba, encoder, decoder, cross; found “cb”/],
  ['theme', 'pink', /^Attribute theme: expected auto, light, dark; found “pink”/],
  ['special', '', /^Attribute special: expected show, hide, renormalise; found “”/],
  ['strongest', '1.5', /^Attribute strongest: expected 0\.05 … 1; found “1\.5”/],
  ['mean-layers', 'most', /^Attribute mean-layers: expected 0\.4\.7, all; found “most”/],
  ['only-layers', '1-3', /^Attribute only-layers: expected 0\.4\.7; found “1-3”/],
  ['measure', 'size', /^Attribute measure: expected weight, norm, rollout, flow; found “size”/],
  ['statistic', 'size', /^Attribute statistic: expected previous, self, .*; found “size”/],
  ['interventions', 'off=x,3&causal=2', /expected off=3\.1&causal=1; found “off=x, causal=2”/],
  ['contrast', 'both', /^Attribute contrast: expected side, difference; found “both”/],
  ['compare', 'text=a', /^Attribute compare: expected mode=side&text=….*; found “text=a”/],
  ['loading', 'soon', /^Attribute loading: expected lazy, eager; found “soon”/],
]; // prettier-ignore

for (const [attribute, text, sentence] of mistakes) {
  test(`${attribute}="${text}" is reported and ignored`, () => {
    assert.match(attributeProblem(elementWith({[attribute]: text})), sentence);
    const name = attributes.find((each) => attributeOf(each) === attribute);
    // The readable part of wrong interventions is used, and `contrast` is not a field: it is read as a comparison.
    if (!name || name === 'interventions') return;
    assert.deepEqual(converterOf(name).fromAttribute(text), initialState[name]);
  });
}

test('a known value that a script sets is used, and an unknown one is replaced by the default', () => {
  const state = /** @type {any} */ ({...initialState, view: 'flow', strongest: 7, special: 'hide'});
  assert.deepEqual(usable(['view', 'strongest', 'special'], state), {
    view: 'head',
    strongest: 1,
    special: 'hide',
  });
});

test('a flag is set by its attribute whatever its text, and a bare mean-layers means all layers', () => {
  assert.equal(converterOf('words').fromAttribute('false'), true);
  assert.equal(converterOf('words').fromAttribute(null), false);
  assert.equal(converterOf('controls').fromAttribute(''), true);
  assert.equal(converterOf('controls').fromAttribute('none'), 'none');
  assert.equal(converterOf('meanLayers').fromAttribute(''), 'all');
});

test('a contrast is a comparison that names only its mode, unless the address names more', () => {
  const parse = (/** @type {string} */ text) =>
    parseFields(['compare'], new URLSearchParams(text), initialState).compare;
  assert.deepEqual(parse('contrast=side'), parse('compare-mode=side'));
  assert.equal(contrast.format(parse('compare-mode=difference')), 'difference');
  assert.equal(parse('contrast=side&compare-mode=difference&compare-text=a')?.text, 'a');
  assert.equal(parse('contrast=both'), null);
  assert.equal(contrast.format(parse('compare-mode=side&compare-text=a')), null);
});

test('only a value that is written differently counts as a change', () => {
  const {hasChanged} = properties.heads;
  assert.equal(hasChanged?.([1], [1]), false);
  assert.equal(hasChanged?.([], undefined), false);
  assert.equal(hasChanged?.([1], []), true);
});
