import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {npz} from '../../web/engine/files/npz-writer.js';
import {csv} from '../../web/export/csv.js';
import {csvFile, jsonFile, npzFile} from '../../web/export/data-files.js';
import {embedCode, frameCode, savedPage, scopeTag} from '../../web/export/embed-markup.js';
import {escapeXml, svgColour, svgElement} from '../../web/export/svg-markup.js';
import {differenceOf} from '../../web/attention/difference.js';
import {importAttention, importFile} from '../../web/views/lazy-import.js';
import {createSnapshot} from '../../web/attention/snapshot.js';
import {PYTHON} from '../support/python.js';

/** @import {VectorKind} from '../../web/attention/snapshot.js' */
/** @import {Content} from '../../web/export/data-files.js' */

const tokens = ['[CLS]', '=SUM(A1)', 'a "b", c', '😀'];
const size = tokens.length;

/** Makes weights of two layers with two heads, each row summing to 1, as float32. */
const weights = (/** @type {number} */ layer, /** @type {number} */ head) =>
  Float32Array.from({length: size * size}, (_, i) => {
    const share = 0.1 + 0.05 * layer + 0.01 * head;
    return Math.floor(i / size) === i % size ? 1 - 3 * share : share;
  });
const vector = (
  /** @type {string} */ kind,
  /** @type {number} */ layer,
  /** @type {number} */ head,
) => Float32Array.from({length: size * 2}, (_, i) => kind.length + layer + head / 10 + i / 100);

const snapshot = createSnapshot({
  tokens,
  tokenTypeIds: [0, 0, 1, 1],
  layers: 2,
  heads: 2,
  attention: weights,
  headDim: 2,
  vectors: vector,
});
const content = {snapshot, text: 'x', model: 'm'};
const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);

/** Runs Python on a file, and parses its output. @param {string} code @param {string | Uint8Array} file */
function python(code, file) {
  const path = join(mkdtempSync(join(tmpdir(), 'bertscope-data-')), 'file');
  writeFileSync(path, file);
  return JSON.parse(execFileSync(PYTHON, ['-c', code, path], {encoding: 'utf8'}));
}

test('NumPy reads from the NPZ file what was in memory, bit for bit', () => {
  const read = `
import json, sys, numpy
file = numpy.load(sys.argv[1])
print(json.dumps({name: [file[name].tolist(), str(file[name].dtype)] for name in file.files}))`;
  const found = python(
    read,
    npzFile({...content, extent: {layers: [1], heads: [0, 1], vectors: true}}),
  );
  assert.deepEqual(found.tokens, [tokens, '<U8']);
  assert.deepEqual(found.token_type_ids[0], [0, 0, 1, 1]);
  assert.deepEqual([found.layers[0], found.heads[0]], [[1], [0, 1]]);
  assert.deepEqual(found.model_shape[0], [2, 2]);
  assert.equal(found.attentions[1], 'float32');
  assert.deepEqual(found.attentions[0][0].map((/** @type {number[][]} */ head) => head.flat()), [0, 1].map((head) => [...weights(1, head)])); // prettier-ignore
  assert.deepEqual(found.keys[0][0][1].flat(), [...vector('keys', 1, 1)]);
});

test('Python’s csv module reads the same weights and tokens, and spreadsheets find no formula in a token', () => {
  const read = `
import csv, json, sys
print(json.dumps(list(csv.DictReader(open(sys.argv[1], encoding='utf-8', newline='')))))`;
  const rows = python(read, csvFile({...content, extent: {layers: [1], heads: [1]}}));
  assert.equal(rows.length, size * size);
  const [row] = rows.filter((/** @type {any} */ {query, key}) => query === '1' && key === '2');
  assert.deepEqual(
    [row.layer, row.head, row.query_token, row.key_token],
    ['1', '1', "'=SUM(A1)", 'a "b", c'],
  );
  assert.equal(Math.fround(row.weight), weights(1, 1)[size + 2]);
});

