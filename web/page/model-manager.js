import {html, nothing, render} from 'lit';
import {openDialog} from '../controls/dialog.js';
import {pageConsent} from '../scope/consent.js';
import {pageEngine} from '../scope/shared-models.js';
import {megabytes} from '../scope/model-messages.js';
import {save} from '../export/download.js';
import {language, strings} from '../strings/index.js';
import {liveStrings} from '../strings/live.js';
import {pageStrings} from '../strings/page.js';
import {create} from '../views/parts/create-element.js';
import {filesOf, isAttentionName} from './dropped-files.js';
import {find} from './find-element.js';
import {knownModels} from './known-models.js';

/** @import {KeptModel} from '../engine/files/model-store.js' */
/** @import {Model, ModelSource} from '../scope/shared-models.js' */

const {models: words} = pageStrings;

/** The dialog in which the reader chooses a model: from the hub, from files, or from the kept models. */
export class ModelManager {
  /** The content stays between two openings, with what the reader wrote. */
  #content = create('div');
  /** @type {HTMLDialogElement | null} */
  #dialog = null;
  #current;
  #onModel;
  /** @type {AbortController | null} */
  #loading = null;
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
   */
  constructor({current, onModel}) {
    this.#current = current;
    this.#onModel = onModel;
    find('choose-model', HTMLButtonElement).addEventListener('click', () => this.open());
  }

  open() {
    this.#problem = '';
    this.#draw();
    this.#dialog = openDialog(document.body, 'models', words, [this.#content]);
    void this.#act(() => this.#list());
  }

  /** @param {DataTransfer} transfer */
  drop(transfer) {
    // This must be called at once: later, the browser has cleared the drop.
    const dropped = filesOf(transfer);
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

  /**
   * @param {ModelSource} source
   * @param {string} name
   */
  async #load(source, name) {
    this.#loading?.abort();
    const {signal} = (this.#loading = new AbortController());
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
      const {endpoint, token} = this.#hub;
      const onProgress = (
        /** @type {{loaded: number, total: number, tensor: string}} */ progress,
      ) => {
        Object.assign(this.#progress, progress);
        this.#draw();
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

  get #hub() {
    const value = (/** @type {string} */ id) =>
      /** @type {HTMLInputElement | null} */ (
        this.#content.querySelector(`#${id}`)
      )?.value.trim() || undefined;
    return {endpoint: value('models-endpoint'), token: value('models-token')};
  }

  #stop() {
    this.#loading?.abort();
    this.#loading = null;
    this.#draw();
  }

  #draw() {
    render(
      html`
        <p class="muted">${words.help}</p>
        ${this.#currentLine()} ${this.#loading ? this.#progressLine() : nothing}
        <p class="notice problem" role="alert">${this.#problem}</p>
        ${this.#nameForm()} ${this.#filePickers()} ${this.#keptList()} ${this.#knownList()}
      `,
      this.#content,
    );
  }

  /** Draws which model runs, and a button that goes back to the embedded model. */
  #currentLine() {
    const source = this.#current();
    if (!source) return html`<p>${words.embeddedRuns}</p>`;
    const kept = this.#kept.find((kept) => kept.source === source);
    const name = kept ? titleOf(kept) : nameIn(source);
    const back = () => {
      this.#stop();
      this.#dialog?.close();
      this.#onModel('');
    };
    return html`<p>
      ${words.current} <bdi>${name}</bdi>
      <button type="button" @click=${back}>${strings.scope.embedded}</button>
    </p>`;
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

  #nameForm() {
    const submit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const field = /** @type {HTMLInputElement} */ (this.#content.querySelector('#models-name'));
      const name = field.value.trim();
      if (!name) return;
      // A web address is that of a quantized file; a plain name is a model on the hub.
      const isAddress = /^(https?:|hub:|kept:)/.test(name);
      void this.#load(isAddress ? name : `hub:${name}`, name);
    };
    return html`<form @submit=${submit}>
      <label class="field">
        <span>${words.name}</span>
        <input
          id="models-name"
          placeholder="google-bert/bert-base-uncased"
          spellcheck="false"
          autocapitalize="off"
        />
      </label>
      <details>
        <summary>${words.hub}</summary>
        <label class="field">
          <span>${words.endpoint}</span>
          <input id="models-endpoint" type="url" placeholder="https://huggingface.co" />
        </label>
        <label class="field">
          <span>${words.token}</span>
          <input id="models-token" type="password" autocomplete="off" />
        </label>
      </details>
      <p class="actions"><button type="submit">${words.load}</button></p>
    </form>`;
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

  #keptList() {
    return html`<section aria-labelledby="models-kept">
      <h3 id="models-kept" tabindex="-1">${words.kept}</h3>
      ${this.#notice ? html`<p class="notice" role="status">${this.#notice}</p>` : nothing}
      ${this.#isLasting ? nothing : html`<p class="notice">${words.notLasting}</p>`}
      ${this.#kept.length ? nothing : html`<p class="muted">${words.none}</p>`}
      <ul>
        ${this.#kept.map(
          (kept) =>
            html`<li>
              <span class="what">
                <bdi>${titleOf(kept)}</bdi>
                <small>
                  ${kept.source === this.#current() ? html`<b>${words.inUse}</b> ·` : nothing}
                  ${[...originOf(kept), liveStrings.size.megabytes(megabytes(kept.bytes)), written(kept.date)].join(' · ')}
                </small>
              </span>
              <button type="button" @click=${() => void this.#load(kept.source, titleOf(kept))}>
                ${words.open}
              </button>
              <button type="button" @click=${() => void this.#act(() => this.#download(kept))}>
                ${words.download}
              </button>
              <button type="button" @click=${() => void this.#act(() => this.#remove(kept))}>
                ${words.remove}
              </button>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  #knownList() {
    return html`<section aria-labelledby="models-known">
      <h3 id="models-known">${words.known}</h3>
      <p class="muted">${words.untried}</p>
      <ul>
        ${knownModels.map(({source, bytes, what}) => {
          const name = nameIn(source);
          return html`<li>
            <span class="what">
              <bdi>${name}</bdi>
              <small
                >${liveStrings.size.megabytes(String(bytes / 1e6))} · ${words.what[what]}</small
              >
            </span>
            <button
              type="button"
              aria-label=${words.loadNamed(name)}
              @click=${() => void this.#load(source, name)}
            >
              ${words.load}
            </button>
          </li>`;
        })}
      </ul>
    </section>`;
  }
}

/** @param {string} source */
function nameIn(source) {
  return source.replace(/^hub:(https?:.+\/(?=[^/]+\/[^/]+$))?/, '');
}

/** Returns where a kept model comes from: another hub than Hugging Face's, a commit. @param {KeptModel} kept */
function originOf({source, commit}) {
  const [, endpoint] = /^hub:(https?:\/\/[^/]+)/.exec(source) ?? [];
  return [endpoint && new URL(endpoint).host, commit?.slice(0, 7)].filter(Boolean);
}

/** Models on the hub may share a name, so theirs includes the owner and the revision. @param {KeptModel} kept */
function titleOf({source, name}) {
  return source.startsWith('hub:') ? nameIn(source) : name;
}

/** @param {string} date  ISO 8601 */
function written(date) {
  return new Date(date).toLocaleString(language, {dateStyle: 'medium', timeStyle: 'short'});
}
