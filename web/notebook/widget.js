/** The front end of the Python package's widget, which is `<bert-scope>` and fields for its texts. */

import '../strings/start-live.js'; // before all modules that wait for strings
import {version} from '../../package.json';
import {importAttention} from '../attention/import-attention.js';
import {BertScope as Scope} from '../scope/bert-scope.js';
import {define} from '../scope/define-element.js';
import {pageEngine} from '../session/shared-models.js';
import {strings} from '../strings/index.js';
import {liveStrings} from '../strings/live.js';
import {followTheme} from './host-theme.js';
import {liveInNotebook} from './live-in-notebook.js';
import {lines} from './package-line.js';
import {bringModel} from './python-files.js';
import {PythonLine} from './python-line.js';
import {ResultSender} from './result-sender.js';
import {syncFields} from './synced-fields.js';
import {textFields} from './text-fields.js';

/** @import {WidgetModel} from './host.d.ts' */
/** @import {Handler} from './python-line.js' */

/** The element's name. A saved picture of the notebook may have taken the usual one, for an element without engine. */
const elementName = customElements.get('bert-scope') ? 'bert-scope-in-notebook' : 'bert-scope';

class BertScope extends Scope {
  static live = liveInNotebook;
}

/** One widget of a notebook, in each place where it is shown. */
class Widget {
  /** The elements that show it, the first one first. @type {Set<BertScope>} */
  #scopes = new Set();
  /** @type {ResultSender | undefined} */
  #results;

  /** @param {{model: WidgetModel}} context */
  initialize({model}) {
    const line = new PythonLine(model, this.#handlers);
    this.#results = new ResultSender(line, model);
    lines.add(line);
    const address = model.get('src');
    if (address.startsWith('given:')) {
      pageEngine.give(address, (onProgress, signal) => bringModel(line, onProgress, signal));
    }
    return () => lines.delete(line);
  }

  /** @param {{model: WidgetModel, el: HTMLElement}} place */
  render({model, el}) {
    const scope = new BertScope();
    // JupyterLab's commands are single keys, and some of them delete cells.
    scope.dataset.lmSuppressShortcuts = 'true';
    // The tag that the export copies is for a page that has the element beside it.
    scope.permalink = () => ({page: '', frame: '', script: 'lib/element.js'});
    const endTheme = followTheme(el, () => scope.requestUpdate());
    try {
      const saved = model.get('_saved');
      if (saved) scope.saved = importAttention(withNumbers(saved));
      // Python waits for the numbers, also of a picture that is scrolled out of sight.
      scope.loading = 'eager';
      syncFields(scope, model);
      scope.addEventListener('result', (event) => this.#tell(scope, event));
      el.append(...(saved ? [] : [textFields(scope, model)]), scope);
      this.#scopes.add(scope);
    } catch (error) {
      const notice = document.createElement('p');
      notice.setAttribute('role', 'alert');
      notice.textContent = /** @type {Error} */ (error).message;
      el.append(notice);
    }
    return () => {
      endTheme();
      this.#scopes.delete(scope);
    };
  }

  /** @param {BertScope} scope @param {Event} event */
  #tell(scope, event) {
    const {detail: result} = /** @type {CustomEvent} */ (event);
    if (!result || scope !== this.#first) return;
    this.#results?.send(scope, result).catch((/** @type {Error} */ error) => {
      // A result that was given up has a newer one after it.
      if (error.name !== 'AbortError') scope.notice = liveStrings.notebook.notTold(error.message);
    });
  }

  get #first() {
    return [...this.#scopes][0];
  }

  /** What Python may ask. @type {Record<string, Handler>} */
  #handlers = {
    matrix: async ({content: {layer, head}}) => {
      const matrix = await this.#first?.result?.attention(layer, head);
      if (!matrix) throw new Error(liveStrings.notebook.noPicture);
      return {buffers: [new Uint8Array(/** @type {ArrayBuffer} */ (matrix.buffer))]};
    },
    figure: async ({content: {format}}) => {
      const file = await this.#first?.figure(format);
      if (!file) throw new Error(liveStrings.notebook.noPicture);
      return {buffers: [new Uint8Array(await file.arrayBuffer())]};
    },
  };
}

/**
 * @typedef {{values: DataView, shape: number[]}} Numbers  an array of NumPy, as float32
 *
 * @param {Record<string, unknown>} saved  the fields of saved attention, as Python sends them
 */
function withNumbers(saved) {
  const read = (/** @type {any} */ value) => {
    // A list has a method of this name.
    if (!(value?.values instanceof DataView)) return value;
    const {values, shape} = /** @type {Numbers} */ (value);
    // A view may begin at any byte of its buffer.
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength).slice();
    return {values: new Float32Array(bytes.buffer), shape};
  };
  return Object.fromEntries(Object.entries(saved).map(([name, value]) => [name, read(value)]));
}

/** Each widget has a copy of this script. The first one runs them all, since an element has one definition. */
const key = Symbol.for('bertscope-widget');
const page = /** @type {Record<symbol, {version: string, create: () => Widget}>} */ (
  /** @type {unknown} */ (globalThis)
);
if (!page[key]) {
  define(elementName, BertScope);
  page[key] = {version, create: () => new Widget()};
}

export default function create() {
  const {create: createWidget, version: running} = page[key];
  const widget = createWidget();
  return {
    initialize: (/** @type {{model: WidgetModel}} */ context) => widget.initialize(context),
    render(/** @type {{model: WidgetModel, el: HTMLElement}} */ place) {
      if (running === version) return widget.render(place);
      place.el.textContent = strings.scope.twoVersions(running, version);
      return undefined;
    },
  };
}
