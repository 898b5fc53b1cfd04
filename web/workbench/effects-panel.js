import {Task, TaskStatus} from '@lit/task';
import {html, nothing} from 'lit';
import {select} from '../controls/fields.js';
import {strings} from '../strings/index.js';
import {publishStrings} from '../strings/publish.js';
import {workbenchStrings} from '../strings/workbench.js';
import {spellingOfModel} from '../attention/byte-level-tokens.js';
import {formatNumber, formatProbability} from '../views/parts/number-format.js';
import {headMap} from '../views/parts/head-map.js';
import {withHead} from '../attention/reader-changes.js';
import {classifiedToken, likeliestOf} from './explained-answers.js';
import {nearestSameToken} from './nearest-same-token.js';
import {PanelTask, WorkbenchPanel} from './panel.js';
import {inPoints} from './percentage-points.js';
import {effectStyles} from './styles.js';
import {problem} from './problem-message.js';
import {statesTable} from './states-table.js';

/** @import {Model} from '../session/shared-models.js' */
/** @import {Result} from '../session/pass.js' */
/** @import {ReaderChanges} from '../attention/reader-changes.js' */

/** @typedef {Awaited<ReturnType<Model['headEffects']>>} HeadEffects */

/**
 * The prediction that the reader wants to watch: a token, with its index when it was chosen, or a class of a
 * classifier.
 *
 * @typedef {{index: number, token: string} | {label: number}} Wanted
 */

const {effects: words} = workbenchStrings;

/** Changes of a probability: the smallest that can have full colour, and the smallest that the text reports. */
const leastScale = 0.01;
const leastTold = 0.0001;

/**
 * The panel shows what changes do: how far each hidden state has moved, and how one prediction would change if each
 * head in turn were off.
 *
 * @fires change  detail: the interventions that the reader wants
 */
export class WorkbenchEffects extends WorkbenchPanel {
  static properties = {
    target: {state: true},
    progress: {state: true},
  };

  static styles = effectStyles;

  /** @type {ReturnType<typeof headMap> | null} */
  #map = null;

