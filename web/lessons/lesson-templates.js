import {html, nothing} from 'lit';
import {keyed} from 'lit/directives/keyed.js';
import {live} from 'lit/directives/live.js';
import {formatRoute} from '../routes/routes.js';
import {presentationBar} from '../controls/presentation.js';
import {failureMessage} from '../scope/messages.js';
import {loadingMessage} from '../scope/model-messages.js';
import {inline} from '../strings/marked-text.js';
import {classPath} from './answers/all-answers.js';
import {questionTemplate} from './answers/question.js';
import {pageStrings} from '../strings/page.js';
import {canShareLink} from './class-link.js';
import {lessons} from './index.js';
import {bertBase} from './bert-base.js';
import {isInPlatform} from './platform.js';
import {programOf, stepProgram} from './parts/step-program.js';
import {frameText, lessonTexts} from './lesson-text.js';
import {needsWords} from './step-run.js';
import {strings} from '../strings/index.js';

/** @import {Lesson} from './index.js' */
/** @import {Progress} from '../scope/shared-models.js' */
/** @import {Progress as Seen} from './seen-steps.js' */
/** @import {AnswerBook} from './answers/answer-book.js' */
/** @import {StepContext, Step} from './step.js' */
/** @import {PresentedStep} from './presented-step.js' */
/** @import {StepText} from './lesson-text.js' */

/**
 * @param {string[]} path
 * @param {boolean} [large]
 */
const addressOf = (path, large = false) =>
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

/**
 * One step of a lesson.
 *
 * @param {object} page
 * @param {Lesson} page.lesson
 * @param {number} page.at
 * @param {StepText} page.text
 * @param {Step} page.step
 * @param {Lesson | undefined} page.next  the lesson after this one
 * @param {number} page.page  in large type: which paragraph is shown; as many as there are: the question
 * @param {StepContext} page.context
 * @param {readonly string[]} page.sentences  with the reader's changes
 * @param {string} page.model  the model that the reader asked for; empty: one that comes with the page
 * @param {unknown} page.data  undefined before it is computed
 * @param {number} page.milliseconds  how long the data took
 * @param {Error | null} page.failure
 * @param {boolean} page.isLoaded  whether the model is loaded; if so, a failure is the step's
 * @param {Progress} page.loading  of the model
 * @param {Seen} page.progress
 * @param {AnswerBook} page.book
 * @param {(said: string) => void} page.onReveal
 * @param {() => void} page.onRetract
 * @param {() => void} page.onAnswers  shows the reader's answers in this lesson
 * @param {(step: number) => string} page.addressOf
 * @param {(i: number, sentence: string) => void} page.onSentence
 * @param {(page: number) => void} page.onPage
 * @param {(by: number) => void} page.onGo
 * @param {() => void} page.onLarge
 * @param {PresentedStep} page.presented
 * @param {() => void} page.onShare  shows the link for a class
 * @param {() => void} page.onBertBase  runs the step with bert-base
 * @param {() => void} page.onRetry
 * @param {() => void} page.onEmbedded  runs the embedded model again
 */
