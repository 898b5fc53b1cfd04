import {html, nothing} from 'lit';
import {checkbox, segment, select, slider} from '../controls/fields.js';
import {strings} from '../strings/index.js';
import {liveStrings} from '../strings/live.js';
import {workbenchStrings} from '../strings/workbench.js';
import {WorkbenchPanel} from './panel.js';
import {panelStyles} from './styles.js';
import {namedToken} from '../attention/byte-level-tokens.js';
import {describeChange} from '../attention/describe-change.js';
import {isOfDecoder} from '../attention/selection.js';
import {
  changesOf,
  hasPlace,
  noReaderChanges,
  partShown,
  scaleOf,
  shapeOfPart,
  temperatureOf,
  temperatures,
  withEdge,
  withHead,
  withItem,
  withTemperature,
} from '../attention/reader-changes.js';

/** @import {TokensOf} from '../attention/describe-change.js' */
/** @import {Change, ReaderChanges} from '../attention/reader-changes.js' */
/** @import {Dropped, Edge} from '../engine/interventions.js' */
/** @import {CompareMode} from '../session/pass-origin.js' */
/** @import {Selection} from '../attention/selection.js' */

const {changes: words} = workbenchStrings;

/** The most changes that are listed. A link may make thousands, which would take long to draw. */
const mostShown = 100;

/**
 * The panel lists what is changed in the model, and has the controls that change more.
 *
 * @fires change  detail: the interventions that the reader wants
 * @fires contrast  detail: how the reader wants to compare with the unchanged model
 */
export class WorkbenchChanges extends WorkbenchPanel {
  static properties = {
    tokensOf: {attribute: false},
    dropped: {attribute: false},
    selection: {attribute: false},
    contrast: {},
    edge: {state: true},
  };

  static styles = panelStyles;

  constructor() {
    super();
    /** The tokens as a reader sees them; none until a text has run. @type {TokensOf} */
    this.tokensOf = () => [];
    /** The changes that did not fit the text. @type {readonly Dropped[]} */
    this.dropped = [];
    /** @type {Selection} */
    this.selection = {layer: 0, heads: [0], filter: 'all', token: null};
    /** @type {CompareMode | ''} */
    this.contrast = '';
    /** The edge that the form describes, without its layer and head. */
    this.edge = {query: 0, key: 0, weight: 0, renormalise: true};
  }

  /** @param {Map<string, any>} changed */
  willUpdate(changed) {
    // A pinned token fills in its side of the edge; a later choice there stays until the next token is pinned.
    const {token} = this.selection;
    const before = changed.get('selection')?.token;
    if (!changed.has('selection') || !token) return;
    if (before?.side === token.side && before.index === token.index) return;
    this.edge = {...this.edge, [token.side]: token.index};
  }

  render() {
    return html`${this.#list()}
      <div class="tools">${this.#places()} ${this.#link()} ${this.#scores()}</div>`;
  }

  #list() {
    const changes = changesOf(this.interventions);
    if (!changes.length) return html`<p class="hint">${words.none}</p>`;
    const shown = changes.slice(0, mostShown);
    return html`${this.#contrast()}
      ${this.#withoutEffect(shown).map((why) => html`<p role="status" class="hint">${why}</p>`)}
      <ul class="chips" aria-label=${words.list}>
        ${shown.map((change) => {
          const name = this.#describe(change);
          return html`<li>
            <span>${name}</span>
            <button
              type="button"
              aria-label=${words.undo(name)}
              title=${words.undo(name)}
              @click=${() => this.#change(change.without)}
            >
              ×
            </button>
          </li>`;
        })}
        ${changes.length > mostShown ? html`<li>${words.more(changes.length - mostShown)}</li>` : nothing}
        <li>
          <button type="button" class="quiet" @click=${() => this.#change(noReaderChanges)}>
            ${words.undoAll}
          </button>
        </li>
      </ul>`;
  }

