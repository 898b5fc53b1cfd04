import {html, nothing} from 'lit';
import {keyed} from 'lit/directives/keyed.js';
import {live} from 'lit/directives/live.js';
import {failureMessage, progressMessage} from '../scope/messages.js';
import {failureText, loadingMessage} from '../scope/model-messages.js';
import {inline} from '../strings/marked-text.js';
import {questionTemplate} from './answers/question.js';
import {bertBase} from './bert-base.js';
import {programOf, stepProgram} from './parts/step-program.js';
import {presenting, stepping, topBar} from './lesson-bars.js';
import {frameText} from './lesson-text.js';
import {needsWords} from './step-run.js';
import {strings} from '../strings/index.js';

/** @import {Lesson} from './index.js' */
/** @import {Progress as Seen} from './seen-steps.js' */
/** @import {StepQuestion} from './answers/step-question.js' */
/** @import {StepRun} from './step-run.js' */
/** @import {StepContext, Step} from './step.js' */
/** @import {PresentedStep} from './presented-step.js' */
/** @import {StepText} from './lesson-text.js' */

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
 * @param {StepRun} page.run
 * @param {Seen} page.progress
 * @param {StepQuestion} page.question
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
export function lessonTemplate(page) {
  const {lesson, at, text, run} = page;
  const data = run.computed?.data;
  const {prose} = text;
  const paragraphs = typeof prose !== 'function' ? prose : data === undefined ? [] : prose(data);
  const turned = Math.min(page.page, paragraphs.length);
  return html`
    ${topBar(page)}
    ${keyed(
      `${lesson.id}/${lesson.steps[at].id}`,
      html`<article class="step" data-page=${turned}>
        ${telling(page, paragraphs, turned)} ${asking(page, turned === paragraphs.length)}
        ${widget(page)}
      </article>`,
    )}
    ${page.presented.isOn ? presenting(lesson, at, page.presented) : stepping(lesson, at, page)}
  `;
}

/** @typedef {Parameters<typeof lessonTemplate>[0]} Page */

/**
 * Draws the text of the step.
 *
 * @param {Page} page
 * @param {readonly string[]} paragraphs
 * @param {number} turned  the paragraph that is shown in large type
 */
function telling({text, onPage}, paragraphs, turned) {
  return html`<div class="telling">
    <h2 tabindex="-1">${text.title}</h2>
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
    ${pageTurner(turned, paragraphs.length + 1, onPage)}
  </div>`;
}

/** Draws the question of the step. @param {Page} page @param {boolean} isTurned  whether large type shows it */
function asking({text, step, context, run, question, ...page}, isTurned) {
  const data = run.computed?.data;
  const {isRevealed, own, found, facts} = question.book;
  return html`<div class="asking ${isTurned ? 'now' : ''}">
    ${questionTemplate({
      text,
      asked: step.asked,
      ...{data, isRevealed, own, found, facts},
      onReveal: (said) => question.reveal(said),
      onRetract: () => question.retract(),
    })}
    ${data === undefined ? nothing : stepProgram(programOf(step, data, context.choices, context.sentences))}
    ${step.bertBase ? bertBaseOffer(context.model, page.onBertBase) : nothing}
  </div>`;
}

/** Draws what the step shows, and the sentences that it shows it of. @param {Page} page */
function widget({step, context, run, ...page}) {
  const {failure, isHalted, done, loading} = run;
  const data = run.computed?.data;
  return html`<div class="widget">
    <div class="sentence-fields">
      ${page.sentences.map((sentence, i) => sentenceField(sentence, i, page))}
    </div>
    ${
      failure
        ? failureOf(failure, run.isLoaded, page)
        : isHalted || done !== null
          ? computing(run, page.onRetry)
          : data === undefined
            ? loadingMessage(loading)
            : step.widget(data, context)
    }
  </div>`;
}

/**
 * Says how much of a long computation is done, with a button that stops it or begins it again.
 *
 * @param {StepRun} run
 * @param {() => void} onRetry
 */
function computing(run, onRetry) {
  const {measuring, stop, stopped, start} = frameText.long;
  return run.isHalted
    ? html`<div class="message" role="status">
        <p>${stopped}</p>
        <button type="button" @click=${onRetry}>${start}</button>
      </div>`
    : html`${progressMessage(measuring, (run.done ?? 0) / 100)}
        <button type="button" @click=${() => run.halt()}>${stop}</button>`;
}

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
 * @param {boolean} isLoaded  whether the model is loaded; if so, the failure is the step's
 * @param {{model: string, onRetry: () => void, onEmbedded: () => void}} page
 */
function failureOf(failure, isLoaded, {model, onRetry, onEmbedded}) {
  if (failure.code === 'empty-text') return html`<p class="message">${frameText.empty}</p>`;
  if (failure.code === needsWords) {
    return html`<div class="message" role="alert">
      <p>${failure.message}</p>
      <button type="button" @click=${onEmbedded}>${strings.scope.embedded}</button>
    </div>`;
  }
  const said = failureText(failure, isLoaded);
  return failureMessage(failure, said, onRetry, model && !isLoaded ? onEmbedded : null);
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
