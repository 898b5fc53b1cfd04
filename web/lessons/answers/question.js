import {html, nothing} from 'lit';
import {locale} from '../../strings/locale.js';
import {inline} from '../../strings/marked-text.js';
import {frameText} from '../lesson-text.js';
import {longestAnswer} from './answer-fields.js';
import {verdictOf} from './verdict.js';

/** @import {Asked, Found} from '../step.js' */
/** @import {StepText} from '../lesson-text.js' */
/** @import {Answer} from './answer-fields.js' */

const words = frameText.answers;

/** How an answer is called in the text of a step. @param {StepText} text @param {string} said */
export const labelOf = ({options}, said) =>
  options && Object.hasOwn(options, said) ? options[said] : said;

/** Names the answer of the engine, and the first one of several. @param {StepText} text @param {Found} found */
export function labelOfFound(text, found) {
  const first = Array.isArray(found) ? found[0] : found;
  return typeof first === 'number' ? first.toLocaleString(locale) : labelOf(text, first);
}

/**
 * Shows what a step says of its answer, once there is something to say.
 *
 * @param {StepText} text
 * @param {unknown} data
 * @param {unknown} facts
 */
export const explanationOf = ({answer}, data, facts) =>
  typeof answer !== 'function' ? answer : data ? answer(data, facts) : '';

/**
 * The question of a step. The reader predicts the answer or goes on; then it is shown, with what the engine found.
 *
 * @param {object} question
 * @param {StepText} question.text
 * @param {Asked | undefined} question.asked
 * @param {unknown} question.data  empty before it is computed, and for a sentence that the step is not about
 * @param {boolean} question.isRevealed
 * @param {Answer | undefined} question.own  what the reader predicted
 * @param {Found | null | undefined} question.found  undefined before the engine has found it
 * @param {unknown} question.facts  the numbers that it follows from
 * @param {(said: string) => void} question.onReveal  empty: without a prediction
 * @param {() => void} question.onRetract
 */
export function questionTemplate({text, isRevealed, ...question}) {
  return html`<section class="question" aria-labelledby="asked">
    <p id="asked"><span>${frameText.question}</span> ${inline(text.question)}</p>
    ${isRevealed ? revealed({text, ...question}) : prediction({text, ...question})}
  </section>`;
}

/** @param {Omit<Parameters<typeof questionTemplate>[0], 'isRevealed'>} question */
function prediction({text, asked, data, onReveal}) {
  const skip = html`<button type="button" class="quiet uncompared" @click=${() => onReveal('')}>
    ${words.skip}
  </button>`;
  if (asked?.kind !== 'choice') return writing(asked, asked !== undefined && !data, onReveal, skip);
  const options = asked.options
    ? data
      ? asked.options(data)
      : []
    : Object.keys(text.options ?? {});
  return html`<div class="predictions" role="group" aria-label=${words.predict}>
    ${options.map(
      (option) =>
        html`<button type="button" ?disabled=${!data} @click=${() => onReveal(option)}>
          <bdi>${labelOf(text, option)}</bdi>
        </button>`,
    )}
    ${skip}
  </div>`;
}

/**
 * A field for the reader's own words, or for a number.
 *
 * @param {Asked | undefined} asked
 * @param {boolean} isWaiting  for what the words are compared with
 * @param {(said: string) => void} onReveal
 * @param {unknown} skip
 */
function writing(asked, isWaiting, onReveal, skip) {
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    onReveal(form.querySelector('input')?.value ?? '');
  };
  return html`<form class="predictions" @submit=${submit}>
    <input
      dir="auto"
      autocomplete="off"
      maxlength=${longestAnswer}
      inputmode=${asked?.kind === 'number' ? 'numeric' : nothing}
      placeholder=${asked ? words.predict : words.think}
      aria-labelledby="asked"
    />
    <button ?disabled=${isWaiting}>${words.compare}</button>
    ${skip}
  </form>`;
}

/** @param {Omit<Parameters<typeof questionTemplate>[0], 'isRevealed'>} question */
function revealed({text, asked, data, own, found, facts, onRetract}) {
  return html`<div class="revealed" tabindex="-1">
    <div class="outcome">
      ${outcome(text, asked, own, found)}
      <button type="button" class="quiet" @click=${onRetract}>
        ${own ? words.again : words.predict}
      </button>
    </div>
    <p class="explained">${inline(explanationOf(text, data, facts))}</p>
  </div>`;
}

/**
 * What the reader said, and what was found. Once another sentence has another answer, what they said about the first is
 * neither right nor wrong.
 *
 * @param {StepText} text
 * @param {Asked | undefined} asked
 * @param {Answer | undefined} own
 * @param {Found | null | undefined} found
 */
function outcome(text, asked, own, found) {
  const isSame = own && (found === undefined || verdictOf(asked, own.said, found) === own.verdict);
  const verdict = own && isSame ? own.verdict : '';
  const start = verdict === 'wrong' ? words.wrong : words.said;
  const said = own ? html`${start} <bdi>${labelOf(text, own.said)}</bdi>` : nothing;
  const answer =
    found !== undefined && found !== null && html`<bdi>${labelOfFound(text, found)}</bdi>`;
  const line =
    verdict === 'right' && answer
      ? html`${words.right} ${answer}`
      : html`${said}${own && answer ? ' · ' : nothing}${answer ? html`${words.found} ${answer}` : nothing}`;
  const isFinding = asked !== undefined && found === undefined;
  return html`<p class="verdict ${verdict}" role="status">${line}${isFinding ? ' …' : nothing}</p>`;
}
