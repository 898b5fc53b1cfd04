import {html, nothing, render} from 'lit';
import {openDialog} from '../controls/dialog.js';
import {pageConsent} from '../session/consent.js';
import {datesAddress} from '../session/source-address.js';
import {pageEngine} from '../session/shared-models.js';
import {megabytes} from '../scope/model-messages.js';
import {save} from '../export/download.js';
import {atEndpoint} from '../engine/hub-address.js';
import {modelAddress} from '../engine/model-address.js';
import {strings} from '../strings/index.js';
import {liveStrings} from '../strings/live.js';
import {modelStrings as words} from '../strings/models.js';
import {pageStrings} from '../strings/page.js';
import {create} from '../views/parts/create-element.js';
import {isAttentionName} from './dropped-files.js';
import {HubForm} from './hub-form.js';
import {keptList, knownList, nameIn, titleOf} from './model-lists.js';

/** @import {KeptModel} from '../engine/files/model-store.js' */
/** @import {FolderFile} from '../engine/files/model-sources.js' */
/** @import {Model, ModelSource} from '../session/shared-models.js' */

/** @typedef {{name: string, bytes: number, load: () => void}} Question  whether to download a model of this size */

/** The reader is asked before a download of more bytes, if the list that it was chosen from did not state its size. */
const MOST_UNASKED_BYTES = 100e6;

/** The dialog in which the reader chooses a model: from the hub, from files, or from the kept models. */
export class ModelManager {
  /** The content stays between two openings, with what the reader wrote. */
  #content = create('div');
  /** @type {HTMLDialogElement | null} */
  #dialog = null;
  #current;
  #onModel;
  #onDates;
  #form;
  /** @type {AbortController | null} */
  #loading = null;
  /** A download that waits for the reader, who has to know its size. @type {Question | null} */
  #question = null;
  #progress = {name: '', loaded: 0, total: 0, tensor: '', begun: 0};
  #problem = '';
  #notice = '';
  /** @type {KeptModel[]} */
  #kept = [];
  #isLasting = true;

