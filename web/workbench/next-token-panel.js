import {Task, TaskStatus} from '@lit/task';
import {html, nothing} from 'lit';
import {explanationStrings} from '../strings/explanation.js';
import {workbenchStrings} from '../strings/workbench.js';
import {namingOfModel, spellingOfModel, wholeCharacters} from '../attention/byte-level-tokens.js';
import {beamTree} from './beam-tree.js';
import {continuedText} from './continued-text.js';
import {textUpTo} from './guess.js';
import {candidateList, guessesOf, lensTable} from './guess-lists.js';
import {LensGrid} from './lens-grid.js';
import {numberFields, numbersOf} from './number-fields.js';
import {PanelTask, WorkbenchPanel} from './panel.js';
import {predictionStyles} from './styles.js';
import {problem} from './problem-message.js';
import {SurpriseWords} from './surprise.js';

/** @import {Model} from '../session/shared-models.js' */
/** @import {Result} from '../session/pass.js' */
/** @import {State} from '../scope/state-fields.js' */
/** @import {Candidate, Guesses} from './guess-lists.js' */

const {nextToken: words} = workbenchStrings;

/** What a reader can ask for. Names are those of the engine's settings. */
const fields = {
  tokens: {least: 1, most: 200, step: 1, value: 10},
  temperature: {least: 0, most: 2, step: 0.01, value: 0},
  seed: {least: 0, most: 9999, step: 1, value: 0},
};

/** What few ask for: it is one step away. */
const furtherFields = {
  topK: {least: 0, most: 1000, step: 1, value: 0},
  topP: {least: 0, most: 1, step: 0.01, value: 1},
  repetitionPenalty: {least: 0.5, most: 5, step: 0.01, value: 1},
  beams: {least: 1, most: 16, step: 1, value: 1},
  lengthPenalty: {least: -5, most: 5, step: 0.1, value: 1},
};

/**
 * The panel of a model that predicts the next token shows what it expects after a token, at its output and after every
 * layer, and how much each token surprises it; and lets it continue the text.
 *
 * @fires edit  detail: `{text?, textPair?, ids?}`, the sentence that the reader wants
 * @fires why  detail: the index of the token after which the likeliest word comes that the reader asks about
 */
export class WorkbenchNextToken extends WorkbenchPanel {
  static properties = {
    text: {},
    pair: {},
    isTranslation: {attribute: false},
    chosen: {state: true},
  };

  static styles = predictionStyles;