test('a cell of CSV is no formula, also in full width and where a spreadsheet splits it', () => {
  const cells = [
    ['＝1+1', "'＝1+1"],
    ['＠x', "'＠x"],
    ['－', "'－"],
    ['a;=1+1', '"a;\'=1+1"'],
    ['a;;＋1', '"a;;\'＋1"'],
    ['a\t=1', '"a\t\'=1"'],
    ['a;"=1', '"a;""\'=1"'],
    ['1=1;2', '"1=1;2"'],
    ['  plain', '  plain'],
    ['plain', 'plain'],
    ...[
      ' ',
      '   ',
      '\u00a0',
      '\u200b',
      '\ufeff',
      '\u00ad',
      '\u3000',
      '\u202e',
      '\u3164',
      '\0',
    ].flatMap((blank) => [...'=+-@'].map((sign) => [`${blank}${sign}1`, `${blank}'${sign}1`])),
    ['a; \u200b=1', '"a; \u200b\'=1"'],
  ];
  for (const [text, written] of cells) assert.equal(csv([[1, text]]), `1,${written}\r\n`);
});

test('JSON opens unchanged, and heads that were left out stay out', () => {
  const {all: whole} = importFile(bytes(jsonFile({...content, extent: {vectors: true}})));
  assert.deepEqual(whole?.queryTokens, tokens);
  assert.equal(whole?.sentenceB, 2);
  assert.deepEqual(whole?.attention(1, 0), weights(1, 0));
  assert.deepEqual(whole?.vectors?.('values', 0, 1), vector('values', 0, 1));
  const {all: part} = importFile(
    bytes(jsonFile({...content, extent: {layers: [1], heads: [0], digits: 4}})),
  );
  assert.deepEqual([part?.layers, part?.heads], [2, 2]);
  assert.equal(part?.attention(0, 0), undefined);
  assert.equal(part?.attention(1, 1), undefined);
  assert(
    Math.abs(/** @type {Float32Array} */ (part?.attention(1, 0))[1] - weights(1, 0)[1]) < 1e-4,
  );
});

test('what scores are made of besides queries and keys is saved with these', () => {
  const vectors = (
    /** @type {VectorKind} */ kind,
    /** @type {number} */ layer,
    /** @type {number} */ head,
  ) => (kind === 'positionScores' ? weights(head, layer) : vector(kind, layer, head));
  const scored = {
    ...content,
    snapshot: {...snapshot, vectors, scoreDivisors: [1, 0.5], hasPositionScores: true},
  };
  const extent = {vectors: true};
  const part = {...extent, layers: [1], heads: [0]};
  for (const write of [(/** @type {Content} */ of) => bytes(jsonFile(of)), npzFile]) {
    const {all: read} = importFile(write({...scored, extent}));
    assert.deepEqual([read?.scoreDivisors, read?.hasPositionScores], [[1, 0.5], true]);
    assert.deepEqual(read?.vectors?.('positionScores', 1, 0), weights(0, 1));
    const {all: some} = importFile(write({...scored, extent: part}));
    assert.deepEqual(some?.vectors?.('positionScores', 1, 0), weights(0, 1));
    assert.equal(some?.vectors?.('positionScores', 0, 0), undefined);
  }
  const {all: plain} = importFile(bytes(jsonFile({...content, extent})));
  assert.deepEqual([plain?.scoreDivisors, plain?.hasPositionScores], [undefined, false]);
  for (const old of [{score_biases: [[1]]}, {distance_products: true}]) {
    const {all: read} = importFile(bytes(JSON.stringify({...JSON.parse(jsonFile({...content, extent})), ...old}))); // prettier-ignore
    assert.equal(read?.vectors, undefined);
  }
  const spoiled = {
    'position_scores.* should have 3 entries like the others, found 4': (
      /** @type {any} */ {position_scores: [[[row]]]},
    ) => row.pop(),
    '“position_scores” should be 2 layers × 2 heads × 4 tokens × 4, found 1 × 2 × 4 × 4': (
      /** @type {any} */ {position_scores: scores},
    ) => scores.pop(),
    '“position_scores” should be finite numbers': (
      /** @type {any} */ {position_scores: [[[row]]]},
    ) => (row[0] = 'more'),
    'should be a number over 0 for each of the 2 layers, found 1, 0': (/** @type {any} */ json) =>
      (json.score_divisors[1] = 0),
    'should be a number over 0 for each of the 2 layers, found 1.': (/** @type {any} */ json) =>
      json.score_divisors.pop(),
  };
  for (const [message, spoil] of Object.entries(spoiled)) {
    const json = JSON.parse(jsonFile({...scored, extent}));
    spoil(json);
    const open = () => importFile(bytes(JSON.stringify(json).replace('"more"', '1e400')));
    assert.throws(open, {code: 'bad-snapshot', message: new RegExp(message)});
  }
});

