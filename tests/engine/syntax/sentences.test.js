/** Tests that the annotated sentences are well formed, with a reading of the file that is the test's own. */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';

const FILE = new URL('../../../web/engine/syntax/sentences.conllu', import.meta.url);

/**
 * The columns and the meaning of a row are at https://universaldependencies.org/format.html
 *
 * @typedef {{id: string, form: string, head: number, relation: string, misc: string[]}} Row
 */

/** @param {string} line @returns {Row} */
function rowOf(line) {
  const columns = line.split('\t');
  assert.equal(columns.length, 10, line);
  const [id, form, , , , , head, relation, , misc] = columns;
  return {id, form, head: Number(head), relation, misc: misc.split('|')};
}

const sentences = readFileSync(FILE, 'utf8')
  .trimEnd()
  .split('\n\n')
  .map((block) => {
    const lines = block.split('\n');
    const comment = (/** @type {string} */ key) =>
      lines.find((line) => line.startsWith(`# ${key} = `))?.slice(key.length + 5) ?? '';
    const rows = lines.filter((line) => !line.startsWith('#')).map(rowOf);
    return {
      id: comment('sent_id'),
      text: comment('text'),
      spans: rows.filter(({id}) => id.includes('-')),
      words: rows.filter(({id}) => !id.includes('-')),
    };
  });

/** The text that the rows spell: a written word that is two words of grammar is spelled once, by its span. */
function spelledBy(/** @type {{spans: Row[], words: Row[]}} */ {spans, words}) {
  const bounds = spans.map((span) => ({span, ends: span.id.split('-').map(Number)}));
  return words
    .map(({form, misc}, index) => {
      const within = bounds.find(
        ({ends: [first, last]}) => first <= index + 1 && index + 1 <= last,
      );
      if (within && within.ends[0] !== index + 1) return '';
      const written = within?.span ?? {form, misc};
      return written.form + (written.misc.includes('SpaceAfter=No') ? '' : ' ');
    })
    .join('')
    .trimEnd();
}

/** Marks of mentions in the order of reading: "(e1-person-2" opens, "e1)" closes, "(e1-person-1)" does both. */
function mentionMarks(/** @type {Row} */ {misc}) {
  const entity = misc.find((entry) => entry.startsWith('Entity='))?.slice('Entity='.length) ?? '';
  const marks = entity.match(/\([^()]+\)?|[^()]+\)/g) ?? [];
  assert.equal(marks.join(''), entity, 'nothing is left between the marks');
  return marks;
}

test('150 sentences or more have an id and a text of their own', () => {
  assert(sentences.length >= 150, `${sentences.length} sentences`);
  for (const key of /** @type {const} */ (['id', 'text'])) {
    const values = sentences.map((sentence) => sentence[key]);
    assert.equal(new Set(values).size, sentences.length);
    assert(!values.includes(''));
  }
});

test('the words spell the text', () => {
  for (const sentence of sentences) assert.equal(spelledBy(sentence), sentence.text);
});

test('every sentence is one tree', () => {
  for (const {text, words} of sentences) {
    assert.deepEqual(
      words.map(({id}) => id),
      words.map((_, index) => String(index + 1)),
    );
    const roots = words.filter(({head}) => head === 0);
    assert.deepEqual(
      roots.map(({relation}) => relation),
      ['root'],
      text,
    );
    for (const word of words) {
      let above = word;
      for (let steps = 0; above.head !== 0; steps++) {
        assert(steps < words.length, `${text}: ${word.form} hangs in a cycle`);
        above = words[above.head - 1];
        assert(above, `${text}: the head of ${word.form} is a word of the sentence`);
      }
    }
  }
});

test('every mention closes in its sentence, and every entity is mentioned twice or more', () => {
  let links = 0;
  for (const {text, words} of sentences) {
    /** @type {string[]} */
    const open = [];
    /** @type {Map<string, number>} */
    const mentions = new Map();
    for (const mark of words.flatMap(mentionMarks)) {
      const entity = mark.replaceAll(/[()]/g, '').split('-')[0];
      if (mark.startsWith('(')) {
        open.push(entity);
        mentions.set(entity, (mentions.get(entity) ?? 0) + 1);
      }
      if (mark.endsWith(')')) assert.equal(open.pop(), entity, text);
    }
    assert.deepEqual(open, [], text);
    for (const count of mentions.values()) {
      assert(count >= 2, text);
      links += count - 1;
    }
  }
  assert(links >= 60, `${links} links`);
});
