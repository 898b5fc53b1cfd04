import {html, render} from 'lit';
import {openDialog} from '../../controls/dialog.js';
import {strings} from '../../strings/index.js';
import {copyButton} from '../parts/copy-button.js';
import {frameText, lessonTexts} from '../lesson-text.js';
import {formatAll} from './all-answers.js';
import {longestName} from './answer-fields.js';
import {labelOf} from './question.js';

/** @import {Lesson} from '../index.js' */
/** @import {AnswerBook} from './answer-book.js' */
/** @import {AnswerSheet} from './answer-fields.js' */

const words = frameText.answers;

/**
 * Shows the reader's answers in a lesson, and hands over the link that holds them.
 *
 * @param {Lesson} lesson
 * @param {AnswerBook} book
 * @param {{link: () => string, onName: () => void}} page
 */
export function openAnswers({id, title, steps}, book, {link, onName}) {
  const {name, answers} = book.sheet;
  const others = book.all.filter(({lesson}) => lesson.id !== id);
  const content = document.createElement('div');
  const sign = (/** @type {Event} */ {target}) => {
    book.sign(/** @type {HTMLInputElement} */ (target).value);
    onName();
  };
  render(
    html`
      ${answerList(id, steps, answers)}
      <label class="field">
        <span>${words.name}</span>
        <input
          dir="auto"
          autocomplete="name"
          maxlength=${longestName}
          .value=${name}
          @input=${sign}
        />
      </label>
      ${
        others.length
          ? html`<p>
              ${words.others}
              ${others.map(({lesson, sheet}, i) => [i ? strings.text.numbers.comma : '', words.inLesson(lesson.title, Object.keys(sheet.answers).length)])}
            </p>`
          : ''
      }
      <p><small>${words.link}</small></p>
      <input class="link" readonly hidden aria-label=${words.copy} />
    `,
    content,
  );
  const showLink = (/** @type {string} */ text) => {
    const field = /** @type {HTMLInputElement} */ (content.querySelector('.link'));
    field.hidden = false;
    field.value = text;
    field.select();
  };
  const copy = document.createElement('span');
  const all = () => new URL(formatAll(book.all), location.href).href;
  render(
    others.length
      ? html`${copyButton(words.copyAll, all, 'primary', showLink)}
        ${copyButton(words.copyOne, link, '', showLink)}`
      : copyButton(words.copy, link, 'primary', showLink),
    copy,
  );
  const said = {title: words.title(title), close: words.close};
  openDialog(document.body, 'own-answers', said, [content], [copy]);
}

/**
 * @param {string} lesson
 * @param {Lesson['steps']} steps
 * @param {AnswerSheet['answers']} answers
 */
function answerList(lesson, steps, answers) {
  return html`<ol class="said">
    ${steps.map((step) => {
      const answer = answers[step.id];
      const {options} = lessonTexts[lesson].steps[step.id];
      const isChoice = answer && options && Object.hasOwn(options, answer.said);
      return html`<li>
        ${step.title}
        ${
          answer
            ? html`<p class="verdict ${answer.verdict}">
                <bdi>${labelOf(lessonTexts[lesson].steps[step.id], answer.said)}</bdi>
                <small
                  >${
                    isChoice && answer.verdict === 'open'
                      ? words.uncompared
                      : words.verdicts[answer.verdict]
                  }</small
                >
              </p>`
            : ''
        }
      </li>`;
    })}
  </ol>`;
}