test('what is true or false in a file is nothing else', () => {
  for (const wrong of [1, 'true', {}, [true]]) {
    const file = bytes(JSON.stringify({...JSON.parse(jsonFile(content)), byte_level: wrong}));
    assert.throws(() => importFile(file), {
      code: 'bad-snapshot',
      message: '“byte_level” should be true or false.',
    });
  }
});

test('NumPy arrays of one head open with its layer and head numbers', () => {
  const extent = {layers: [1], heads: [0], vectors: true};
  const {all: part} = importFile(npzFile({...content, extent}));
  assert.deepEqual([part?.layers, part?.heads], [2, 2]);
  const places = [[0, 0], [0, 1], [1, 0], [1, 1]]; // prettier-ignore
  assert.deepEqual(
    places.filter(([layer, head]) => part?.has?.(layer, head)),
    [[1, 0]],
  );
  assert.deepEqual(part?.attention(1, 0), weights(1, 0));
  assert.equal(part?.attention(0, 0), undefined);
  assert.deepEqual(part?.vectors?.('keys', 1, 0), vector('keys', 1, 0));
  // They are saved again unchanged.
  const again = {...content, snapshot: /** @type {NonNullable<typeof part>} */ (part)};
  assert.deepEqual(importFile(npzFile(again)).all?.attention(1, 0), weights(1, 0));
  assert.deepEqual(importFile(bytes(jsonFile(again))).all?.attention(1, 0), weights(1, 0));
  assert.match(csvFile(again).split('\r\n')[1], /^1,0,0,0,/);
});

test('every file names the text, model and changes of its numbers, and a page reads it back', () => {
  const about = {text: 'a "b"\n', model: 'm', interventions: 'off=3.1x0.5,2&causal=1', measure: /** @type {const} */ ('norm')}; // prettier-ignore
  const files = {snapshot, extent: {layers: [0]}, ...about};
  for (const file of [bytes(jsonFile(files)), npzFile(files)])
    assert.deepEqual(importFile(file).all?.about, {...about, name: '', shown: ''});
  const read = `
import json, sys, numpy
file = numpy.load(sys.argv[1])
print(json.dumps({name: file[name].item() for name in ('text', 'model', 'interventions', 'measure')}))`;
  assert.deepEqual(python(read, npzFile(files)), about);
  const [head, row] = csvFile(files).split('\r\n');
  assert.match(head, /,norm,model,interventions$/);
  assert.match(row, /,m,"off=3.1x0.5,2&causal=1"$/);
  // Older files and those of other programs lack these fields or use them otherwise.
  const older = {tokens: ['le'], attention: [[[[1]]]], model: {name: 'x'}};
  const nothing = {text: '', model: '', interventions: '', measure: '', name: '', shown: ''};
  assert.deepEqual(importFile(bytes(JSON.stringify(older))).all?.about, nothing);
});

