/** Tests a student's answers in the fields of an address, and the list that a teacher makes of many. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {formatAll, readAll} from '../../web/lessons/answers/all-answers.js';
import {AnswerBook} from '../../web/lessons/answers/answer-book.js';
import {
  continued,
  longestAnswer,
  longestName,
  noAnswers,
  readAnswers,
  tidy,
  writeAnswers,
} from '../../web/lessons/answers/answer-fields.js';
import {classCsv, countStudents, countAnswers, most} from '../../web/lessons/answers/class-list.js';
import {verdictOf} from '../../web/lessons/answers/verdict.js';
import {lessons} from '../../web/lessons/index.js';
import {parseRoute} from '../../web/routes/routes.js';
import {readClass} from '../support/read-class.js';

/** @import {Answer, AnswerSheet} from '../../web/lessons/answers/answer-fields.js' */

const [{steps}] = lessons;
const [first, second] = steps.map(({id}) => id);

/** @param {AnswerSheet} sheet */
function linkOf(sheet, lesson = lessons[0].id, step = first) {
  const fields = new URLSearchParams();
  writeAnswers(fields, sheet);
  return `https://example.org/bertscope/#/lessons/${lesson}/${step}?${fields}`;
}

/** @param {string} said @param {Answer['verdict']} verdict @returns {Answer} */
const answer = (said, verdict = 'open') => ({said, verdict});

test('every sheet comes back from its address as it was', () => {
  const line = (/** @type {number} */ most) =>
    fc.string({unit: 'grapheme', maxLength: most}).map((text) => tidy(text, most));
  const plain = {noNullPrototype: true};
  const given = fc.record(
    {
      name: line(longestName),
      answers: fc.dictionary(
        fc.constantFrom(...steps.map(({id}) => id)),
        fc.record(
          {
            said: line(longestAnswer).filter((said) => said !== ''),
            verdict: fc.constantFrom('right', 'wrong', 'open'),
          },
          plain,
        ),
        plain,
      ),
    },
    plain,
  );
  fc.assert(
    fc.property(given, (sheet) => {
      const fields = new URLSearchParams();
      writeAnswers(fields, /** @type {AnswerSheet} */ (sheet));
      assert.deepEqual(readAnswers(new URLSearchParams(String(fields)), steps), sheet);
    }),
  );
});

test('any field of an address is read as short lines of text, or as nothing', () => {
  const fields = fc.array(
    fc.tuple(
      fc.constantFrom('name', `a-${first}`, 'a-', 'a-__proto__'),
      fc.string({unit: 'binary'}),
    ),
  );
  fc.assert(
    fc.property(fields, (written) => {
      const {name, answers} = readAnswers(new URLSearchParams(written), steps);
      for (const said of [name, ...Object.values(answers).map((each) => each.said)]) {
        assert(said.length <= 2 * longestAnswer);
        assert.doesNotMatch(said, /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u);
      }
      for (const step of Object.keys(answers)) assert.equal(step, first);
    }),
  );
});

test('an answer keeps its length and its line, and loses marks that turn the text around it', () => {
  assert.equal(tidy(' a\r\n b\u0000\u202E\tc ', 120), 'a b c');
  assert.equal(tidy('x'.repeat(1e6), longestAnswer), 'x'.repeat(longestAnswer));
  assert.equal([...tidy('😀'.repeat(500), longestAnswer)].length, longestAnswer);
  assert.equal(tidy('می\u200Cخواهم', 120), 'می\u200Cخواهم');
  for (const wrong of ['she', 'she.x', 'she.', '.r', '', '  .r']) {
    assert.deepEqual(
      readAnswers(new URLSearchParams({[`a-${first}`]: wrong}), steps).answers,
      {},
      wrong,
    );
  }
});

test('Back leads to fewer answers without losing any, and the link of another student replaces them', () => {
  const kept = {name: 'Ana', answers: {[first]: answer('she'), [second]: answer('few', 'right')}};
  const earlier = {name: 'Ana', answers: {[first]: answer('she')}};
  assert.equal(continued(kept, earlier), kept);
  assert.equal(continued(kept, noAnswers), kept);
  assert.equal(continued(kept, {name: '', answers: {[second]: answer('few')}}), kept);
  const others = [
    {...earlier, name: 'Bo'},
    {name: '', answers: {[first]: answer('he')}},
    {name: 'Ana', answers: {[first]: answer('she', 'wrong')}},
  ];
  for (const other of others) assert.equal(continued(kept, other), other);
});