  /**
   * @param {object} page
   * @param {() => string} page.current  returns the source of the model that runs; empty: the embedded model
   * @param {(source: string) => void} page.onModel
   * @param {() => void} page.onDates  shows the encoder-decoder that comes with the page
   */
  constructor({current, onModel, onDates}) {
    this.#current = current;
    this.#onModel = onModel;
    this.#onDates = onDates;
    this.#form = new HubForm(this.#content, {
      onName: (name) => this.#loadNamed(name),
      onChange: () => this.#draw(),
    });
  }

  open() {
    this.#problem = '';
    this.#draw();
    this.#dialog = openDialog(document.body, 'models', words, [this.#content]);
    void this.#act(() => this.#list());
  }

  /** Loads a model that was dropped on the page. @param {Promise<FolderFile[]>} dropped */
  drop(dropped) {
    this.open();
    void this.#act(async () => {
      const files = await dropped;
      await this.#load(files, files[0]?.path.split('/')[0] ?? '');
    });
  }

  /** Does what the reader asked for; the dialog says if it fails. @param {() => Promise<void>} action */
  async #act(action) {
    try {
      await action();
    } catch (error) {
      this.#problem = words.actionFailed(/** @type {Error} */ (error).message);
      this.#draw();
    }
  }

  /** Loads what the reader has typed: a name on the hub, or an address. @param {string} name */
  #loadNamed(name) {
    const {endpoint} = this.#form.hub;
    const address = modelAddress(name, endpoint);
    const source = /^(https?:|hub:|kept:)/.test(address) ? address : `hub:${name}`;
    const whole = atEndpoint(source, endpoint);
    const isKept = this.#kept.some((kept) => kept.source === whole);
    void this.#load(source, name, isKept ? Infinity : MOST_UNASKED_BYTES);
  }

  /**
   * @param {ModelSource} source
   * @param {string} name
   * @param {number} [mostBytes]  The reader is asked before a download of more.
   */
  async #load(source, name, mostBytes = Infinity) {
    this.#loading?.abort();
    this.#form.stopSuggesting();
    this.#question = null;
    const loading = (this.#loading = new AbortController());
    const {signal} = loading;
    Object.assign(this.#progress, {
      name,
      loaded: 0,
      total: 0,
      tensor: '',
      begun: performance.now(),
    });
    this.#problem = '';
    this.#notice = '';
    this.#draw();
    try {
      const {endpoint, token} = this.#form.hub;
      const onProgress = (
        /** @type {{loaded: number, total: number, tensor: string}} */ progress,
      ) => {
        if (signal.aborted) return;
        if (progress.total > mostBytes) {
          loading.abort();
          this.#ask({name, bytes: progress.total, load: () => void this.#load(source, name)});
        } else {
          Object.assign(this.#progress, progress);
          this.#draw();
        }
      };
      const model = await pageEngine.load(source, {endpoint, token, onProgress, signal});
      this.#loading = null;
      pageConsent.approve(model.source);
      this.#onModel(model.source);
      this.#dialog?.close();
      await this.#keep(model);
    } catch (error) {
      if (signal.aborted) return;
      this.#loading = null;
      const {code, message} = /** @type {Error & {code?: string}} */ (error);
      this.#problem = code === 'no-answer' ? words.noAnswer(message) : words.failed(message);
    } finally {
      this.#draw();
    }
  }

  /** Asks whether to load a large model. @param {Question} question */
  #ask(question) {
    this.#loading = null;
    this.#question = question;
    this.#draw();
    /** @type {HTMLElement} */ (this.#content.querySelector('.loading button')).focus();
  }

  /** @param {Model} model  is stored for the next visit, unless it is a kept model already */
  async #keep(model) {
    await this.#list();
    if (this.#kept.some(({source}) => source === model.source)) return;
    try {
      await model.keep();
    } catch (error) {
      this.#notice = words.notKept(/** @type {Error} */ (error).message);
    }
    await this.#list();
  }

  async #list() {
    const {models, isLasting} = await pageEngine.use((engine) => engine.kept());
    this.#kept = models;
    this.#isLasting = isLasting;
    this.#draw();
  }

  /** @param {KeptModel} kept */
  async #remove({source}) {
    await pageEngine.use((engine) => engine.removeKept(source));
    await this.#list();
    // The button that had the focus is gone, so readers with a keyboard continue from this heading.
    /** @type {HTMLElement} */ (this.#content.querySelector('#models-kept')).focus();
  }

  /** @param {KeptModel} kept */
  async #download({source, name}) {
    const file = await pageEngine.use((engine) => engine.keptFile(source));
    if (!file) return this.#list();
    save(`${name}.safetensors`, file);
  }

  #stop() {
    this.#loading?.abort();
    this.#loading = null;
    this.#question = null;
    this.#draw();
  }

  #draw() {
    render(
      html`
        <p class="muted">${words.help}</p>
        ${this.#currentLine()} ${this.#datesLine()}
        ${this.#loading ? this.#progressLine() : nothing}
        ${this.#question ? this.#questionLine(this.#question) : nothing}
        <p class="notice problem" role="alert">${this.#problem}</p>
        ${this.#form.draw()} ${knownList((source, name) => void this.#load(source, name))}
        ${this.#filePickers()} ${this.#keptList()}
      `,
      this.#content,
    );
  }

  /** Draws which model runs, and a button that goes back to the embedded model. */
  #currentLine() {
    const source = this.#current();
    if (!source) return html`<p>${words.embeddedRuns}</p>`;
    const kept = this.#kept.find((kept) => kept.source === source);
    const own = source === datesAddress ? words.dates.name : nameIn(source);
    const name = kept ? titleOf(kept) : own;
    const back = () => this.#leave(() => this.#onModel(''));
    return html`<p>
      ${words.current} <bdi>${name}</bdi>
      <button type="button" @click=${back}>${strings.scope.embedded}</button>
    </p>`;
  }

  /** Offers the other model that comes with the page. */
  #datesLine() {
    if (this.#current() === datesAddress) return nothing;
    return html`<p>
      ${words.dates.what}
      <button type="button" @click=${() => this.#leave(this.#onDates)}>${words.dates.name}</button>
    </p>`;
  }

  /** Closes the dialog for a model that needs no download. @param {() => void} show */
  #leave(show) {
    this.#stop();
    this.#dialog?.close();
    show();
  }

  #progressLine() {
    const {name, loaded, total, tensor, begun} = this.#progress;
    const seconds = (performance.now() - begun) / 1000;
    const rate = seconds > 0.5 ? megabytes(loaded / seconds) : '';
    return html`<div class="loading" role="group" aria-label=${words.loading(name)}>
      <label class="field">
        <span>${words.loading(name)}</span>
        <progress max=${total || 1} .value=${total ? loaded : 0}></progress>
      </label>
      <p class="muted">
        ${total ? liveStrings.size.progress(megabytes(loaded), megabytes(total)) : ''}
        ${rate && words.rate(rate)} <code>${tensor}</code>
      </p>
      <button type="button" @click=${() => this.#stop()}>${words.stop}</button>
    </div>`;
  }

  #filePickers() {
    const choose = (/** @type {Event} */ event) => {
      const input = /** @type {HTMLInputElement} */ (event.target);
      const files = [...(input.files ?? [])];
      const [first] = files;
      input.value = '';
      if (files.length === 1 && isAttentionName(first.name)) {
        this.#problem = pageStrings.import.isAttention(first.name);
        this.#draw();
      } else if (first)
        void this.#load(files, first.webkitRelativePath.split('/')[0] || first.name);
    };
    return html`<div class="pickers">
      <label class="field">
        <span>${words.files}</span>
        <input id="models-files" type="file" multiple @change=${choose} />
      </label>
      <label class="field">
        <span>${words.folder}</span>
        <input id="models-folder" type="file" webkitdirectory @change=${choose} />
      </label>
    </div>`;
  }

  /** @param {Question} question */
  #questionLine({name, bytes, load}) {
    return html`<div class="loading" role="group" aria-labelledby="models-asks">
      <p id="models-asks" role="alert">${words.asks(name, megabytes(bytes))}</p>
      <p class="actions">
        <button type="button" class="primary" @click=${load}>${words.agree}</button>
        <button type="button" @click=${() => this.#stop()}>${words.notNow}</button>
      </p>
    </div>`;
  }

  #keptList() {
    const shown = {
      kept: this.#kept,
      current: this.#current(),
      notice: this.#notice,
      isLasting: this.#isLasting,
    };
    return keptList(shown, {
      open: (kept) => void this.#load(kept.source, titleOf(kept)),
      download: (kept) => void this.#act(() => this.#download(kept)),
      remove: (kept) => void this.#act(() => this.#remove(kept)),
    });
  }
}
