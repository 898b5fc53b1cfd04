import {html, nothing} from 'lit';
import {presentationBar} from '../controls/presentation.js';
import {pageStrings} from '../strings/page.js';
import {canShareLink} from './class-link.js';
import {frameText} from './lesson-text.js';
import {addressOf} from './overview-template.js';
import {isInPlatform} from './platform.js';

/** @import {Lesson} from './index.js' */
/** @import {Page} from './lesson-templates.js' */
/** @import {PresentedStep} from './presented-step.js' */
/** @import {Progress as Seen} from './seen-steps.js' */

/** The bar above a step. @param {Page} page */
export function topBar({lesson, at, context, run, question, ...page}) {
  const answered = Object.keys(question.book.sheet.answers).length;
  const isLast = at === lesson.steps.length - 1;
  return html`<div class="bar">
    <p><a href=${addressOf([], context.large)}>${frameText.title}</a> › ${lesson.title}</p>
    <p class="time">
      ${run.computed?.data === undefined ? nothing : frameText.time(run.milliseconds)}
    </p>
    ${
      answered
        ? html`<button
            type="button"
            class="answers ${isLast ? 'primary' : 'quiet'}"
            @click=${page.onAnswers}
          >
            ${frameText.answers.all(answered)}
          </button>`
        : nothing
    }
    <button type="button" class="quiet large" aria-pressed=${context.large} @click=${page.onLarge}>
      ${frameText.large}
    </button>
    <button type="button" class="quiet large present" @click=${() => page.presented.show(true)}>
      ${pageStrings.present.start}
    </button>
    ${
      canShareLink()
        ? html`<button type="button" class="quiet large hand-out" @click=${page.onShare}>
            ${frameText.classLink.open}
          </button>`
        : nothing
    }
  </div>`;
}

/** The bar of a presentation. @param {Lesson} lesson @param {number} at @param {PresentedStep} presented */
export function presenting(lesson, at, presented) {
  const position = frameText.position(at + 1, lesson.steps.length);
  const {go} = presented;
  return presentationBar(pageStrings.present, position, {go, end: () => presented.show(false)});
}

/**
 * The bar that leads to the other steps.
 *
 * @param {Lesson} lesson
 * @param {number} at
 * @param {object} page
 * @param {Lesson | undefined} page.next
 * @param {Seen} page.progress
 * @param {(step: number) => string} page.addressOf
 * @param {(by: number) => void} page.onGo
 */
export function stepping(lesson, at, page) {
  const isLast = at === lesson.steps.length - 1;
  const afterLast = page.next ? nextLesson(page.next) : frameText.done;
  return html`<nav class="stepping" aria-label=${frameText.steps}>
    <button type="button" ?disabled=${at === 0} @click=${() => page.onGo(-1)}>
      <span aria-hidden="true">←</span> ${frameText.back}
    </button>
    <ol>
      ${lesson.steps.map(
        (other, i) =>
          html`<li>
            <a
              href=${page.addressOf(i)}
              title=${`${i + 1}. ${other.title}`}
              aria-label=${`${i + 1}. ${other.title}`}
              aria-current=${i === at ? 'step' : nothing}
              class=${page.progress.has(lesson.id, other.id) ? 'seen' : ''}
            ></a>
          </li>`,
      )}
    </ol>
    <span class="hint">${frameText.keys}</span>
    <span class="position">${frameText.position(at + 1, lesson.steps.length)}</span>
    <button
      type="button"
      class="primary next"
      ?disabled=${isLast && isInPlatform}
      @click=${() => page.onGo(1)}
    >
      ${isLast && !isInPlatform ? afterLast : frameText.next} <span aria-hidden="true">→</span>
    </button>
  </nav>`;
}

/** The words of the button to the next lesson; a phone has no room for its name. @param {Lesson} lesson */
const nextLesson = ({title}) => html`${frameText.nextLesson}<span class="name">: ${title}</span>`;