test('a file of a comparison has both sides and their difference, for NumPy, Python’s csv and the page', () => {
  const offsets = /** @type {const} */ ([null, [0, 8], [9, 16], [17, 19]]);
  const other = (/** @type {number} */ layer, /** @type {number} */ head) =>
    weights(layer, head).toReversed();
  const side = createSnapshot({tokens, layers: 2, heads: 2, attention: other, offsets});
  const extent = {layers: [1], heads: [0]};
  const of = {text: 'x', model: 'm', extent};
  const before = {...of, snapshot: side, name: 'the model as it is'};
  const after = {...of, snapshot, name: 'the changed model', interventions: 'off=0.1'};
  const difference = {...of, snapshot: differenceOf(side, snapshot)};
  const compared = {...after, before, difference};
  const expected = weights(1, 0).map((weight, i) => weight - other(1, 0)[i]);

  const arrays = python(
    `
import json, sys, numpy
file = numpy.load(sys.argv[1])
names = ('attentions', 'before_attentions', 'difference_attentions')
print(json.dumps([file[name].flatten().tolist() for name in names] + [file['before_name'].item()]))`,
    npzFile(compared),
  );
  assert.deepEqual(arrays, [[...weights(1, 0)], [...other(1, 0)], [...expected], before.name]);

  const rows = python(
    `
import csv, json, sys
rows = csv.DictReader(open(sys.argv[1], encoding='utf-8', newline=''))
print(json.dumps([[row['side'], float(row['weight']), row['interventions']] for row in rows]))`,
    csvFile(compared),
  );
  const ofSide = (/** @type {string} */ name) =>
    rows.filter((/** @type {unknown[]} */ [side]) => side === name);
  assert.deepEqual(
    ['before', 'after', 'difference'].map((name) => ofSide(name)[3].slice(1).map((/** @type {any} */ value) => typeof value === 'number' ? Math.fround(value) : value)), // prettier-ignore
    [
      [other(1, 0)[3], ''],
      [weights(1, 0)[3], 'off=0.1'],
      [expected[3], ' | off=0.1'],
    ],
  );
  assert.equal(rows.length, 3 * size * size);

  for (const file of [bytes(jsonFile(compared)), npzFile(compared)]) {
    const read = importFile(file).all;
    assert.deepEqual(read?.attention(1, 0), weights(1, 0));
    assert.equal(read?.about?.name, after.name);
    assert.deepEqual(read?.before?.all?.attention(1, 0), other(1, 0));
    assert.equal(read?.before?.all?.about?.name, before.name);
    assert.deepEqual(read?.before?.all?.offsets, offsets);
  }
  const {difference: written} = JSON.parse(jsonFile(compared));
  assert.deepEqual(written.attentions[1][0].flat().map(Math.fround), [...expected]);
  const one = {tokens: ['a'], attention: [[[[1]]]]};
  const ours = {format: 'bertscope-snapshot', version: 1, ...one};
  const open = (/** @type {unknown} */ json) => importFile(bytes(JSON.stringify(json))).all;
  assert.throws(() => open({...ours, offsets: [[1]]}), /“offsets” should have a start/);
  assert.throws(
    () => open({...ours, before: {...one, tokens: ['a', 'b']}}),
    /“before”: 2 tokens need attention of 2 × 2/,
  );
  // Files of other programs may use these names otherwise.
  assert.equal(open({...one, offsets: [[1]], before: {text: 'x'}})?.before, undefined);
  const deep = JSON.parse(`${'{"before":'.repeat(20_000)}0${'}'.repeat(20_000)}`);
  const nested = importAttention({...ours, before: {...one, ...deep}}).all;
  assert.equal(nested?.before?.all?.before, undefined);
  const weight = {values: Float32Array.of(1), shape: [1, 1, 1, 1]};
  const npzOf = (/** @type {string} */ name) => npz({attentions: weight, [name]: weight});
  assert.equal(importFile(npzOf('before_softmax')).all?.before, undefined);
  assert.deepEqual(importFile(npzOf('before_attentions')).all?.before?.all?.queryTokens, ['0']);
});

