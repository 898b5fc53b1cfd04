import {LitElement, html, nothing} from 'lit';
import {contrast} from '../scope/baseline-codec.js';
import {workbenchStrings} from '../strings/workbench.js';
import './changes-panel.js';
import './effects-panel.js';
import './explanation-panel.js';
import './grammar-panel.js';
import './guess-panel.js';
import './heads-panel.js';
import './predictions-panel.js';
import './next-token-panel.js';
import './translation-beams.js';
import './translation-panel.js';
import './written-explanation-panel.js';
import './special-panel.js';
import {piecesHint, savedHint} from './hints.js';
import {keepInSight} from './bring-into-sight.js';
import {grammarMemory} from './measurements.js';
import {panelStyles} from './styles.js';
import {spellingOfModel} from '../attention/byte-level-tokens.js';
import {isOfDecoder, writtenToken} from '../attention/selection.js';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {State} from '../scope/state-fields.js' */
/** @import {TokensOf} from '../attention/describe-change.js' */
/** @import {ReaderChanges} from '../attention/reader-changes.js' */

/** @typedef {keyof typeof workbenchStrings.tabs} Tab */

const workbenchTabs = /** @type {Tab[]} */ (Object.keys(workbenchStrings.tabs));

/**
 * `<bert-workbench>` lets the reader change the model that a `<bert-scope>` shows, see the effects, and find the heads
 * that are worth a look.
 *
 * @fires edit  detail: `{text?, textPair?}`, the sentences that the reader wants; empty: the present ones, in
 *   place of a saved picture
 * @fires relation  detail: the statistic of all heads that the map is to be coloured by; null for none
 * @fires annotation  detail: the links of a sentence as annotated, to be drawn over its lines; null for none
 * @fires measured  detail: what heads were found to do
 */
export class BertWorkbench extends LitElement {
  static properties = {
    scope: {attribute: false},
    treebank: {attribute: false},
  };

  static styles = panelStyles;

  constructor() {
    super();
    /** @type {BertScope | null} */
    this.scope = null;
    /** Annotated sentences of the reader's, to measure the model on. @type {File | null} */
    this.treebank = null;
  }

  #grammar = grammarMemory();
  /** How often the reader has asked which words led to an answer. */
  #asked = 0;
  /** Whether the explanation stood beside the picture at the last update. */
  #explains = false;
  /** Whether it has shown something. */
  #hasBegun = false;

  connectedCallback() {
    super.connectedCallback();
    this.#listen(null, this.scope);
    // What moved it, such as the end of the researcher view, was dispatched while it did not listen.
    this.requestUpdate();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#listen(this.scope, null);
  }