test('a prediction is compared once the engine has found the answer, and can be taken back', () => {
  const book = new AnswerBook();
  book.open('lesson', 'step', noAnswers);
  book.reveal(' yes ');
  assert.deepEqual([book.isRevealed, book.own, book.found], [true, answer('yes'), undefined]);
  const asked = {kind: /** @type {const} */ ('choice'), find: () => 'no'};
  book.settle(asked, 'no');
  assert.deepEqual([book.own, book.found], [answer('yes', 'wrong'), 'no']);
  // The sentence is changed: the answer is another one, and what was predicted is not judged again.
  book.settle(asked, 'yes');
  assert.deepEqual([book.own, book.found], [answer('yes', 'wrong'), 'yes']);
  book.sign('Ana\n');
  book.open('lesson', 'next', noAnswers);
  assert.deepEqual([book.isRevealed, book.own], [false, undefined]);
  assert.deepEqual(book.sheet, {name: 'Ana', answers: {step: answer('yes', 'wrong')}});
  book.open('lesson', 'step', noAnswers);
  assert.equal(book.isRevealed, true);
  book.open('other lesson', 'step', noAnswers);
  assert.deepEqual([book.isRevealed, book.own], [false, undefined]);
  book.open('lesson', 'step', noAnswers);
  book.retract();
  assert.deepEqual([book.isRevealed, book.sheet.answers], [false, {}]);
  book.reveal('');
  book.open('lesson', 'step', noAnswers);
  assert.equal(book.isRevealed, true);
  book.settle(asked, 'yes');
  assert.deepEqual([book.own, book.sheet.answers], [undefined, {}]);
});

test('a prediction is right as a word in any case, as any of several, and as a number near enough', () => {
  const word = {kind: /** @type {const} */ ('word'), find: () => null};
  const number = {kind: /** @type {const} */ ('number'), margin: 0.02, find: () => null};
  assert.equal(verdictOf(undefined, 'x', 'x'), 'open');
  assert.equal(verdictOf(word, 'x', null), 'open');
  assert.equal(verdictOf(word, '[sep]', ['[CLS]', '[SEP]']), 'right');
  assert.equal(verdictOf(word, 'sep', ['[CLS]', '[SEP]']), 'wrong');
  for (const said of ['24672', '24,672', '24 672', '24.672', ' 24576', 'about 24’672 numbers'])
    assert.equal(verdictOf(number, said, 24672), 'right', said);
  for (const said of ['', 'many', '24', '2467', 'Infinity', '1e400'])
    assert.equal(verdictOf(number, said, 24672), 'wrong', said);
  assert.equal(verdictOf({...number, margin: undefined}, '5', 5), 'right');
  assert.equal(verdictOf({...number, margin: undefined}, '4', 5), 'wrong');
});

test('a class list is read from links in any text, one row for each sheet', () => {
  const ana = {name: 'Ana', answers: {[first]: answer('girl', 'right')}};
  const bo = {
    name: 'Bo',
    answers: {[first]: answer('it ends here.'), [second]: answer('few', 'right')},
  };
  const link = linkOf(bo);
  const text = `Dear teacher,\n(${linkOf(ana)}), <a href="${link.replaceAll('&', '&amp;')}">mine</a>
    ${link} ${linkOf(ana, 'no-such-lesson')} ${linkOf(noAnswers)} https://example.org/#/docs/api`;
  const {lists, unread, isCut} = readClass(text);
  assert.equal(isCut, false);
  assert.deepEqual(unread, ['Dear teacher,']);
  assert.equal(lists.length, 1);
  const [{lesson, students}] = lists;
  assert.equal(lesson, lessons[0]);
  assert.deepEqual(
    students.map(({name, answers}) => ({name, answers})),
    [ana, bo],
  );
  assert.deepEqual(countAnswers(students, first), {right: 1, wrong: 0, open: 1});
  // The link of a row is written anew, so nothing else of what was pasted is in it.
  const [{hash}] = readClass(`${linkOf(ana)}&model=https://evil.example/&text=x`).lists[0].students;
  assert.equal(hash, new URL(linkOf(ana)).hash);
});

test('equal answers without a name are counted, and lines without answers are named', () => {
  const same = {name: '', answers: {[first]: answer('girl', 'right')}};
  const ana = {...same, name: 'Ana'};
  const text = [ana, same, ana, same, noAnswers].map((sheet) => linkOf(sheet)).join('\n\n');
  const {lists, unread} = readClass(`${text}\nhello, I forgot my link\r\n \r\n`);
  const [list] = lists;
  assert.deepEqual(
    list.students.map(({name, times}) => [name, times]),
    [
      ['', 2],
      ['Ana', 1],
    ],
  );
  assert.equal(countStudents(list.students), 3);
  assert.deepEqual(countAnswers(list.students, first), {right: 3, wrong: 0, open: 0});
  assert.deepEqual(unread, [linkOf(noAnswers), 'hello, I forgot my link']);
  const words = {student: 'Student', verdicts: {right: 'r', wrong: 'w', open: 'o'}};
  const csv = classCsv([list], {...words, label: (_lesson, _step, said) => said});
  assert.equal(csv.trim().split('\r\n').length, 4);
});

