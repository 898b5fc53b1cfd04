import {TaskStatus} from '@lit/task';
import {html, nothing} from 'lit';
import {live} from 'lit/directives/live.js';
import {spellingOfModel} from '../attention/byte-level-tokens.js';
import {explanationStrings} from '../strings/explanation.js';
import {strings} from '../strings/index.js';
import {workbenchStrings} from '../strings/workbench.js';
import {headMap} from '../views/parts/head-map.js';
import {formatPercent} from '../views/parts/number-format.js';
import {PanelTask, WorkbenchPanel} from './panel.js';
import {problem} from './problem-message.js';
import {statesTable} from './states-table.js';
import {explanationStyles} from './styles.js';

/** @import {Model} from '../session/shared-models.js' */
/** @import {Result} from '../session/pass.js' */

/** @typedef {Awaited<ReturnType<Model['patch']>>} PatchMap */

const {patch: words} = explanationStrings;

/**
 * The panel finds where in the model an answer is decided: it puts each hidden state, and the output of each head, of
 * another sentence into this one (activation patching, Meng et al. 2022).
 */
export class WorkbenchPatch extends WorkbenchPanel {
  static properties = {
    target: {attribute: false},
    other: {state: true},
    progress: {state: true},
  };

  static styles = explanationStyles;

  /** @type {ReturnType<typeof headMap> | null} */
  #map = null;

  #patches = new PanelTask(this, {
    autoRun: false,
    task: async (_, {signal}) => {
      const model = /** @type {Model} */ (this.model);
      const result = /** @type {Result} */ (this.result);
      const {target, other} = this;
      this.progress = 0;
      const from = await model.attend(other, {pair: result.pair || undefined, signal});
      const patch = (/** @type {'hidden' | 'heads'} */ what, /** @type {number} */ begun) =>
        model.patch(result, from, {
          ...{what, target, signal},
          onProgress: ({done, total}) => (this.progress = begun + done / total / 2),
        });
      return {result, hidden: await patch('hidden', 0), heads: await patch('heads', 0.5)};
    },
  });

  constructor() {
    super();
    /** @type {NonNullable<Parameters<Result['explain']>[0]>['target']} */
    this.target = 'mask';
    /** The other sentence: that of the picture until the reader changes it. */
    this.other = '';
    this.progress = 0;
  }

  /** @param {Map<string, any>} changed */
  willUpdate(changed) {
    if (!changed.has('result')) return;
    this.#patches.abort();
    const before = changed.get('result')?.text ?? '';
    if (this.other === before) this.other = this.result?.text ?? '';
  }

  render() {
    const isPending = this.#patches.status === TaskStatus.PENDING;
    const {value} = this.#patches;
    return html`<section aria-labelledby="patch-title">
      <h3 id="patch-title">${words.title}</h3>
      <p class="hint">${words.help}</p>
      <form
        class="row"
        @submit=${(/** @type {Event} */ event) => {
          event.preventDefault();
          void this.#patches.run();
        }}
      >
        <label class="field other">
          <span>${words.other}</span>
          <input
            required
            .value=${live(this.other)}
            @input=${(/** @type {Event} */ {target}) => (this.other = /** @type {HTMLInputElement} */ (target).value)}
          />
        </label>
        ${
          isPending
            ? html`<button type="button" @click=${() => this.#patches.abort()}>
                  ${words.cancel}
                </button>
                <progress max="1" .value=${this.progress}></progress>`
            : html`<button class="primary">${words.run}</button>`
        }
      </form>
      ${this.#patches.render({error: problem})} ${value ? this.#maps(value) : nothing}
    </section>`;
  }

  /** @param {{result: Result, hidden: PatchMap, heads: PatchMap}} value */
  #maps({result, hidden, heads}) {
    const spell = spellingOfModel(this.model);
    const layers = heads.shape[0];
    const [, tokens] = hidden.shape;
    const largest = (/** @type {PatchMap} */ {map}) =>
      map.reduce((best, share, at) => (Math.abs(share) > Math.abs(map[best]) ? at : best), 0);
    const head = largest(heads);
    const place = strings.model.place(Math.floor(head / heads.shape[1]), head % heads.shape[1]);
    return html`<p role="status">
        ${result === this.result ? nothing : words.before} ${answersOf(hidden, spell)}
        ${words.most(place, formatPercent(heads.map[head]))}
      </p>
      <h4>${words.hidden}</h4>
      ${statesTable({
        label: words.hidden,
        names: hidden.tokens.map((token, at) => pairOf(spell(token), spell(hidden.from[at]))),
        rows: Array.from({length: layers + 1}, (_, index) =>
          index === 0 ? workbenchStrings.embeddings : strings.model.layer(index - 1),
        ),
        values: hidden.map.subarray(0, (layers + 1) * tokens),
        format: formatPercent,
        share: (moved) => moved,
      })}
      <h4>${words.heads}</h4>
      ${this.#mapOf(heads)}`;
  }

  /** @param {PatchMap} heads */
  #mapOf({map, shape: [layers, heads]}) {
    const most = Math.max(0.01, ...Array.from(map, Math.abs));
    const statistic = {
      ...{name: words.heads, help: words.help, values: map, range: {least: -most, most}},
      ...{isDifference: true, format: formatPercent},
    };
    const data = {layers, heads, statistic, chosen: {layers: [], heads: []}, dark: this.dark};
    if (this.#map) this.#map.update(data);
    else this.#map = headMap(data);
    return this.#map;
  }
}

/** Names the tokens of a column: both, where the sentences differ. @param {string} here @param {string} there */
const pairOf = (here, there) => (here === there ? here : `${here} ← ${there}`);

/** Says which answers the two sentences have. @param {PatchMap} patch @param {(token: string) => string} spell */
function answersOf({target, against}, spell) {
  const name = (/** @type {PatchMap['target']} */ answer) =>
    answer === 'vector' ? '' : 'label' in answer ? answer.name : spell(answer.word);
  if (target === 'vector') return words.vector;
  return against ? words.answers(name(against), name(target)) : words.same(name(target));
}

customElements.define('workbench-patch', WorkbenchPatch);
