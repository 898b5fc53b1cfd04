import {html, nothing} from 'lit';
import {guard} from 'lit/directives/guard.js';
import {live} from 'lit/directives/live.js';
import {fileName, save} from '../../export/download.js';
import {frameText, lessonTexts} from '../lesson-text.js';
import {classCsv, countAnswers, countStudents, endOf, most, readClass} from './class-list.js';
import {labelOf} from './question.js';

/** @import {Answer} from './answer-fields.js' */
/** @import {Lesson} from '../index.js' */
/** @import {ClassList, Student} from './class-list.js' */

const words = frameText.answers;
const ofClass = words.ofClass;

/** The number of rows that are drawn at once: a browser takes 1 ms for each. */
const rowsAtOnce = 40;
/** The number of students that a list shows until the teacher asks for more. A browser lays out a whole table anew for each row. */
const studentsAtOnce = 200;
/** So long the page may be busy with a long text. */
const busyMilliseconds = 20;

/** The entry of the session's storage that keeps what was pasted for a reload. */
const key = 'bertscope-class';

/** @typedef {{lists: ClassList[], unread: string[], unreadCount: number, isCut: boolean, isEmpty: boolean}} Read */

/**
 * Shows what a class answered, from the links that a teacher pastes. The text is kept in this tab for a reload, and in
 * no address.
 */
export class ClassPage {
  #text = kept();
  /** @type {ReturnType<typeof readClass> | undefined} */
  #reading;
  /** What was read last. @type {Read | null} */
  #read = null;
  /** How many rows of all lists are drawn. */
  #rows = 0;
  /** How many students are shown of a list for which the teacher asked for more. @type {Map<Lesson, number>} */
  #asked = new Map();
  #onChange;