  #effects = new PanelTask(this, {
    autoRun: false,
    task: async (_, {signal}) => {
      const result = /** @type {Result} */ (this.result);
      const model = /** @type {Model} */ (this.model);
      const {interventions} = this;
      const {target, name} = await this.#watched(result, model);
      this.progress = 0;
      const effects = await model.headEffects(result, {
        target,
        signal,
        onProgress: ({done, total}) => (this.progress = done / total),
      });
      return {model, tokens: result.tokens, interventions, name, effects};
    },
  });
  #labels = new Task(this, {
    args: () => /** @type {const} */ ([this.result]),
    task: async ([result]) =>
      result && this.model?.predictionHeads.labels
        ? (await result.classes()).map(({label}) => label)
        : [],
  });
  #spans = new Task(this, {
    args: () => /** @type {const} */ ([this.result]),
    task: async ([result], {signal}) =>
      result && this.model?.predictionHeads.tokenLabels
        ? {result, spans: await result.namedSpans({signal})}
        : null,
  });
  #moved = new Task(this, {
    args: () => /** @type {const} */ ([this.result, this.untouched]),
    task: async ([result, untouched]) =>
      result && untouched
        ? {tokens: result.tokens, cosines: await result.similarity(untouched)}
        : null,
  });

  constructor() {
    super();
    /** @type {Wanted | null}  null: the first mask, the pinned token, or the first class */
    this.target = null;
    this.progress = 0;
  }

  render() {
    const {model, result} = this;
    if (!model || !result) return nothing;
    const {maskedLm, nextToken, labels, tokenLabels} = model.predictionHeads;
    return html`${
      maskedLm || nextToken || labels || tokenLabels
        ? this.#heads(result)
        : html`<section>
            <h3>${words.title}</h3>
            <p class="hint">${words.noHead}</p>
          </section>`
    }
    ${this.#states()}`;
  }

  /** @param {Result} result */
  #target(result) {
    const {maskedLm, nextToken, labels, tokenLabels} = /** @type {Model} */ (this.model)
      .predictionHeads;
    const {target} = this;
    if (target && 'label' in target && target.label < labels) return target;
    if (!maskedLm && !nextToken && !tokenLabels) return {label: 0};
    const token = this.#token(result);
    if (nextToken || tokenLabels) return {token};
    const {maskToken} = /** @type {Model} */ (this.model);
    if (result.tokens[token] === maskToken) return {token};
    return {token, id: result.ids[token], masked: maskToken !== null};
  }

  /** @param {Result} result */
  #token(result) {
    const {tokens, words: places} = result;
    const mask = tokens.indexOf(this.model?.maskToken ?? '');
    const {nextToken, tokenLabels} = /** @type {Model} */ (this.model).predictionHeads;
    const first = nextToken ? tokens.length - 1 : places.findIndex((word) => word !== null);
    const chosen =
      this.target && 'token' in this.target ? nearestSameToken(tokens, this.target) : -1;
    if (chosen >= 0) return chosen;
    if (tokenLabels) {
      const {value: named} = this.#spans;
      const spans = named?.result === result ? named.spans : undefined;
      return classifiedToken(result, this.pinned, spans);
    }
    const token = mask >= 0 ? mask : (this.pinned ?? first);
    return Math.min(Math.max(0, token), tokens.length - 1);
  }

  /**
   * Returns what is predicted and its name: the class, the likeliest class of a token, the token that stands there, or the
   * likeliest for a mask.
   *
   * @param {Result} result
   * @param {Model} model
   */
  async #watched(result, model) {
    const target = this.#target(result);
    if ('label' in target) return {target, name: this.#labels.value?.[target.label] ?? ''};
    const spell = spellingOfModel(model);
    const {token} = target;
    if (model.predictionHeads.tokenLabels) {
      const classes = await result.tokenClasses(token);
      const best = likeliestOf(classes);
      return {target: {token, label: classes.indexOf(best)}, name: best.label};
    }
    if (target.id !== undefined) return {target, name: spell(result.tokens[token])};
    const [at] = await result.predictions(1, {places: [token]});
    return {target, name: spell(at?.top[0].token ?? model.maskToken ?? '')};
  }

  /** @param {Result} result */
  #heads(result) {
    const target = this.#target(result);
    const {value} = this.#effects;
    const isPending = this.#effects.status === TaskStatus.PENDING;
    const {maskedLm, nextToken, tokenLabels} = /** @type {Model} */ (this.model).predictionHeads;
    const guesses = maskedLm || nextToken || tokenLabels > 0;
    const spell = spellingOfModel(this.model);
    const isWord = (/** @type {number} */ index) => guesses && result.words[index] !== null;
    const targets = Object.fromEntries([
      ...(this.#labels.value ?? []).map((name, label) => [`label ${label}`, words.label(name)]),
      ...result.tokens.flatMap((name, index) =>
        isWord(index) ? [[`token ${index}`, `${spell(name)} (${index})`]] : [],
      ),
    ]);
    const chosen = 'token' in target ? `token ${target.token}` : `label ${target.label}`;
    const choose = (/** @type {string} */ wanted) => {
      const [kind, index] = wanted.split(' ');
      const at = Number(index);
      this.target = kind === 'label' ? {label: at} : {index: at, token: result.tokens[at]};
    };
    return html`<section aria-labelledby="effects-title">
      <h3 id="effects-title">${words.title}</h3>
      <p class="hint">${words.hint} ${'masked' in target && target.masked ? words.masked : ''}</p>
      <div class="row">
        ${select(words.targets[tokenLabels ? 'classOf' : nextToken ? 'after' : maskedLm ? 'word' : 'class'], targets, chosen, choose)}
        ${
          isPending
            ? html`<button type="button" @click=${() => this.#effects.abort()}>
                  ${words.cancel}
                </button>
                <progress max="1" .value=${this.progress}></progress>`
            : html`<button type="button" class="primary" @click=${() => this.#effects.run()}>
                ${words.run}
              </button>`
        }
      </div>
      ${this.#effects.render({error: problem})}
      ${value && value.model === this.model && String(value.tokens) === String(result.tokens) ? this.#effect(value) : nothing}
    </section>`;
  }

  /** @param {{name: string, effects: HeadEffects, interventions: ReaderChanges}} value */
  #effect({name, effects, interventions}) {
    const {layers, heads, change, probability} = effects;
    const most = Math.max(leastScale, ...Array.from(change, Math.abs));
    const statistic = {
      name: words.title,
      help: words.hint,
      values: change,
      range: {least: -most, most},
      isDifference: true,
      format: inPoints,
    };
    const off = this.interventions.heads.filter(({scale}) => scale === 0);
    const last = off.at(-1);
    const chosen = {layers: last ? [last.layer] : [], heads: last ? [last.head] : []};
    const data = {layers, heads, statistic, chosen, dark: this.dark};
    if (this.#map) this.#map.update(data);
    else this.#map = headMap(data, {onChoose: (block) => this.#switchOff(block)});
    const strongest = change.indexOf(change.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a)));
    const place = publishStrings.where(Math.floor(strongest / heads), [strongest % heads]);
    return html`<p>
        ${
          Math.abs(change[strongest]) < leastTold
            ? words.noEffect(
                name,
                formatProbability(probability),
                workbenchStrings.points(formatNumber(100 * leastTold, 2)),
              )
            : words.summary(
                name,
                formatProbability(probability),
                place,
                inPoints(change[strongest]),
              )
        }
      </p>
      ${
        interventions === this.interventions
          ? nothing
          : html`<p class="hint" role="status">${words.before}</p>`
      }
      ${this.#map}`;
  }

  /** @param {{layers: readonly number[], heads: readonly number[]}} block */
  #switchOff({layers, heads}) {
    let wanted = this.interventions;
    for (const layer of layers) {
      for (const head of heads) wanted = withHead(wanted, {layer, head, scale: 0});
    }
    this.dispatchEvent(new CustomEvent('change', {detail: wanted}));
  }

  /** Draws how similar each hidden state is to that of the unchanged model. */
  #states() {
    const moved = this.#moved.value;
    if (!moved || !this.untouched) return nothing;
    return html`<section>
      <h3>${words.states}</h3>
      <p class="hint">${words.statesHint}</p>
      ${statesTable({
        label: words.states,
        names: moved.tokens.map(spellingOfModel(this.model)),
        rows: Array.from({length: moved.cosines.length / moved.tokens.length}, (_, layer) =>
          layer === 0 ? workbenchStrings.embeddings : strings.model.layer(layer - 1),
        ),
        values: moved.cosines,
        format: (cosine) => cosine.toFixed(2),
        share: (cosine) => 1 - cosine,
      })}
    </section>`;
  }
}

customElements.define('workbench-effects', WorkbenchEffects);
