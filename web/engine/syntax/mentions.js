/**
 * The mentions of a sentence in CorefUD's notation, of which this is read: `(e1-person-2` opens a
 * mention of the entity e1 whose second word is its head, `e1)` closes it, and `(e1-person-1)` does
 * both.
 */

/** @import {Word} from './conllu.js' */

/**
 * @typedef {object} Mention
 * @property {string} entity
 * @property {number} head The index of its head word.
 */

/**
 * @param {string[]} miscs The last column of each word.
 * @param {Word[]} words
 * @param {(index: number) => (expected: string, found: string) => never} failAt
 * @returns {Mention[]} In the order of their head words.
 */
export function readMentions(miscs, words, failAt) {
  /** @type {{entity: string, first: number, head: number}[]} */
  const open = [];
  /** @type {Mention[]} */
  const mentions = [];
  for (const [index, misc] of miscs.entries()) {
    const [, marks = ''] = /(?:^|\|)Entity=([^|]*)/.exec(misc) ?? [];
    for (const mark of marks.match(/\([^()]*\)?|[^()]+\)/g) ?? []) {
      if (mark.startsWith('(')) open.push(opened(mark.replace(/[()]/g, ''), index));
      if (!mark.endsWith(')')) continue;
      const wanted = mark.startsWith('(') ? open.at(-1)?.entity : nameOf(mark.slice(0, -1));
      const at = open.findLastIndex(({entity}) => entity === wanted);
      if (at < 0) failAt(index)('the end of a mention that is open', mark);
      const [{entity, first, head}] = open.splice(at, 1);
      mentions.push({entity, head: Math.min(Math.max(head, first), index)});
    }
  }
  if (open.length) failAt(words.length - 1)('every mention to end', `${open[0].entity} open`);
  return mentions.sort((a, b) => a.head - b.head);
}

/** @param {string} mark @param {number} first */
function opened(mark, first) {
  const head = Number(mark.split('-')[2] ?? 1);
  return {entity: nameOf(mark), first, head: first + (Number.isInteger(head) ? head : 1) - 1};
}

/** A mention in parts is named `e1[1/2]`. @param {string} mark */
function nameOf(mark) {
  return mark.split('-')[0].replace(/\[.*/, '');
}