test('cross-attention keeps both lists of tokens', () => {
  const cross = createSnapshot({tokens: ['le'], keyTokens: ['the', 'cat'], layers: 1, heads: 2, attention: () => Float32Array.of(0.25, 0.75)}); // prettier-ignore
  const saved = {snapshot: cross, text: '', model: '', extent: {heads: [1]}};
  for (const file of [bytes(jsonFile(saved)), npzFile(saved)]) {
    const {cross: found} = importFile(file);
    assert.deepEqual([found?.queryTokens, found?.keyTokens], [['le'], ['the', 'cat']]);
    assert.deepEqual([...(found?.attention(0, 1) ?? [])], [0.25, 0.75]);
    assert.equal(found?.has?.(0, 0), false);
  }
});

const attack = '"><img src=x onerror=alert(1)></script><!--';

test('markup for other pages escapes every text', () => {
  const tag = scopeTag({text: attack, controls: true, layer: 3, heads: ''});
  assert.equal(tag, '<bert-scope text="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;/script&gt;&lt;!--" controls layer="3"></bert-scope>'); // prettier-ignore
  assert.doesNotMatch(embedCode({text: attack}, attack), /<img/);
  const inWords = {lines: [attack, attack], address: attack};
  assert.doesNotMatch(embedCode({}, 'x', inWords), /<img|href="">/);
  assert.doesNotMatch(frameCode(`https://x/#text=${attack}`, inWords), /<img|href="">/);
  const page = savedPage({title: attack, heading: attack, language: 'en', attributes: {}, json: JSON.stringify({tokens: [attack]}), script: 'x'}); // prettier-ignore
  assert.doesNotMatch(page, /<img/);
  const [, json] = page.match(/json">(.*?)<\/script>/) ?? [];
  assert.deepEqual(JSON.parse(json), {tokens: [attack]});
  const script = 'const a = "</script>"';
  assert.throws(
    () => savedPage({title: '', language: 'en', attributes: {}, json: '', script}),
    /expected code without/,
  );
});

test('SVG replaces characters that XML cannot hold, and has colours that every program knows', () => {
  assert.equal(escapeXml('a\u0000b\ud800<&"'), 'a\ufffdb\ufffd&lt;&amp;&quot;');
  assert.equal(escapeXml('😀'), '😀');
  assert.deepEqual(svgColour('rgba(1, 2, 3, 0.5)'), {colour: 'rgb(1,2,3)', opacity: 0.5});
  assert.deepEqual(svgColour('color(srgb 1 0 0.5 / 0.25)'), {
    colour: 'rgb(255,0,128)',
    opacity: 0.25,
  });
  assert.equal(svgElement('a', {x: 1.23456, y: undefined}, 'z'), '<a x="1.23">z</a>');
});

test('numbers of a text that a model has run name its ids, which the text alone does not tell', () => {
  const ids = [7, 300, 12, 300];
  const ran = {...content, snapshot: {...snapshot, ids}};
  assert.deepEqual(JSON.parse(jsonFile(ran)).ids, ids);
  const read =
    'import json, sys, numpy; print(json.dumps(numpy.load(sys.argv[1])["ids"].tolist()))';
  assert.deepEqual(python(read, npzFile(ran)), ids);
});

test('the pieces of text that unknown tokens stand for are in all files, and only where there are any', () => {
  const unknown = [null, null, null, '😀'];
  const [header, ...rows] = csvFile({...content, unknown})
    .trim()
    .split('\r\n');
  assert.match(header, /,interventions,query_text,key_text$/);
  assert.equal(rows.filter((row) => row.endsWith(',,😀')).length, 4 * (size - 1));
  assert.doesNotMatch(csvFile(content), /query_text/);
  assert.deepEqual(JSON.parse(jsonFile({...content, unknown})).unknown, unknown);
  assert.equal(JSON.parse(jsonFile(content)).unknown, undefined);
  const compared = csvFile({...content, unknown, before: content, difference: content});
  const widths = compared.trim().split('\r\n').map((row) => row.replaceAll(/"[^"]*(""[^"]*)*"/g, '').split(',').length); // prettier-ignore
  assert.equal(new Set(widths).size, 1, 'every row has the same columns');
});
