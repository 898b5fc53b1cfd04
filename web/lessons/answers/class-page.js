import {html, nothing} from 'lit';
import {live} from 'lit/directives/live.js';
import {fileName, save} from '../../export/download.js';
import {frameText, lessonTexts} from '../lesson-text.js';
import {classCsv, countAnswers, countStudents, mostLinks, readClass} from './class-list.js';
import {labelOf} from './question.js';

/** @import {Answer} from './answer-fields.js' */
/** @import {ClassList} from './class-list.js' */

const words = frameText.answers;
const ofClass = words.ofClass;

/** How many bytes of a file are read. */
const mostBytes = 8e6;

/** The entry of the session's storage that keeps what was pasted for a reload. */
const key = 'bertscope-class';

/** A table of what a class answered, from the links that a teacher pastes. It stays in the page, and in no address. */
export class ClassPage {
  #text = kept();
  #onChange;

  /** @param {() => void} onChange  shows the page again, if it is still shown */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** Adds the answers of a link that was opened. @param {string} link */
  add(link) {
    if (!this.#text.includes(link)) this.#take(`${this.#text}\n${link}`.trim());
  }

  template() {
    const {lists, unread, isCut} = readClass(this.#text);
    const isEmpty = this.#text.trim() !== '' && !lists.length;
    const read = (/** @type {Event} */ {target}) =>
      this.#take(/** @type {HTMLTextAreaElement} */ (target).value);
    return html`<h2 tabindex="-1">${ofClass.title}</h2>
      <p class="lead">${ofClass.lead}</p>
      <label class="field links">
        <span>${ofClass.links}</span>
        <textarea rows="4" spellcheck="false" .value=${live(this.#text)} @input=${read}></textarea>
      </label>
      <p>
        <label class="field file"
          ><span>${ofClass.file}</span>
          <input type="file" accept=".txt,.csv,text/plain" @change=${this.#onFile} />
        </label>
      </p>
      <p role="status">
        ${isEmpty ? ofClass.noLinks : nothing} ${isCut ? ofClass.cut(mostLinks) : nothing}
      </p>
      ${unread.length && lists.length ? unreadTemplate(unread) : nothing}
      ${lists.length > 1 ? html`<p>${csvButton(ofClass.allCsv, 'bertscope', lists)}</p>` : nothing}
      ${lists.map(listTemplate)}
      ${lists.length ? html`<p class="lead">${ofClass.unchecked}</p>` : nothing}`;
  }

  /** @param {string} text */
  #take(text) {
    this.#text = text;
    try {
      sessionStorage.setItem(key, text);
    } catch {
      // Without storage, or without room in it, the list is there until the page is closed.
    }
    this.#onChange();
  }

  #onFile = async (/** @type {Event} */ {target}) => {
    const input = /** @type {HTMLInputElement} */ (target);
    const [file] = input.files ?? [];
    if (!file) return;
    this.#take(await file.slice(0, mostBytes).text());
    input.value = '';
  };
}

function kept() {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** The lines from which nothing was read. @param {readonly string[]} lines */
function unreadTemplate(lines) {
  return html`<details class="unread">
    <summary>${ofClass.unread(lines.length)}</summary>
    <ul>
      ${lines.map((line) => html`<li><bdi>${line}</bdi></li>`)}
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

/** @param {ClassList} list */
function listTemplate(list) {
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
          ${students.map(
            ({name, answers, hash, times}) =>
              html`<tr>
                <th scope="row">
                  <a href=${hash} target="_blank"
                    ><bdi>${name || (times > 1 ? ofClass.same(times) : ofClass.unsigned)}</bdi></a
                  >
                </th>
                ${lesson.steps.map(({id}) => html`<td>${answerTemplate(id, answers[id], texts)}</td>`)}
              </tr>`,
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
