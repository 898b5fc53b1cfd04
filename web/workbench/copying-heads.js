import {TaskStatus} from '@lit/task';
import {html, nothing} from 'lit';
import {workbenchStrings} from '../strings/workbench.js';
import {formatPercent} from '../views/parts/number-format.js';
import {PanelTask} from './panel.js';
import {problem} from './problem-message.js';

/** @import {Statistic} from '../attention/head-statistics.js' */
/** @import {HeadRef} from '../attention/shape.js' */
/** @import {Model} from '../session/shared-models.js' */
/** @import {WorkbenchPanel} from './panel.js' */

const {copying: words} = workbenchStrings;

/** @typedef {'induction' | 'duplicate' | 'previous'} Kind  the one that says most first */
const kinds = /** @type {readonly Kind[]} */ (['induction', 'duplicate', 'previous']);

/** The number of heads that are listed of each kind. */
const most = 5;

/**
 * Which heads of a decoder find a token that was there before, once the reader asks for it. Each kind can colour the
 * map of heads.
 */
export class CopyingHeads {
  #panel;
  #found;

  /** @param {WorkbenchPanel} panel */
  constructor(panel) {
    this.#panel = panel;
    this.#found = new PanelTask(panel, {
      autoRun: false,
      task: async (/** @type {readonly [Model]} */ [model], {signal}) => ({
        model,
        scores: await model.copyingHeads({signal}),
      }),
    });
  }

  /**
   * @param {(place: HeadRef) => unknown} placeButton  draws the name of a head as a button that chooses it
   */
  template(placeButton) {
    const {model} = this.#panel;
    if (!model?.config.isCausal) return nothing;
    // Another model's search says nothing of this one.
    const isOurs = this.#found.of === model;
    const {value, status} = this.#found;
    const scores = value?.model === model ? value.scores : null;
    return html`<section aria-labelledby="copying-title">
      <h3 id="copying-title">${words.title}</h3>
      <p class="hint">${words.hint}</p>
      <button
        type="button"
        ?disabled=${isOurs && status === TaskStatus.PENDING}
        @click=${() => this.#found.run([model])}
      >
        ${words.run}
      </button>
      ${
        isOurs
          ? this.#found.render({
              pending: () => html`<p class="hint" role="status">${words.running}</p>`,
              error: problem,
            })
          : nothing
      }
      ${
        scores
          ? html`<div class="kinds">
              ${kinds.map((kind) => this.#kind(kind, scores, placeButton))}
            </div>`
          : nothing
      }
    </section>`;
  }

  /**
   * @param {Kind} kind
   * @param {Awaited<ReturnType<Model['copyingHeads']>>} scores
   * @param {(place: HeadRef) => unknown} placeButton
   */
  #kind(kind, scores, placeButton) {
    const values = scores[kind];
    const best = Array.from(values, (_, at) => at)
      .sort((a, b) => values[b] - values[a])
      .slice(0, most);
    return html`<div>
      <h4>${words.kinds[kind].name}</h4>
      <p class="hint">${words.kinds[kind].rule}</p>
      <ol class="alike">
        ${best.map(
          (at) =>
            html`<li>
              ${placeButton({layer: Math.floor(at / scores.heads), head: at % scores.heads})}
              <span></span>
              <span class="number">${formatPercent(values[at])}</span>
            </li>`,
        )}
      </ol>
      <button type="button" @click=${() => this.#colour(statisticOf(kind, values))}>
        ${words.colour}
      </button>
    </div>`;
  }

  /** @param {Statistic} detail */
  #colour(detail) {
    this.#panel.dispatchEvent(new CustomEvent('relation', {detail}));
  }
}

/** @param {Kind} kind @param {Float32Array} values @returns {Statistic} */
const statisticOf = (kind, values) => ({
  name: words.kinds[kind].name,
  help: words.kinds[kind].rule,
  values,
  range: {least: 0, most: 1},
  format: formatPercent,
});
