/**
 * What a student answered to the questions of a lesson, in the fields of an address: the name, and one field a step
 * with what they said and whether it was right. Links come from anybody, so everything that is read is cut and cleaned.
 */

/** @typedef {'right' | 'wrong' | 'open'} Verdict  `open`: nothing was computed that the answer can be compared with */
/** @typedef {{said: string, verdict: Verdict}} Answer */
/** @typedef {{name: string, answers: Readonly<Record<string, Answer>>}} AnswerSheet  the answers by the ids of the steps */

/** How many characters are kept. */
export const longestAnswer = 120;
export const longestName = 60;

/** @type {AnswerSheet} */
export const noAnswers = Object.freeze({name: '', answers: Object.freeze({})});

const nameField = 'name';
/** An address with several lessons names the lesson too. @param {string} step @param {string} lesson */
const answerField = (step, lesson) => (lesson ? `a-${lesson}.${step}` : `a-${step}`);

/** The last character of a field. A mark at the end of a link would be lost where it is pasted; a letter is not. */
const letters = /** @type {const} */ ({right: 'r', wrong: 'w', open: 'o'});
/** @type {Map<string, Verdict>} */
const verdicts = new Map([
  ['r', 'right'],
  ['w', 'wrong'],
  ['o', 'open'],
]);

/** Control characters, halves of pairs, and marks that turn the direction of the text around them. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Makes one short line of a text.
 *
 * @param {string} text
 * @param {number} most  characters
 */
export function tidy(text, most) {
  const line = text
    .slice(0, 8 * most)
    .replace(unprintable, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...line].slice(0, most).join('').trim();
}

/**
 * Writes a sheet into the fields of an address.
 *
 * @param {URLSearchParams} fields
 * @param {AnswerSheet} sheet
 * @param {string} [lesson]  where the address has several
 */
export function writeAnswers(fields, {name, answers}, lesson = '') {
  if (name) fields.set(nameField, name);
  for (const [step, {said, verdict}] of Object.entries(answers))
    fields.set(answerField(step, lesson), `${said}.${letters[verdict]}`);
}

/**
 * Reads a sheet from the fields of an address. What is not an answer to one of these steps is left out.
 *
 * @param {URLSearchParams} fields
 * @param {readonly {id: string}[]} steps  of the lesson
 * @param {string} [lesson]  where the address has several
 * @returns {AnswerSheet}
 */
export function readAnswers(fields, steps, lesson = '') {
  /** @type {Record<string, Answer>} */
  const answers = {};
  for (const {id} of steps) {
    const written = fields.get(answerField(id, lesson)) ?? '';
    const verdict = written.at(-2) === '.' ? verdicts.get(written.slice(-1)) : undefined;
    const said = tidy(written.slice(0, -2), longestAnswer);
    if (verdict && said) answers[id] = {said, verdict};
  }
  return {name: tidy(fields.get(nameField) ?? '', longestName), answers};
}

/**
 * The sheet to go on with at an address. Back leads to addresses with fewer of the answers that were given since, or
 * with one that was not compared yet; nothing is lost. An address with any other answer is another student's.
 *
 * @param {AnswerSheet} kept
 * @param {AnswerSheet} arrived
 */
export function continued(kept, arrived) {
  const isEarlier =
    (!arrived.name || arrived.name === kept.name) &&
    Object.entries(arrived.answers).every(
      ([step, {said, verdict}]) =>
        kept.answers[step]?.said === said && ['open', kept.answers[step].verdict].includes(verdict),
    );
  return isEarlier ? kept : arrived;
}