  /** @param {() => void} onChange  shows the page again, if it is still shown */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** Adds the answers of a link that was opened. @param {string} link */
  add(link) {
    // One link may be the beginning of another, so whole words are compared.
    if (!this.#text.split(/\s+/).includes(link)) this.#take(`${this.#text}\n${link}`.trim());
  }

  template() {
    if (!this.#reading) void this.#show();
    const {lists, unread, unreadCount, isCut, isEmpty} = this.#read ?? nothingRead;
    const tables = [];
    let before = 0;
    for (const list of lists) {
      const shown = this.#shownOf(list);
      const left = list.students.length - shown;
      const more = () => this.#askForMore(list);
      tables.push(
        listTemplate(list, Math.min(this.#rows - before, shown)),
        left > 0
          ? html`<p>
              <button type="button" @click=${more}>
                ${ofClass.more(Math.min(left, studentsAtOnce), left)}
              </button>
            </p>`
          : nothing,
      );
      before += shown;
    }
    const onInput = (/** @type {Event} */ {target}) =>
      this.#take(/** @type {HTMLTextAreaElement} */ (target).value);
    return html`<h2 tabindex="-1">${ofClass.title}</h2>
      <p class="lead">${ofClass.lead}</p>
      <label class="field links">
        <span>${ofClass.links}</span>
        <textarea
          rows="4"
          spellcheck="false"
          maxlength=${most.characters + 1}
          .value=${live(this.#text)}
          @input=${onInput}
        ></textarea>
      </label>
      <p>
        <label class="field file"
          ><span>${ofClass.file}</span>
          <input type="file" accept=".txt,.csv,text/plain" @change=${this.#onFile} />
        </label>
      </p>
      <p role="status">
        ${isEmpty ? ofClass.noLinks : nothing}
        ${isCut ? ofClass.cut(most.links, most.lines, most.characters) : nothing}
      </p>
      ${unread.length && lists.length ? unreadTemplate(unread, unreadCount) : nothing}
      ${lists.length > 1 ? html`<p>${csvButton(ofClass.allCsv, 'bertscope', lists)}</p>` : nothing}
      ${tables} ${lists.length ? html`<p class="lead">${ofClass.unchecked}</p>` : nothing}`;
  }

  /** @param {string} text */
  #take(text) {
    // One character more says that there were more.
    this.#text = text.slice(0, endOf(text) + 1);
    try {
      sessionStorage.setItem(key, this.#text);
    } catch {
      // Without storage, or without room in it, the list is there until the page is closed.
    }
    void this.#show();
  }

  /** Reads the text and draws the lists, in steps between which the page lives. */
  async #show() {
    const reading = (this.#reading = readClass(this.#text));
    const hasText = this.#text.trim() !== '';
    let due = performance.now() + busyMilliseconds;
    for (;;) {
      const {done, value} = reading.next();
      if (done) {
        this.#read = {...value, isEmpty: hasText && value.lists.length === 0};
        break;
      }
      if (performance.now() < due) continue;
      await nextTask();
      if (this.#reading !== reading) return;
      due = performance.now() + busyMilliseconds;
    }
    this.#asked.clear();
    this.#rows = 0;
    await this.#draw();
  }

  /** Draws the rows that are not drawn yet, in steps. */
  async #draw() {
    const reading = this.#reading;
    const rows = this.#read?.lists.reduce((sum, list) => sum + this.#shownOf(list), 0) ?? 0;
    do {
      this.#rows += rowsAtOnce;
      await nextTask();
      if (this.#reading !== reading) return;
      this.#onChange();
    } while (this.#rows < rows);
  }

  /** How many students of a list are shown. @param {ClassList} list */
  #shownOf({lesson, students}) {
    return Math.min(students.length, this.#asked.get(lesson) ?? studentsAtOnce);
  }

  /** @param {ClassList} list */
  #askForMore(list) {
    this.#asked.set(list.lesson, this.#shownOf(list) + studentsAtOnce);
    void this.#draw();
  }

  #onFile = async (/** @type {Event} */ {target}) => {
    const input = /** @type {HTMLInputElement} */ (target);
    const [file] = input.files ?? [];
    if (!file) return;
    // No character has more than 4 bytes.
    const text = await file.slice(0, 4 * (most.characters + 1)).text();
    this.#take(text.replace(/\r\n?/g, '\n'));
    input.value = '';
  };
}

/** @type {Read} */
const nothingRead = {lists: [], unread: [], unreadCount: 0, isCut: false, isEmpty: false};

const nextTask = () => new Promise((resolve) => void setTimeout(resolve));

function kept() {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** The first lines from which nothing was read. @param {readonly string[]} lines @param {number} count  of all */
function unreadTemplate(lines, count) {
  return html`<details class="unread">
    <summary>${ofClass.unread(count)}</summary>
    <ul>
      ${lines.map((line) => html`<li><bdi>${line}</bdi></li>`)}
      ${count > lines.length ? html`<li>…</li>` : nothing}
    </ul>
  </details>`;
}

/** A button that saves lists. @param {string} name @param {string} file @param {readonly ClassList[]} lists */
function csvButton(name, file, lists) {
  /** @type {Parameters<typeof classCsv>[1]['label']} */
  const label = ({id}, step, said) => labelOf(lessonTexts[id].steps[step], said);
  const {student} = ofClass;
  const write = () => classCsv(lists, {student, verdicts: words.verdicts, label});
  // The mark tells a spreadsheet that the file is UTF-8.
  const onClick = () =>
    save(fileName([file], 'csv'), new Blob(['\uFEFF', write()], {type: 'text/csv'}));
  return html`<button type="button" @click=${onClick}>${name}</button>`;
}

/** @param {ClassList} list @param {number} rows  how many are drawn at most */
function listTemplate(list, rows) {
  const {lesson, students} = list;
  const texts = lessonTexts[lesson.id].steps;
  return html`<section class="class-list">
    <h3>${lesson.title}</h3>
    <p>${ofClass.students(countStudents(students))} ${csvButton(ofClass.csv, lesson.id, [list])}</p>
    <div class="wide" tabindex="0" role="region" aria-label=${lesson.title}>
      <table>
        <thead>
          <tr>
            <th scope="col">${ofClass.student}</th>
            ${lesson.steps.map(({id, title}, i) => html`<th scope="col" title=${texts[id].question}>${i + 1}. ${title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${chunksOf(students)
            .slice(0, Math.max(0, Math.ceil(rows / rowsAtOnce)))
            .map((chunk) =>
              guard([chunk[0]], () => chunk.map((student) => rowTemplate(list, student))),
            )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">${ofClass.counts}</th>
            ${lesson.steps.map(({id}) => {
              const {right, wrong, open} = countAnswers(students, id);
              return html`<td>${ofClass.count(right, wrong, open)}</td>`;
            })}
          </tr>
        </tfoot>
      </table>
    </div>
  </section>`;
}

/** Rows that are drawn together, and not again while more follow. @param {readonly Student[]} students */
const chunksOf = (students) =>
  Array.from({length: Math.ceil(students.length / rowsAtOnce)}, (_, i) =>
    students.slice(i * rowsAtOnce, (i + 1) * rowsAtOnce),
  );

/** @param {ClassList} list @param {Student} student */
function rowTemplate({lesson}, {name, answers, hash, times}) {
  const texts = lessonTexts[lesson.id].steps;
  return html`<tr>
    <th scope="row">
      <a href=${hash} target="_blank"
        ><bdi>${name || (times > 1 ? ofClass.same(times) : ofClass.unsigned)}</bdi></a
      >
    </th>
    ${lesson.steps.map(({id}) => html`<td>${answerTemplate(id, answers[id], texts)}</td>`)}
  </tr>`;
}

/**
 * @param {string} step
 * @param {Answer | undefined} answer
 * @param {typeof lessonTexts[string]['steps']} texts
 */
function answerTemplate(step, answer, texts) {
  if (!answer) return nothing;
  const {said, verdict} = answer;
  return html`<span class="verdict ${verdict}">
    <bdi>${labelOf(texts[step], said)}</bdi>
    <span class="visually-hidden">${words.verdicts[verdict]}</span>
  </span>`;
}