  #guesses = new Task(this, {
    args: () => /** @type {const} */ ([this.result, this.untouched, this.#place()]),
    task: async ([result, untouched, place]) =>
      result && this.model ? (await guessesOf(result, untouched, [place]))[0] : null,
  });
  #surprise = new SurpriseWords(this);
  #lensGrid = new LensGrid(this);
  #continuation = new PanelTask(this, {
    autoRun: false,
    task: async (_, {signal}) => {
      const [model, result] = [
        /** @type {Model} */ (this.model),
        /** @type {Result} */ (this.result),
      ];
      const form = /** @type {HTMLFormElement} */ (this.renderRoot.querySelector('form'));
      const options = {...numbersOf(form), signal};
      // The picture follows each token, until the reader writes something else.
      const isSecond = result.sentences.at(-1) === 1;
      const sent = [isSecond ? result.pair : result.text];
      const isOurs = () => sent.includes(isSecond ? this.pair : this.text);
      const onProgress = (/** @type {{text: string}} */ {text}) => {
        if (!isOurs()) return this.#continuation.abort();
        sent.push(sent[0] + wholeCharacters(text));
        this.#send(isSecond ? {textPair: sent.at(-1)} : {text: sent.at(-1)});
      };
      const {ids, ended, beams, steps} = await model.generate(result, {...options, onProgress});
      const continued = ids.length ? await continuedText(model, result, ids) : null;
      if (continued && this.isConnected && isOurs()) this.#send(continued);
      return {ended, search: beams && steps && {beams, steps}, begun: result};
    },
  });

  /** Writes the tokens that the reader has chosen, unless the text has become another one meanwhile. */
  #chosenTokens = new PanelTask(this, {
    autoRun: false,
    task: async (
      /** @type {readonly [Model, Result, number[], number | undefined, () => boolean]} */
      [model, begun, ids, end, isWanted],
    ) => {
      const continued = await continuedText(model, begun, ids, end);
      if (this.isConnected && isWanted()) this.#send(continued);
    },
  });

  constructor() {
    super();
    this.text = '';
    this.pair = '';
    /** Whether a decoder wrote the text, which nobody can continue. */
    this.isTranslation = false;
    /** The index of the token that was chosen here; null: the pinned one, or the last. @type {number | null} */
    this.chosen = null;
  }

  /** @param {Map<string, any>} changed */
  willUpdate(changed) {
    if (changed.has('result') || changed.has('pinned')) this.chosen = null;
  }

  /** The index of the token whose successor is shown. */
  #place() {
    const last = (this.result?.tokens.length ?? 1) - 1;
    return Math.min(this.chosen ?? this.pinned ?? last, last);
  }

  render() {
    const {result} = this;
    if (!this.model || !result) return html`<p class="hint">${workbenchStrings.noText}</p>`;
    return html`${this.#sentence(result)}
      <div class="masks">
        ${this.#expected(result)} ${this.isTranslation ? nothing : this.#continue(result)}
      </div>
      ${this.#chosenTokens.render({error: problem})}
      ${this.#lensGrid.template(
        result,
        this.#place(),
        spellingOfModel(this.model),
        (index) => (this.chosen = index),
      )}`;
  }

  /** Draws every token as a button that chooses it. @param {Result} result */
  #sentence(result) {
    const spell = spellingOfModel(this.model);
    const name = namingOfModel(this.model);
    return html`<section aria-labelledby="words-title">
      <h3 id="words-title">${words.title}</h3>
      ${this.#surprise.template(result, words.surpriseNote, (token, index, found) => ({
        text: spell(token),
        title: found
          ? words.instead(name(token), found.bits.toFixed(1), name(found.top[0].token))
          : words.choose(name(token)),
        isPressed: index === this.#place(),
        onClick: () => (this.chosen = index),
      }))}
    </section>`;
  }

  /** @param {Result} result */
  #expected(result) {
    const {value: guesses} = this.#guesses;
    if (!guesses) return this.#guesses.render({error: problem});
    const spell = spellingOfModel(this.model);
    const tokens = result.tokens.map(spell);
    return html`<section aria-labelledby="next-title">
      <h3 id="next-title">${words.after(textUpTo(tokens, guesses.index, result.specialTokens))}</h3>
      ${candidateList(guesses, spell, (candidate) => this.#writer(result, guesses.index, candidate))}
      ${this.isTranslation ? nothing : this.#why(guesses)} ${lensTable(guesses, spell)}
      ${this.#guesses.render({error: problem})}
    </section>`;
  }

  /** @param {Guesses} guesses */
  #why({index, top}) {
    const ask = () => this.dispatchEvent(new CustomEvent('why', {detail: index}));
    const word = namingOfModel(this.model)(top[0].token);
    return html`<button type="button" @click=${ask}>${explanationStrings.why(word)}</button>`;
  }

  /** @param {Result} result */
  #continue(result) {
    const isPending = this.#continuation.status === TaskStatus.PENDING;
    return html`<section aria-labelledby="continue-title">
      <h3 id="continue-title">${words.continueTitle}</h3>
      <p class="hint">${words.continueHint}</p>
      <form
        class="row"
        @submit=${(/** @type {Event} */ event) => {
          event.preventDefault();
          void this.#continuation.run();
        }}
      >
        ${numberFields(fields, words)}
        ${
          isPending
            ? html`<button type="button" @click=${() => this.#continuation.abort()}>
                ${words.stop}
              </button>`
            : html`<button class="primary" ?disabled=${this.#isBehind(result)}>
                ${words.run}
              </button>`
        }
        <details>
          <summary>${words.further}</summary>
          <p class="hint">${words.furtherHint}</p>
          <div class="row">${numberFields(furtherFields, words)}</div>
        </details>
      </form>
      ${this.#continuation.render({
        error: problem,
        complete: ({ended, search, begun}) =>
          html`${ended ? html`<p class="hint" role="status">${words.ended}</p>` : nothing}
          ${search && this.#goesOnFrom(begun) ? this.#beams(search, begun) : nothing}`,
      })}
    </section>`;
  }

  /**
   * @param {Parameters<typeof beamTree>[0]} search
   * @param {Result} begun  what the search continued
   */
  #beams(search, begun) {
    const {model} = this;
    const isWanted = () => this.#goesOnFrom(begun);
    return beamTree(search, spellingOfModel(model), ({ids}) => {
      if (model && isWanted())
        void this.#chosenTokens.run([model, begun, ids, undefined, isWanted]);
    });
  }

  /** Whether the text is still one that goes on from another. @param {Result} begun */
  #goesOnFrom({text, pair}) {
    return pair ? this.text === text && this.pair.startsWith(pair) : this.text.startsWith(text);
  }

  /**
   * Returns what ends the text after a token and adds another.
   *
   * @param {Result} result
   * @param {number} index
   * @param {Candidate} candidate
   */
  #writer(result, index, {id}) {
    const {model} = this;
    const isWanted = () => !this.#isBehind(result);
    if (!model || !result.offsets[index] || !isWanted()) return null;
    return () => void this.#chosenTokens.run([model, result, [id], index + 1, isWanted]);
  }

  /** Whether the reader has changed the text since. @param {Result} result */
  #isBehind({text, pair}) {
    return text !== this.text || pair !== (this.pair.trim() && this.pair);
  }

  /** @param {Partial<State>} detail */
  #send(detail) {
    this.dispatchEvent(new CustomEvent('edit', {detail}));
  }
}

customElements.define('workbench-next-token', WorkbenchNextToken);
