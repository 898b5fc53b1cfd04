import {html, nothing} from 'lit';
import {inline} from '../../strings/marked-text.js';
import {explanationOf, labelOf, labelOfFound} from '../answers/question.js';
import {lessons} from '../index.js';
import {frameText} from '../lesson-text.js';
import {plans} from './plans.js';
import {SolvedSteps} from './solved-steps.js';

/** @import {StepContext} from '../step.js' */
/** @import {PlanId} from './plans.js' */
/** @import {SolvedStep} from './solved-steps.js' */
/** @import {Computed} from '../step-run.js' */

const words = frameText.sheets;

/**
 * Makes what a teacher takes to the class: a plan, in which each step has its minutes and its answer, or a lesson for paper,
 * with lines to write on and the answers on a page of their own. Both are made from the steps of the lessons.
 */
export class SheetPage {
  #steps;
  /** @type {{title: string, plan: PlanId | null} | null} */
  #shown = null;
  #isPrintAsked = false;
  /** The pictures that are drawn, or have failed. @type {WeakSet<EventTarget>} */
  #settled = new WeakSet();
  /** What pictures report does not bubble, but is caught on its way down. */
  #onSettled = {capture: true, handleEvent: (/** @type {Event} */ event) => this.#settle(event)};

  /** @param {object} user  of the models @param {() => void} onChange  shows the page again */
  constructor(user, onChange) {
    this.#steps = new SolvedSteps(user, onChange);
  }

  get title() {
    return this.#shown?.title ?? '';
  }

  /**
   * Begins a sheet.
   *
   * @param {readonly string[]} path  `plan` and the name of a plan, or `print` and the id of a lesson
   * @returns {boolean}  whether there is one
   */
  open([kind, id, ...rest]) {
    const lesson = lessons.find((each) => each.id === id);
    this.#isPrintAsked = false;
    if (rest.length) return false;
    if (kind === 'plan' && Object.hasOwn(plans, id)) {
      const plan = /** @type {PlanId} */ (id);
      this.#shown = {title: words.plans[plan], plan};
      void this.#steps.start(Object.keys(plans[plan].steps));
    } else if (kind === 'print' && lesson) {
      this.#shown = {title: lesson.title, plan: null};
      void this.#steps.start(lesson.steps.map((step) => `${id}/${step.id}`));
    } else return false;
    return true;
  }

  close() {
    this.#shown = null;
    this.#steps.stop();
  }

  template() {
    const {all, isDone} = this.#steps;
    const plan = this.#shown?.plan;
    return html`<div
      class="sheet"
      aria-busy=${!isDone}
      @result=${this.#onSettled}
      @error=${this.#onSettled}
    >
      <h2 tabindex="-1">${this.title}</h2>
      <p class="lead by-hand">${plan ? words.ofPlan : words.ofLesson}</p>
      <p class="by-hand">
        <button type="button" class="primary" ?disabled=${!isDone} @click=${this.#print}>
          ${words.print}
        </button>
        <span role="status">${isDone ? nothing : words.computing}</span>
      </p>
      ${plan ? planTemplate(plan, all) : lessonTemplate(this.title, all)}
    </div>`;
  }

