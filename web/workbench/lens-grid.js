import {TaskStatus} from '@lit/task';
import {html, nothing} from 'lit';
import {strings} from '../strings/index.js';
import {workbenchStrings} from '../strings/workbench.js';
import {formatPercent} from '../views/parts/number-format.js';
import {PanelTask} from './panel.js';
import {problem} from './problem-message.js';

/** @import {Result} from '../session/pass.js' */
/** @import {Candidate} from './guess-lists.js' */
/** @import {WorkbenchPanel} from './panel.js' */

const {lensGrid: words} = workbenchStrings;

/** @typedef {{result: Result, tokens: readonly number[], columns: Candidate[][][]}} Grid */

/** Of a longer text the last tokens are read: each costs a product with the whole vocabulary for every layer. */
const mostTokens = 64;
/** A cell names so many words when it is pointed at. */
const perCell = 3;

/**
 * What the word head reads after every layer at every token: nostalgebraist's picture of the logit lens (2020,
 * "interpreting GPT: the logit lens").
 */
export class LensGrid {
  #panel;
  #read;
  #done = 0;
  /** The latest grid that was read to its end. @type {Grid | null} */
  #grid = null;

  /** @param {WorkbenchPanel} panel */
  constructor(panel) {
    this.#panel = panel;
    this.#read = new PanelTask(panel, {
      autoRun: false,
      task: async (/** @type {readonly [Result]} */ [result], {signal}) => {
        const tokens = shownTokens(result);
        /** @type {Candidate[][][]} */
        const columns = [];
        for (const token of tokens) {
          signal.throwIfAborted();
          // The reader may have gone on to another text.
          if (panel.result !== result) return;
          this.#tell(columns.length / tokens.length);
          columns.push(await result.logitLens(token, perCell));
        }
        this.#grid = {result, tokens, columns};
      },
    });
  }

  /** @param {number} done  the share of the work */
  #tell(done) {
    this.#done = done;
    this.#panel.requestUpdate();
  }

  /**
   * @param {Result} result
   * @param {number} place  the index of the token whose guesses are listed
   * @param {(token: string) => string} spell
   * @param {(index: number) => void} choose
   */
  template(result, place, spell, choose) {
    const isOurs = this.#read.of === result;
    const isPending = isOurs && this.#read.status === TaskStatus.PENDING;
    return html`<section aria-labelledby="lens-grid-title">
      <h3 id="lens-grid-title">${words.title}</h3>
      <p class="hint">${words.hint}</p>
      ${
        isPending
          ? html`<div class="row">
              <progress aria-label=${words.title} max="1" .value=${this.#done}></progress>
              <button type="button" @click=${() => this.#read.abort()}>${words.stop}</button>
            </div>`
          : html`<button type="button" @click=${() => this.#read.run([result])}>
              ${words.run}
            </button>`
      }
      ${this.#grid?.result === result ? table({...this.#grid, place}, spell, choose) : nothing}
      ${isOurs ? this.#read.render({error: problem}) : nothing}
    </section>`;
  }
}

/** @param {{tokens: readonly unknown[]}} text */
export function shownTokens({tokens}) {
  const first = Math.max(0, tokens.length - mostTokens);
  return Array.from({length: tokens.length - first}, (_, at) => first + at);
}

/**
 * @param {Grid & {place: number}} found
 * @param {(token: string) => string} spell
 * @param {(index: number) => void} choose
 */
function table({result, tokens, columns, place}, spell, choose) {
  const settled = columns.map(settledFrom);
  const rows = columns[0].map((_, depth) => depth);
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${words.table}>
      <table class="lens-grid">
        <thead>
          <tr>
            <td></td>
            ${tokens.map(
              (token) =>
                html`<th scope="col">
                  <button
                    type="button"
                    class="bare"
                    aria-pressed=${token === place}
                    title=${workbenchStrings.nextToken.choose(spell(result.tokens[token]))}
                    @click=${() => choose(token)}
                  >
                    <bdi>${spell(result.tokens[token])}</bdi>
                  </button>
                </th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (depth) =>
              html`<tr>
                <th scope="row">
                  ${depth === 0 ? workbenchStrings.embeddings : strings.model.layer(depth - 1)}
                </th>
                ${columns.map((column, at) => cell(column[depth], depth >= settled[at], spell))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${tokens[0] > 0 ? html`<p class="hint">${words.cut(mostTokens)}</p>` : nothing}`;
}

/**
 * @param {Candidate[]} top
 * @param {boolean} isSettled
 * @param {(token: string) => string} spell
 */
function cell(top, isSettled, spell) {
  const named = top.map(({token, probability}) => `${spell(token)} ${formatPercent(probability)}`);
  return html`<td
    class=${isSettled ? 'settled' : ''}
    style="--share: ${top[0].probability}"
    title=${named.join(' · ')}
  >
    <bdi>${spell(top[0].token)}</bdi> <small>${formatPercent(top[0].probability)}</small>
  </td>`;
}

/**
 * From which row on the likeliest word is that of the last layer, without a change.
 *
 * @param {readonly (readonly {id: number}[])[]} column  after the embeddings and after each layer, the likeliest first
 */
export function settledFrom(column) {
  const last = column.length - 1;
  const before = column.findLastIndex(([{id}]) => id !== column[last][0].id);
  return before + 1;
}
