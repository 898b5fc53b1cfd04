import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {contrast} from '../../web/scope/baseline-codec.js';
import {formatFields, parseFields} from '../../web/scope/field-table.js';
import {nameOfOrigin, originFields} from '../../web/scope/origin-fields.js';
import {attributeProblem, properties} from '../../web/scope/reflected-properties.js';
import {
  addressFields,
  attributeOf,
  fieldNames,
  fields,
  initialState,
} from '../../web/scope/state-fields.js';
import {originOf} from '../../web/session/pass-origin.js';
import {readProperty} from '../../web/scope/property-values.js';
import {attributesOf} from '../../web/scope/tag-attributes.js';
import {anyField, anyState} from '../support/any-state.js';

/** @import {Field} from '../../web/scope/field-table.js' */
/** @import {FieldName} from '../../web/scope/state-fields.js' */

/** Any value of JavaScript. */
const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withBoxedValues: true,
  withTypedArray: true,
  withNullPrototype: true,
  withSparseArray: true,
});

const attributes = fieldNames.filter((name) => attributeOf(name));

/** Gives the functions with which Lit reads and writes a property's attribute. @param {FieldName} name */
const converterOf = (name) => /** @type {any} */ (properties[name].converter ?? assert.fail(name));

/** Reads what a script has set a property to. @param {FieldName} name @param {unknown} given */
const given = (name, given) => readProperty(/** @type {Field<any>} */ (fields[name]), given);

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

for (const [name, field] of Object.entries(addressFields)) {
  test(`every value of ${name} is read back from an address`, () => {
    fc.assert(
      fc.property(anyField[/** @type {FieldName} */ (name)], (value) => {
        const table = {[name]: field};
        const written = new URLSearchParams(formatFields(table, {[name]: value}));
        const {[name]: found} = parseFields(table, new URLSearchParams(`${written}`), initialState);
        assert.deepEqual(found, value);
      }),
    );
  });
}

test('the attributes of a tag bring back what is shown, and leave out defaults', () => {
  assert.deepEqual(attributesOf(initialState), {});
  fc.assert(
    fc.property(anyState(fieldNames), (state) => {
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
      assert.deepEqual(given(name, value), {value, unread: ''});
      const problem = attributeProblem(elementWith({[attribute]: text}));
      if (problem) assert.ok(problem.includes(text) || name === 'interventions', problem);
    }),
  );
});

/** Attributes with a wrong value, and the sentences that report them. @type {[string, string, RegExp][]} */
const mistakes = [
  ['view', 'flow', /view: expected head, model, neuron, matrix; found “flow”/],
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
  ['statistic', 'size', /^Attribute statistic: expected word, previous, self, .*; found “size”/],
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

for (const name of fieldNames) {
  test(`${name} takes its own values, and the text of its attribute, as a property`, () => {
    fc.assert(
      fc.property(anyField[name], (value) => {
        assert.deepEqual(given(name, value), {value, unread: ''});
        const text = fields[name].codec.format(/** @type {never} */ (value));
        assert.deepEqual(given(name, text), {value, unread: ''});
      }),
    );
    for (const nothing of [null, undefined]) {
      assert.deepEqual(given(name, nothing), {value: initialState[name], unread: ''});
    }
  });

  test(`whatever ${name} is set to, it has a usable value, and what is wrong is said`, () => {
    const parts = fc.record(
      {heads: anything, side: anything, index: anything, mode: anything, text: anything},
      {requiredKeys: []},
    );
    const nearly = anyField[name].map((value) =>
      Array.isArray(value) ? [...value, 1.5] : {...Object(value), more: 1},
    );
    fc.assert(
      fc.property(fc.oneof(anything, parts, nearly, fc.string()), (set) => {
        const {value, unread} = given(name, set);
        assert.deepEqual(given(name, value), {value, unread: ''});
        const {codec} = /** @type {Field<any>} */ (fields[name]);
        const text = codec.format(value);
        assert.deepEqual(text === null ? initialState[name] : codec.parse(text), value);
        assert.equal(typeof unread, 'string');
        if (typeof set === 'string' || set === null || set === undefined) return;
        if (unread) assert.deepEqual(value, initialState[name]);
        else assert.equal(typeof value, typeof set);
      }),
    );
  });
}

/** Values of another type or out of range, which a message repeats. @type {[FieldName, unknown, string][]} */
const wrongValues = [
  ['layer', NaN, 'NaN'],
  ['layer', [3], '[3]'],
  ['layer', 1e21, '1e+21'],
  ['heads', {}, '{}'],
  ['heads', [1.5], '[1.5]'],
  ['heads', [null], '[null]'],
  ['heads', '0,1', '0,1'],
  ['token', {side: 'both', index: 3}, '{"side":"both","index":3}'],
  ['text', 5, '5'],
  ['text', false, 'false'],
  ['words', 1, '1'],
  ['words', 0, '0'],
  ['height', NaN, 'NaN'],
  ['height', -5, '-5'],
  ['height', 1e9, '1000000000'],
  ['height', 480.7, '480.7'],
  ['strongest', 7, '7'],
  ['view', 'flow', 'flow'],
  ['view', {}, '{}'],
  ['interventions', {heads: []}, '{"heads":[]}'],
  ['compare', {mode: 'side'}, '{"mode":"side"}'],
  ['measure', Symbol('norm'), 'Symbol(norm)'],
];

for (const [name, set, unread] of wrongValues) {
  test(`${name} set to ${unread} is reported and ignored`, () => {
    assert.deepEqual(given(name, set), {value: initialState[name], unread});
  });
}

test('the order and the repetitions of heads do not matter', () => {
  assert.deepEqual(given('heads', [4, 0, 4]), {value: [0, 4], unread: ''});
});

test('a value that refers to itself is reported by its type, and a long one is cut', () => {
  /** @type {any} */
  const ring = {heads: []};
  ring.ring = ring;
  assert.equal(given('interventions', ring).unread, 'object');
  assert.equal(given('heads', {long: 'x'.repeat(200)}).unread.length, 81);
});

test('an empty text in place of no value is no mistake', () => {
  assert.deepEqual(given('view', ''), {value: 'head', unread: ''});
  assert.deepEqual(given('words', ''), {value: true, unread: ''});
});

test('a flag is set by its attribute whatever its text, and a bare mean-layers means all layers', () => {
  assert.equal(converterOf('words').fromAttribute('false'), true);
  assert.equal(converterOf('words').fromAttribute(null), false);
  assert.equal(converterOf('controls').fromAttribute(''), true);
  assert.equal(converterOf('controls').fromAttribute('none'), 'none');
  assert.equal(converterOf('meanLayers').fromAttribute(''), 'all');
});

test('a contrast is a comparison that names only its mode, unless the address names more', () => {
  const {compare} = fields;
  const parse = (/** @type {string} */ text) =>
    parseFields({compare}, new URLSearchParams(text), initialState).compare;
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

test('what a pass is made from is stated once more beside its type, and begins alike', () => {
  const {text, textPair, src, ids, file, interventions} = initialState;
  assert.deepEqual(originOf({}), {text, textPair, src, ids, file, interventions});
  assert.deepEqual(Object.keys(originOf({})), Object.keys(originFields));
  assert.equal(nameOfOrigin(originOf({})), '');
});
