import {html} from 'lit';
import {HUB_ENDPOINT} from '../engine/model-address.js';
import {isPartOfName, searchHub} from '../engine/hub-search.js';
import {modelStrings as words} from '../strings/models.js';

/** The hub is asked once the reader has typed nothing for so long, in ms. */
const PAUSE_MS = 250;

/** The form in which the reader names a model of a hub. While they type, the hub suggests names. */
export class HubForm {
  #content;
  #onName;
  #onChange;
  /** @type {readonly string[]} */
  #found = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #waiting;
  #searching = new AbortController();

  /**
   * @param {HTMLElement} content  that the form is drawn in
   * @param {object} listener
   * @param {(name: string) => void} listener.onName  is called with a name or an address
   * @param {() => void} listener.onChange  draws the form again
   */
  constructor(content, {onName, onChange}) {
    this.#content = content;
    this.#onName = onName;
    this.#onChange = onChange;
  }

  /** The hub that the reader has chosen. */
  get hub() {
    const value = (/** @type {string} */ id) =>
      /** @type {HTMLInputElement | null} */ (
        this.#content.querySelector(`#${id}`)
      )?.value.trim() || undefined;
    const endpoint = value('models-endpoint') ?? HUB_ENDPOINT;
    return {endpoint, token: value('models-token')};
  }

  /** Asks for no more names. */
  stopSuggesting() {
    clearTimeout(this.#waiting);
    this.#searching.abort();
  }

  /** @param {string} text */
  #suggest(text) {
    this.stopSuggesting();
    if (!isPartOfName(text) || this.#found.includes(text)) return;
    this.#waiting = setTimeout(() => void this.#search(text), PAUSE_MS);
  }

  /** @param {string} text */
  async #search(text) {
    const {signal} = (this.#searching = new AbortController());
    /** @type {readonly string[]} */
    let found = [];
    try {
      found = await searchHub(text, {endpoint: this.hub.endpoint, signal});
    } catch {
      // Suggestions are a help. Without them, the reader types the whole name.
    }
    if (signal.aborted) return;
    this.#found = found;
    this.#onChange();
  }

  draw() {
    const submit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const field = /** @type {HTMLInputElement} */ (this.#content.querySelector('#models-name'));
      const name = field.value.trim();
      this.stopSuggesting();
      if (name) this.#onName(name);
    };
    const type = (/** @type {InputEvent} */ {target}) =>
      this.#suggest(/** @type {HTMLInputElement} */ (target).value.trim());
    const {endpoint} = this.hub;
    const host = URL.canParse(endpoint) ? new URL(endpoint).host : endpoint;
    return html`<form @submit=${submit}>
      <label class="field">
        <span>${words.name}</span>
        <input
          id="models-name"
          list="models-found"
          placeholder="google-bert/bert-base-uncased"
          spellcheck="false"
          autocapitalize="off"
          autocomplete="off"
          aria-describedby="models-searched"
          @input=${type}
        />
      </label>
      <datalist id="models-found">
        ${this.#found.map((name) => html`<option value=${name}></option>`)}
      </datalist>
      <p class="muted" id="models-searched"><small>${words.searched(host)}</small></p>
      <details>
        <summary>${words.hub}</summary>
        <label class="field">
          <span>${words.endpoint}</span>
          <input
            id="models-endpoint"
            type="url"
            placeholder=${HUB_ENDPOINT}
            @change=${() => this.#onChange()}
          />
        </label>
        <label class="field">
          <span>${words.token}</span>
          <input id="models-token" type="password" autocomplete="off" />
        </label>
      </details>
      <p class="actions"><button type="submit">${words.load}</button></p>
    </form>`;
  }
}