  /** @param {Map<string, any>} changed */
  willUpdate(changed) {
    if (changed.has('scope')) this.#listen(changed.get('scope'), this.scope);
    const {scope} = this;
    // A panel beside the picture is opened for what it says.
    const explains = scope?.workbench === 'why' && isBesidePicture(scope);
    if (explains && !this.#explains) this.#asked++;
    this.#explains = explains;
  }

  /** Shows what an address has opened, which stands below the guess. An explanation shows itself when it is there. */
  updated() {
    const {scope} = this;
    if (this.#hasBegun || !scope) return;
    this.#hasBegun = true;
    const tabs = this.renderRoot.querySelector('.tabs');
    if (!tabs || !scope.workbench || scope.workbench === 'why' || !isBesidePicture(scope)) return;
    keepInSight(tabs, this);
  }

  /** @param {BertScope | null | undefined} before @param {BertScope | null} after */
  #listen(before, after) {
    for (const event of ['ready', 'result', 'change', 'untouched']) {
      before?.removeEventListener(event, this.#onScope);
      after?.addEventListener(event, this.#onScope);
    }
  }

  #onScope = () => this.requestUpdate();

  /** Makes the choice that a panel asks for. @param {CustomEvent<Partial<State>>} event */
  #choose = ({detail}) => this.scope?.choose(detail);

  /** Makes the changes of the model that a panel asks for. @param {CustomEvent<ReaderChanges>} event */
  #intervene = ({detail}) => this.scope?.choose({interventions: detail});

  /** Tells the page what a panel asks it for. @param {CustomEvent} event */
  #pass = ({type, detail}) => this.dispatchEvent(new CustomEvent(type, {detail}));

  render() {
    const {scope} = this;
    const tab = scope?.workbench;
    return html`${scope && isBesidePicture(scope) ? this.#guess(scope) : nothing}
      <section class="workbench" aria-labelledby="workbench-title">
        <div class="head">
          <h2 id="workbench-title">${workbenchStrings.title}</h2>
          <div class="tabs">
            ${workbenchTabs.map(
              (name) =>
                html`<button
                  type="button"
                  aria-expanded=${name === tab}
                  @click=${() => this.#open(name === tab ? '' : name)}
                >
                  ${workbenchStrings.tabs[name]}
                </button>`,
            )}
          </div>
        </div>
        ${scope && tab ? this.#content(scope, tab) : nothing}
      </section>`;
  }

  /** Opens a tab. @param {Tab | ''} workbench */
  #open(workbench) {
    if (workbench === 'why') this.#asked++;
    this.scope?.change({workbench});
  }

  /** Opens the explanation of the likeliest answer. @param {BertScope} scope @param {number | null} mask  null: of what is shown */
  #explain(scope, mask) {
    const token = mask === null ? {} : {token: {side: /** @type {const} */ ('query'), index: mask}};
    this.#asked++;
    scope.choose({workbench: 'why', answer: '', ...token});
  }

  /** @param {BertScope} scope */
  #guess(scope) {
    const {model, result, interventions, selection, translations} = scope;
    if (translations) return written(scope);
    const {index = -1} = selection.token ?? {};
    if (model?.predictionHeads.maskedLm && result?.specialTokens[index]) {
      return html`<workbench-special
        .model=${model}
        .result=${result}
        .interventions=${interventions}
        .pinned=${index}
      ></workbench-special>`;
    }
    return html`<workbench-guess
      .model=${model}
      .result=${result}
      .interventions=${interventions}
      .pinned=${selection.token?.index ?? null}
      @why=${() => this.#explain(scope, null)}
    ></workbench-guess>`;
  }

  /** @param {BertScope} scope @param {Tab} tab */
  #content(scope, tab) {
    if (scope.isSaved)
      return savedHint(scope, () => this.#pass(new CustomEvent('edit', {detail: {}})));
    if (!scope.translations) return html`${piecesHint(scope)} ${this.#panel(scope, tab)}`;
    return this.#translated(scope, scope.translations, tab);
  }

  /**
   * Draws the panels that work with an encoder-decoder.
   *
   * @param {BertScope} scope
   * @param {NonNullable<BertScope['translations']>} translations
   * @param {Tab} tab
   */
  #translated(scope, translations, tab) {
    const {token} = scope.selection;
    switch (tab) {
      case 'change':
        return html`<div class="columns">
          ${this.#changes(scope)} ${isBesidePicture(scope) ? nothing : written(scope)}
        </div>`;
      case 'why':
        return html`<workbench-written-explanation
          .model=${scope.model}
          .translation=${translations.now}
          .unchanged=${translations.before}
          .method=${scope.method}
          .pinned=${writtenToken(scope.selection)}
          .dark=${scope.isDark}
          @choose=${this.#choose}
        ></workbench-written-explanation>`;
      case 'predict':
        return html`<workbench-next-token
            .model=${scope.model}
            .result=${translations.now.decoder}
            .pinned=${token && isOfDecoder(scope.selection) ? token.index : null}
            .isTranslation=${true}
          ></workbench-next-token>
          <workbench-translation-beams
            .model=${scope.model}
            .text=${scope.text}
            .interventions=${scope.interventions}
          ></workbench-translation-beams>`;
      default:
        return html`<p class="hint" role="status">${workbenchStrings.translated}</p>`;
    }
  }

