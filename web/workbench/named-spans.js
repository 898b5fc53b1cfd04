import {Task} from '@lit/task';
import {html, nothing} from 'lit';
import {explanationStrings} from '../strings/explanation.js';
import {workbenchStrings} from '../strings/workbench.js';
import {namingOfModel, spellingOfModel} from '../attention/byte-level-tokens.js';
import {headColour} from '../views/parts/head-colours.js';
import {formatPercent} from '../views/parts/number-format.js';
import {classList} from './class-list.js';
import {classifiedToken, likeliestOf} from './explained-answers.js';
import {nearestSameToken} from './nearest-same-token.js';
import {WorkbenchPanel} from './panel.js';
import {problem} from './problem-message.js';
import {predictionStyles} from './styles.js';

/** @import {Result} from '../session/pass.js' */
/** @import {ChosenToken} from './nearest-same-token.js' */

/** @typedef {Awaited<ReturnType<Result['namedSpans']>>} NamedSpans */

const {names: words} = workbenchStrings;

/**
 * What a classifier of tokens names in the text, as coloured spans, and the classes of one token.
 *
 * @fires why  detail: the index of the token whose likeliest class the reader asks about
 */
export class WorkbenchNamedSpans extends WorkbenchPanel {
  static properties = {chosen: {state: true}};

  static styles = predictionStyles;

  #spans = new Task(this, {
    args: () => /** @type {const} */ ([this.result]),
    task: async ([result], {signal}) =>
      result && {result, spans: await result.namedSpans({signal})},
  });
  #classes = new Task(this, {
    args: () => /** @type {const} */ ([this.result, this.untouched, this.#token]),
    task: async ([result, untouched, token]) =>
      result && {
        result,
        token,
        now: await result.tokenClasses(token),
        before: (await untouched?.tokenClasses(token)) ?? null,
      },
  });

  constructor() {
    super();
    /** The token that the reader has chosen here. @type {ChosenToken | null} */
    this.chosen = null;
  }

  /** The token whose classes are listed. */
  get #token() {
    const {result, chosen, pinned} = this;
    if (!result) return 0;
    const same = chosen ? nearestSameToken(result.tokens, chosen) : -1;
    return same >= 0 ? same : classifiedToken(result, pinned, this.#spansOf(result));
  }

  /** The names in a text; none until they are known. @param {Result} result */
  #spansOf(result) {
    const {value} = this.#spans;
    return value?.result === result ? value.spans : undefined;
  }

  render() {
    const {result} = this;
    if (!result) return nothing;
    const spans = this.#spansOf(result);
    return html`<section aria-labelledby="names-title">
        <h3 id="names-title">${words.title}</h3>
        <p class="hint">${words.hint}</p>
        <p class="words">${this.#text(result, spans ?? [])}</p>
        ${spans && !spans.length ? html`<p class="hint">${words.none}</p>` : nothing}
        ${this.#spans.render({error: problem})}
      </section>
      ${this.#ofToken(result)}`;
  }

  /** Draws the tokens as buttons, and a frame with its name around those of a span. @param {Result} result @param {NamedSpans} spans */
  #text(result, spans) {
    const labels = [...new Set(spans.map(({label}) => label))];
    const begins = new Map(spans.map((span) => [span.begin, span]));
    const drawn = [];
    for (let at = 0; at < result.tokens.length; at++) {
      const span = begins.get(at);
      if (span) {
        const colour = headColour(labels.indexOf(span.label), this.dark);
        const pieces = Array.from({length: span.end - at}, (_, i) => this.#button(result, at + i));
        drawn.push(
          html`<mark style="--colour: ${colour}"
            >${pieces}
            <small><bdi>${span.label}</bdi> ${formatPercent(span.probability)}</small></mark
          >`,
        );
        at = span.end - 1;
      } else if (result.words[at] !== null) {
        drawn.push(this.#button(result, at));
      }
    }
    return drawn;
  }

  /** @param {Result} result @param {number} token */
  #button(result, token) {
    const text = spellingOfModel(this.model)(result.tokens[token]);
    return html`<button
      type="button"
      class="word"
      aria-pressed=${token === this.#token}
      title=${words.choose(text)}
      @click=${() => (this.chosen = {index: token, token: result.tokens[token]})}
    >
      ${text}
    </button>`;
  }

  /** Lists the classes of one token. @param {Result} result */
  #ofToken(result) {
    const {value} = this.#classes;
    if (value?.result !== result || value.token !== this.#token)
      return this.#classes.render({error: problem});
    const {token, now, before} = value;
    const ask = () => this.dispatchEvent(new CustomEvent('why', {detail: token}));
    const named = namingOfModel(this.model)(result.tokens[token]);
    return html`<section aria-labelledby="token-classes-title">
      <h3 id="token-classes-title">${words.classes(named)}</h3>
      ${classList(now, before)}
      <button type="button" @click=${ask}>${explanationStrings.why(likeliestOf(now).label)}</button>
    </section>`;
  }
}

customElements.define('workbench-named-spans', WorkbenchNamedSpans);
