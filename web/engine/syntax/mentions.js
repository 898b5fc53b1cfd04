/**
 * The mentions of a sentence in CorefUD's notation, of which this is read: `(e1-person-2` opens a
 * mention of the entity e1 whose second word is its head, `e1)` closes it, and `(e1-person-1)` does
 * both. `# global.Entity = eid-etype-head` says in which order the file has the fields.
 */

/**
 * @typedef {object} Mention
 * @property {string} entity
 * @property {number} head The index of its head word.
 */

/** @typedef {{entity: number, head: number}} EntityFields Where the name and the head word stand; -1 if nowhere. */

/** A sentence may have so many. */
const MAX_MENTIONS = 2_000;

/** The order of CorefUD, for a file that declares none. @type {EntityFields} */
export const usualFields = {entity: 0, head: 2};

/**
 * @param {string} comment A line that begins with `#`.
 * @returns {string | null} The order of the fields that it declares.
 */
export const declaredFields = (comment) =>
  /^#\s*global\.Entity\s*=(.*)$/.exec(comment)?.[1].trim() ?? null;

/**
 * @param {string} declared
 * @returns {EntityFields} `GRP` is the name of `eid` in older files, such as those of GUM.
 */
export function fieldsOf(declared) {
  const names = declared.split('-');
  return {
    entity: names.findIndex((name) => name === 'eid' || name === 'GRP'),
    head: names.indexOf('head'),
  };
}

/**
 * @param {{misc: string, word: number}[]} nodes The last column of each word and each empty node, and
 *   the index of the word; -1 for empty nodes, whose mentions nobody attends to.
 * @param {(index: number) => (expected: string, found: string) => never} failAt
 * @param {EntityFields} fields
 * @returns {Mention[]} In the order of their head words; none if the marks do not name their entity.
 */
export function readMentions(nodes, failAt, fields) {
  if (fields.entity < 0) return [];
  /** @type {{entity: string, first: number, head: number}[]} */
  const open = [];
  /** @type {Mention[]} */
  const mentions = [];
  let count = 0;
  for (const [index, {misc}] of nodes.entries()) {
    const [, marks = ''] = /(?:^|\|)Entity=([^|]*)/.exec(misc) ?? [];
    for (const mark of marks.match(/\([^()]*\)?|[^()]+\)?/g) ?? []) {
      if (mark.startsWith('(')) {
        if (++count > MAX_MENTIONS) failAt(index)(`at most ${MAX_MENTIONS} mentions`, 'more');
        open.push(opened(mark.replace(/[()]/g, ''), index, fields));
      }
      if (!mark.endsWith(')')) continue;
      const wanted = mark.startsWith('(') ? open.at(-1)?.entity : nameOf(mark.slice(0, -1));
      const at = open.findLastIndex(({entity}) => entity === wanted);
      if (at < 0) failAt(index)('the end of a mention that is open', mark);
      const [{entity, first, head}] = open.splice(at, 1);
      const {word} = nodes[Math.min(Math.max(head, first), index)];
      if (word >= 0) mentions.push({entity, head: word});
    }
  }
  if (open.length) failAt(nodes.length - 1)('every mention to end', `${open[0].entity} open`);
  return mentions.sort((a, b) => a.head - b.head);
}

/** @param {string} mark @param {number} first @param {EntityFields} fields */
function opened(mark, first, fields) {
  const given = mark.split('-');
  const head = Number(given[fields.head] ?? 1);
  const entity = nameOf(given[fields.entity] ?? given[0]);
  return {entity, first, head: first + (Number.isInteger(head) ? head : 1) - 1};
}

/** A mention in parts is named `e1[1/2]`. @param {string} mark */
function nameOf(mark) {
  return mark.split('-')[0].replace(/\[.*/, '');
}
