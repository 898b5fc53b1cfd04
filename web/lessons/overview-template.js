import {html, nothing} from 'lit';
import {formatRoute} from '../routes/routes.js';
import {inline} from '../strings/marked-text.js';
import {classPath} from './answers/all-answers.js';
import {lessons} from './index.js';
import {frameText, lessonTexts} from './lesson-text.js';

/** @import {Progress as Seen} from './seen-steps.js' */

/**
 * Writes the address of a page of the lessons that has no input.
 *
 * @param {string[]} path
 * @param {boolean} [large]
 */
export const addressOf = (path, large = false) =>
  formatRoute({section: 'lessons', path, fields: new URLSearchParams(large ? {large: '1'} : {})});

/** The page of the documentation for teachers. */
const teaching = formatRoute({section: 'docs', path: ['teaching'], fields: new URLSearchParams()});

/**
 * The list of lessons, with the reader's progress in each.
 *
 * @param {Seen} progress
 * @param {string} problem  a message above the list
 * @param {boolean} large  whether links lead to lessons in large type
 * @param {() => void} onForget
 */
export function overviewTemplate(progress, problem, large, onForget) {
  return html`
    ${problem ? html`<p class="notice" role="alert">${problem}</p>` : nothing}
    <h2>${frameText.title}</h2>
    <p class="lead">${frameText.lead}</p>
    <p class="for-teachers">
      <a href=${teaching}>${frameText.answers.forTeachers}</a> ·
      <a href=${addressOf([classPath])}>${frameText.answers.ofClass.title}</a>
    </p>
    <ol class="overview">
      ${lessons.map((lesson) => {
        const {id, title, steps} = lesson;
        const seen = steps.filter((step) => progress.has(id, step.id)).length;
        const next = steps.find((step) => !progress.has(id, step.id)) ?? steps[0];
        const {summary, beyond} = lessonTexts[id];
        return html`<li>
          <h3><a href=${addressOf([id, next.id], large)}>${title}</a></h3>
          <p>${inline(summary)}</p>
          <p class="beyond">${inline(beyond)}</p>
          <p class="seen">
            <progress
              max=${steps.length}
              .value=${seen}
              aria-label=${frameText.progress(seen, steps.length)}
            ></progress>
            <span>${frameText.progress(seen, steps.length)}</span>
            <a class="print" href=${addressOf(['print', id])}>${frameText.sheets.printLesson}</a>
          </p>
        </li>`;
      })}
    </ol>
    ${
      progress.isEmpty
        ? nothing
        : html`<p class="forget">
            ${frameText.kept}
            <button type="button" @click=${onForget}>${frameText.forget}</button>
          </p>`
    }
  `;
}