  /** @param {Event} event */
  #settle({target, currentTarget}) {
    if (target) this.#settled.add(target);
    this.#printWhenSettled(/** @type {HTMLElement} */ (currentTarget));
  }

  #print = (/** @type {Event} */ {currentTarget}) => {
    const button = /** @type {HTMLElement} */ (currentTarget);
    this.#isPrintAsked = true;
    this.#printWhenSettled(/** @type {HTMLElement} */ (button.closest('.sheet')));
  };

  /** @param {HTMLElement} sheet */
  #printWhenSettled(sheet) {
    if (!this.#isPrintAsked) return;
    if (![...sheet.querySelectorAll('bert-scope')].every((each) => this.#settled.has(each))) return;
    this.#isPrintAsked = false;
    // The last picture is drawn with the next frame.
    requestAnimationFrame(() => requestAnimationFrame(() => print()));
  }
}

/** @param {PlanId} plan @param {readonly SolvedStep[]} steps */
function planTemplate(plan, steps) {
  const minutes = Object.values(plans[plan].steps);
  const left = plans[plan].minutes - minutes.reduce((sum, each) => sum + each, 0);
  return html`<ol class="plan">
    ${steps.map(
      (solved, i) =>
        html`<li>
          <span class="minutes">${words.minutes(minutes[i])}</span>
          <div>
            ${
              solved.lesson === steps[i - 1]?.lesson
                ? nothing
                : html`<p class="of-lesson">${solved.lesson.title}</p>`
            }
            <h3><a href=${solved.address}>${solved.lesson.steps[solved.at].title}</a></h3>
            <p>${inline(solved.text.question)}</p>
            ${answerTemplate(solved)}
          </div>
        </li>`,
    )}
    ${
      left
        ? html`<li>
            <span class="minutes">${words.minutes(left)}</span>
            <h3>${words.handIn}</h3>
          </li>`
        : nothing
    }
  </ol>`;
}

/** Shows what is found, and why. @param {SolvedStep} solved */
function answerTemplate({step, text, computed, found, facts, failure}) {
  if (failure) return html`<p role="alert">${failure.message}</p>`;
  if (found === undefined) return html`<p class="expected">…</p>`;
  const isOwn = !step?.asked || found === null;
  return html`<p class="expected">
      ${isOwn ? words.own : html`${words.expected} <b>${labelOfFound(text, found)}</b>`}
    </p>
    <p>${inline(explanationOf(text, computed?.data, facts))}</p>`;
}

/** @param {string} title @param {readonly SolvedStep[]} steps */
function lessonTemplate(title, steps) {
  return html`<p class="signed">${words.name}</p>
    ${steps.map(stepTemplate)}
    <section class="solutions">
      <h2>${words.answersOf(title)}</h2>
      <ol>
        ${steps.map(
          (solved) =>
            html`<li>
              <h3>${solved.lesson.steps[solved.at].title}</h3>
              ${answerTemplate(solved)}
            </li>`,
        )}
      </ol>
    </section>`;
}

/** @param {SolvedStep} solved */
function stepTemplate({lesson, at, text, step, computed}) {
  const {prose, question} = text;
  const data = computed?.data;
  const paragraphs = typeof prose !== 'function' ? prose : data === undefined ? [] : prose(data);
  const options = step?.asked?.options
    ? data
      ? step.asked.options(data)
      : []
    : Object.keys(text.options ?? {});
  return html`<section class="on-paper">
    <h3>${at + 1}. ${lesson.steps[at].title}</h3>
    ${paragraphs.map((paragraph) => html`<p>${inline(paragraph)}</p>`)}
    ${
      computed && step
        ? html`<p class="sentences">
              ${computed.input.sentences.map((sentence) => html`<span>${sentence}</span>`)}
            </p>
            <div class="widget" inert>
              ${step.widget(data, deskOf(text.labels ?? {}, computed))}
            </div>`
        : nothing
    }
    <p class="asked"><b>${frameText.question}</b> ${inline(question)}</p>
    ${
      step?.asked?.kind === 'choice'
        ? html`<ul class="boxes">
            ${options.map((option) => html`<li><bdi>${labelOf(text, option)}</bdi></li>`)}
          </ul>`
        : html`<div class="lines"></div>`
    }
  </section>`;
}

/**
 * A context at which nothing can be chosen, for white paper.
 *
 * @param {StepContext['labels']} labels
 * @param {Computed} computed
 * @returns {StepContext}
 */
function deskOf(labels, {input, model, src}) {
  const choose = () => {};
  const look = /** @type {const} */ ({theme: 'light', dark: false, large: false, isOnPaper: true});
  return {...input, ...look, labels, model, src, choose};
}