  /**
   * Writes a sentence for each change that this text or this model has no place for. These changes stay, since the
   * next text or model may have one.
   *
   * @param {Change[]} changes
   * @returns {string[]}
   */
  #withoutEffect(changes) {
    const {model, tokensOf} = this;
    if (!model || !tokensOf('query').length) return [];
    const reasons = changes.flatMap((each) => {
      const {kind, change} = each;
      const shape = shapeOfPart(
        model,
        kind === 'head' || kind === 'edge' ? change.part : 'encoder',
      );
      if (!shape) return [words.noDecoder(this.#describe(each))];
      if (!hasPlace(each, model)) {
        return [words.noPlace(this.#describe(each), shape.layers, shape.heads)];
      }
      if (kind === 'edge' && change.part === 'decoder' && change.key > change.query) {
        return [words.laterToken(this.#describe(each))];
      }
      const places =
        kind === 'edge'
          ? /** @type {const} */ (['query', 'key']).map((side) => ({
              index: change[side],
              length: tokensOf(side, change.part).length,
            }))
          : [{index: kind === 'token' ? change : 0, length: tokensOf('query').length}];
      const beyond = places.find(({index, length}) => index >= length);
      return beyond ? [words.beyondText(this.#describe(each), beyond.length)] : [];
    });
    const isHeld = this.dropped.some(({code}) => code === 'no-keys-left');
    return isHeld ? [...reasons, words.noKeysLeft] : reasons;
  }

  /** Draws the choice of how to compare with the unchanged model. */
  #contrast() {
    const choose = (/** @type {string} */ detail) =>
      this.dispatchEvent(new CustomEvent('contrast', {detail}));
    return html`<div class="row">
      <span id="contrast-label">${words.contrast}</span>
      <div class="joined" role="radiogroup" aria-labelledby="contrast-label">
        ${
          /** @type {const} */ (['after', 'side', 'difference']).map((mode) =>
            segment('contrast', words.contrasts[mode], mode === (this.contrast || 'after'), () =>
              choose(mode === 'after' ? '' : mode),
            ),
          )
        }
      </div>
    </div>`;
  }

  /** @param {Change} change */
  #describe(change) {
    return describeChange(change, this.tokensOf);
  }

  /** The token of the text that is pinned; null if there is none, or if a decoder wrote it. */
  get #pinned() {
    const {token} = this.selection;
    return token && !isOfDecoder(this.selection) ? token.index : null;
  }

  /** Draws the controls of the chosen head, its layer, and the pinned token. */
  #places() {
    const {interventions: now, selection} = this;
    const {layer, heads, filter} = selection;
    const [head] = heads;
    const place = {layer, head, ...partShown(filter)};
    const scale = scaleOf(now, place);
    const percent = Math.round(scale * 100);
    const pinned = this.#pinned;
    return html`<fieldset>
      <legend>${words.place}</legend>
      ${slider(
        words.strength(strings.model.place(layer, head), percent),
        {min: 0, max: 200, step: 10, value: percent},
        (value) => this.#change(withHead(now, {...place, scale: value / 100})),
      )}
      ${checkbox(strings.controls.headOff(strings.model.place(layer, head)), scale === 0, (off) =>
        this.#change(withHead(now, {...place, scale: off ? 0 : 1})),
      )}
      ${place.part ? nothing : this.#layer(layer)}
      ${
        pinned === null
          ? html`<p class="hint">${words.pinFirst}</p>`
          : checkbox(
              liveStrings.changes.unseen(
                namedToken(this.tokensOf('query')[pinned] ?? `#${pinned}`),
              ),
              now.maskedTokens.includes(pinned),
              (unseen) =>
                this.#change({...now, maskedTokens: withItem(now.maskedTokens, pinned, unseen)}),
            )
      }
    </fieldset>`;
  }

  /** Draws the controls of a whole layer. @param {number} layer */
  #layer(layer) {
    const {interventions: now} = this;
    return html`${checkbox(
      liveStrings.changes.layerOff(strings.model.layer(layer)),
      now.layersOff.includes(layer),
      (off) => this.#change({...now, layersOff: withItem(now.layersOff, layer, off)}),
    )}
    ${this.#temperature(strings.model.layer(layer), temperatureOf(now, layer), (temperature) =>
      withTemperature(now, temperature, layer),
    )}`;
  }

  /** Draws the form that sets one attention weight of the chosen head. */
  #link() {
    const {layer, heads, filter} = this.selection;
    const part = partShown(filter);
    const {query, key, weight, renormalise} = this.edge;
    const tokens = {
      query: this.tokensOf('query', part.part),
      key: this.tokensOf('key', part.part),
    };
    const place = {
      query: Math.min(query, tokens.query.length - 1),
      key: Math.min(key, tokens.key.length - 1),
    };
    const set = (/** @type {Partial<Edge>} */ changed) => (this.edge = {...this.edge, ...changed});
    const choice = (/** @type {'query' | 'key'} */ side) =>
      select(
        strings.view[side],
        tokens[side].map((name, index) => `${name} (${index})`),
        place[side],
        (index) => set({[side]: Number(index)}),
      );
    const wanted = {layer, head: heads[0], ...place, weight, renormalise, ...part};
    return html`<fieldset>
      <legend>${words.link}</legend>
      <div class="pair">${choice('query')} ${choice('key')}</div>
      ${slider(
        words.weight(weight.toFixed(2)),
        {min: 0, max: 1, step: 0.05, value: weight},
        (value) => set({weight: value}),
      )}
      ${checkbox(words.renormalise, renormalise, (on) => set({renormalise: on}))}
      <button
        type="button"
        ?disabled=${!tokens.key.length}
        @click=${() => this.#change(withEdge(this.interventions, wanted))}
      >
        ${words.setLink}
      </button>
    </fieldset>`;
  }

  /** Draws the controls that hold for every head. */
  #scores() {
    if (partShown(this.selection.filter).part) return nothing;
    const now = this.interventions;
    const {causal, temperature, scoreScale} = now;
    return html`<fieldset>
      <legend>${words.everywhere}</legend>
      ${
        this.model?.config.isCausal
          ? nothing
          : checkbox(liveStrings.changes.causal, causal, (on) => this.#change({...now, causal: on}))
      }
      ${this.#temperature('', temperature, (chosen) => withTemperature(now, chosen))}
      ${select(
        liveStrings.changes.scoreScale,
        liveStrings.changes.scoreScales,
        scoreScale,
        (chosen) => this.#change({...now, scoreScale: chosen}),
      )}
    </fieldset>`;
  }

  /**
   * @param {string} place  empty: every layer
   * @param {number} temperature
   * @param {(temperature: number) => ReaderChanges} changed
   */
  #temperature(place, temperature, changed) {
    const steps = 20;
    const {least, most} = temperatures;
    // The slider is logarithmic, so that low temperatures have as much room as high ones.
    const position = (steps * Math.log(temperature / least)) / Math.log(most / least);
    const at = (/** @type {number} */ step) =>
      Number((least * (most / least) ** (step / steps)).toPrecision(2));
    const effect = words.temperatureEffects[effectOf(temperature)];
    return slider(
      words.temperature(place, temperature, effect),
      {min: 0, max: steps, step: 'any', value: position},
      (step) => this.#change(changed(nearOne(at(step)))),
    );
  }

  /** @param {ReaderChanges} interventions */
  #change(interventions) {
    this.dispatchEvent(new CustomEvent('change', {detail: interventions}));
  }
}

/** @param {number} temperature */
function effectOf(temperature) {
  if (temperature === 1) return 'same';
  return temperature < 1 ? 'sharper' : 'flatter';
}

/** Rounds to 1 what is close to it, so that a slider can leave the model unchanged. @param {number} temperature */
function nearOne(temperature) {
  return Math.abs(temperature - 1) < 0.06 ? 1 : temperature;
}

customElements.define('workbench-changes', WorkbenchChanges);