  /** @param {BertScope} scope */
  #changes(scope) {
    const {model, result, translations, selection, interventions} = scope;
    return html`<workbench-changes
      .model=${model}
      .tokensOf=${tokensOf(scope)}
      .dropped=${(result ?? translations?.now.encoder)?.dropped ?? []}
      .selection=${selection}
      .interventions=${interventions}
      .contrast=${scope.contrast}
      @change=${this.#intervene}
      @contrast=${(/** @type {CustomEvent<string>} */ {detail}) => scope.choose({compare: contrast.parse(detail) ?? null})}
    ></workbench-changes>`;
  }

  /** @param {BertScope} scope @param {number | null} pinned */
  #explanation(scope, pinned) {
    return html`<workbench-explanation
      .model=${scope.model}
      .result=${scope.result}
      .untouched=${scope.untouched}
      .pinned=${pinned}
      .words=${scope.words}
      .method=${scope.method}
      .answer=${scope.answer}
      .asked=${this.#asked}
      .dark=${scope.isDark}
      @choose=${this.#choose}
      @relation=${this.#pass}
    ></workbench-explanation>`;
  }

  /** @param {BertScope} scope @param {Tab} tab */
  #panel(scope, tab) {
    const {model, result, untouched, selection, interventions} = scope;
    const pinned = selection.token?.index ?? null;
    switch (tab) {
      case 'change':
        return html`<div class="columns">
          ${this.#changes(scope)}
          <workbench-effects
            .model=${model}
            .result=${result}
            .untouched=${untouched}
            .interventions=${interventions}
            .pinned=${pinned}
            .dark=${scope.isDark}
            @change=${this.#intervene}
          ></workbench-effects>
        </div>`;
      case 'predict':
        return html`<workbench-predictions
          .model=${model}
          .result=${result}
          .untouched=${untouched}
          .text=${scope.text}
          .pair=${scope.textPair}
          .pinned=${pinned}
          .dark=${scope.isDark}
          @edit=${this.#pass}
          @why=${(/** @type {CustomEvent<number | null>} */ {detail}) => this.#explain(scope, detail)}
        ></workbench-predictions>`;
      case 'why':
        return this.#explanation(scope, pinned);
      case 'heads':
        return html`<workbench-heads
          .model=${model}
          .result=${result}
          .selection=${selection}
          @choose=${this.#choose}
          @relation=${this.#pass}
        ></workbench-heads>`;
      case 'grammar':
        return html`<workbench-grammar
          .model=${model}
          .result=${result}
          .file=${this.treebank}
          .memory=${this.#grammar}
          .relation=${scope.relation}
          .pairs=${scope.pairs}
          .dark=${scope.isDark}
          @choose=${this.#choose}
          @relation=${this.#pass}
          @annotation=${this.#pass}
          @measured=${this.#pass}
          @edit=${this.#pass}
        ></workbench-grammar>`;
    }
  }
}

customElements.define('bert-workbench', BertWorkbench);

/** @param {BertScope} scope */
const written = ({model, translations}) =>
  html`<workbench-translation
    .model=${model}
    .translations=${translations}
  ></workbench-translation>`;

/** @param {BertScope} scope @returns {TokensOf} */
function tokensOf({model, result, translations}) {
  const spell = spellingOfModel(model);
  if (!translations) return () => (result?.tokens ?? []).map(spell);
  const {encoder, decoder, tokens} = translations.now;
  const lists = {
    encoder: {query: encoder.tokens, key: encoder.tokens},
    decoder: {query: decoder.tokens, key: decoder.tokens},
    cross: {query: tokens, key: encoder.tokens},
  };
  return (side, part = 'encoder') => lists[part][side].map(spell);
}

/** Whether the workbench stands in the open panel beside the picture. @param {BertScope} scope */
function isBesidePicture({panel, workbench, isSaved}) {
  return !isSaved && (panel === 'whatif' || (!panel && workbench !== ''));
}