export function lessonTemplate({lesson, at, text, step, context, data, failure, ...page}) {
  const {title, prose} = text;
  const {id} = lesson.steps[at];
  const paragraphs = typeof prose !== 'function' ? prose : data === undefined ? [] : prose(data);
  const {book} = page;
  const turned = Math.min(page.page, paragraphs.length);
  const answered = Object.keys(book.sheet.answers).length;
  const isLast = at === lesson.steps.length - 1;
  return html`
    <div class="bar">
      <p><a href=${addressOf([], context.large)}>${frameText.title}</a> › ${lesson.title}</p>
      <p class="time">${data === undefined ? nothing : frameText.time(page.milliseconds)}</p>
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
      <button
        type="button"
        class="quiet large"
        aria-pressed=${context.large}
        @click=${page.onLarge}
      >
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
    </div>
    ${keyed(
      `${lesson.id}/${id}`,
      html`<article class="step" data-page=${turned}>
        <div class="telling">
          <h2 tabindex="-1">${title}</h2>
          ${paragraphs.map(
            (paragraph, i) => html`<p class=${i === turned ? 'now' : ''}>${inline(paragraph)}</p>`,
          )}
          ${
            text.aside
              ? html`<details class="aside">
                  <summary>${frameText.aside}</summary>
                  <p>${inline(text.aside)}</p>
                </details>`
              : nothing
          }
          ${pageTurner(turned, paragraphs.length + 1, page.onPage)}
        </div>
        <div class="asking ${turned === paragraphs.length ? 'now' : ''}">
          ${questionTemplate({
            text,
            asked: step.asked,
            data,
            isRevealed: book.isRevealed,
            own: book.own,
            found: book.found,
            facts: book.facts,
            onReveal: page.onReveal,
            onRetract: page.onRetract,
          })}
          ${data === undefined ? nothing : stepProgram(programOf(step, data, context.choices, context.sentences))}
          ${step.bertBase ? bertBaseOffer(context.model, page.onBertBase) : nothing}
        </div>
        <div class="widget">
          <div class="sentence-fields">
            ${page.sentences.map((sentence, i) => sentenceField(sentence, i, page))}
          </div>
          ${
            failure
              ? failureOf(failure, page)
              : data === undefined
                ? loadingMessage(page.loading)
                : step.widget(data, context)
          }
        </div>
      </article>`,
    )}
    ${page.presented.isOn ? presenting(lesson, at, page.presented) : stepping(lesson, at, page)}
  `;
}

/** The bar of a presentation. @param {Lesson} lesson @param {number} at @param {PresentedStep} presented */
function presenting(lesson, at, presented) {
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
function stepping(lesson, at, page) {
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

/**
 * A button that runs a step with bert-base, or what to expect of that model.
 *
 * @param {string} model
 * @param {() => void} onBertBase
 */
function bertBaseOffer(model, onBertBase) {
  return model === bertBase
    ? html`<p class="bert-base">${frameText.bertBase.expect}</p>`
    : html`<p class="bert-base">
        <button type="button" @click=${onBertBase}>${frameText.bertBase.use}</button>
        ${frameText.bertBase.size}
      </p>`;
}

/**
 * Buttons that turn over the paragraphs of a step, which large type shows one at a time.
 *
 * @param {number} page
 * @param {number} count
 * @param {(page: number) => void} onPage
 */
function pageTurner(page, count, onPage) {
  const turn = (
    /** @type {number} */ by,
    /** @type {string} */ sign,
    /** @type {string} */ label,
  ) =>
    html`<button
      type="button"
      class="quiet"
      aria-label=${label}
      ?disabled=${!(page + by >= 0 && page + by < count)}
      @click=${() => onPage(page + by)}
    >
      ${sign}
    </button>`;
  return html`<div class="pages">
    ${turn(-1, '‹', frameText.pageBefore)}
    <span>${frameText.position(page + 1, count)}</span>
    ${turn(1, '›', frameText.pageAfter)}
  </div>`;
}

/**
 * An empty sentence is not a failure: the reader is about to write another.
 *
 * @param {Error & {code?: string}} failure
 * @param {{isLoaded: boolean, model: string, onRetry: () => void, onEmbedded: () => void}} page
 */
function failureOf(failure, {isLoaded, model, onRetry, onEmbedded}) {
  if (failure.code === 'empty-text') return html`<p class="message">${frameText.empty}</p>`;
  if (failure.code === needsWords) {
    return html`<div class="message" role="alert">
      <p>${failure.message}</p>
      <button type="button" @click=${onEmbedded}>${strings.scope.embedded}</button>
    </div>`;
  }
  return failureMessage(failure, isLoaded, onRetry, model && !isLoaded ? onEmbedded : null);
}

/**
 * @param {string} sentence
 * @param {number} i
 * @param {{sentences: readonly string[], onSentence: (i: number, sentence: string) => void}} page
 */
function sentenceField(sentence, i, {sentences, onSentence}) {
  return html`<label class="field sentence-field">
    <span>${frameText.sentence(i, sentences.length)}</span>
    <textarea
      dir="auto"
      rows="1"
      autocomplete="off"
      spellcheck="false"
      .value=${live(sentence)}
      @input=${(/** @type {Event} */ event) =>
        onSentence(i, /** @type {HTMLTextAreaElement} */ (event.target).value)}
    ></textarea>
  </label>`;
}