test('one link holds the answers in all lessons, which the list of a class takes beside links of one', () => {
  const name = 'Ana & María';
  const sheets = lessons.slice(0, 3).map((lesson, i) => ({
    lesson,
    sheet: {name, answers: {[lesson.steps[i].id]: answer(`word ${i}. & more`, 'right')}},
  }));
  const all = `https://example.org/${formatAll(sheets)}`;
  const read = readAll(/** @type {any} */ (parseRoute(formatAll(sheets))).fields);
  assert.deepEqual(read.slice(0, 3), sheets);
  const bo = {name: 'Bo', answers: {[first]: answer('girl', 'right')}};
  const {lists, unread} = readClass(`mine: ${all.replaceAll('&', '&amp;')}.\n${linkOf(bo)}`);
  assert.deepEqual(
    lists.map(({lesson, students}) => [lesson, students.map((student) => student.name)]),
    [
      [lessons[0], [name, 'Bo']],
      [lessons[1], [name]],
      [lessons[2], [name]],
    ],
  );
  assert.deepEqual(unread, []);
  // One file has the table of each lesson, under its name.
  const verdicts = {right: 'right', wrong: 'wrong', open: 'open'};
  const written = classCsv(lists, {
    student: 'Student',
    verdicts,
    label: (_lesson, _step, said) => said,
  });
  const tables = written.split('\r\n\r\n').map((table) => table.trim().split('\r\n'));
  assert.deepEqual(
    tables.map(([title, head, ...rows]) => [
      title.replaceAll('"', ''),
      head.slice(0, 8),
      rows.length,
    ]),
    lists.map(({lesson, students}) => [lesson.title, 'Student,', students.length]),
  );
  assert.equal(
    lists[1].students[0].hash,
    new URL(linkOf(sheets[1].sheet, lessons[1].id, lessons[1].steps[0].id)).hash,
  );
  assert.deepEqual(readClass(`https://example.org/#/lessons/answers`).lists, []);
});

test('a class list has a limit, and any text gives one', () => {
  const many = Array.from({length: most.links + 1}, (_, i) =>
    linkOf({name: `student ${i}`, answers: {[first]: answer('x')}}),
  );
  for (const between of ['\n', ' ']) {
    const {lists, isCut} = readClass(many.join(between));
    assert.equal(isCut, true);
    assert.equal(lists[0].students.length, most.links);
    assert.equal(readClass(many.slice(1).join(between)).isCut, false);
  }
  // Nobody reads thousands of lines without a link, and a page could not draw them.
  const {unread, unreadCount, isCut} = readClass('x\n'.repeat(most.lines));
  assert.deepEqual([unread.length, unreadCount, isCut], [100, most.lines, false]);
  assert.equal(readClass('x\n'.repeat(most.lines) + 'x').isCut, true);
  assert.equal(readClass('x'.repeat(most.characters + 1)).isCut, true);
  fc.assert(
    fc.property(fc.string({unit: 'binary', maxLength: 400}), (tail) => {
      readClass(`#/lessons/${lessons[0].id}/${tail}`);
      readClass(`#/lessons/${lessons[0].id}/${first}?${tail}`);
    }),
  );
});

test('a cell of the CSV is a text for every spreadsheet', () => {
  const student = {
    name: '=HYPERLINK("https://evil.example")',
    answers: {[first]: answer('a "quoted", word', 'right')},
    hash: '',
    times: 1,
  };
  const csv = classCsv(
    [{lesson: lessons[0], students: [student, {...student, name: '\t@SUM(A1)', answers: {}}]}],
    {
      student: 'Student',
      verdicts: {right: 'right', wrong: 'wrong', open: 'open'},
      label: (_lesson, _step, said) => said,
    },
  );
  const rows = csv.split('\r\n');
  assert.equal(rows.length, 4);
  assert(
    rows[1].startsWith(`"'=HYPERLINK(""https://evil.example"")","right: a ""quoted"", word",`),
  );
  assert(rows[2].startsWith(`"'\t@SUM(A1)",,`), rows[2]);
});
