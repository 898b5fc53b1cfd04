import {megabytes} from '../scope/model-messages.js';
import {liveStrings} from '../strings/live.js';
import {pageStrings} from '../strings/page.js';
import {write} from '../views/parts/create-element.js';
import {find} from './find-element.js';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {Engine, Model} from '../session/shared-models.js' */
/** @import {OpenedFiles} from './opened-files.js' */

/** The line that says which model has run and how long it took, or what an opened file is. */
export class StatusLine {
  #scope;
  #files;
  #element = find('status', HTMLParagraphElement);
  /** The parts of the line; each is empty until it is known. */
  #facts = {model: '', shape: '', local: '', unusedHead: '', purpose: '', kernel: '', time: ''};

  /** @param {BertScope} scope @param {OpenedFiles} files */
  constructor(scope, files) {
    this.#scope = scope;
    this.#files = files;
    scope.addEventListener('ready', (event) => {
      this.#name(/** @type {CustomEvent} */ (event).detail);
      this.write();
    });
    scope.addEventListener('result', () => {
      const {result} = scope;
      this.#facts.time = result ? pageStrings.status.time(formatTime(result.milliseconds)) : '';
      this.write();
    });
  }

  /** @param {{engine: Engine, model: Model, bytes: number}} loaded */
  #name({engine, model: {name, shape, config, unusedHead, givesSentenceVectors}, bytes}) {
    const {status} = pageStrings;
    const size = bytes ? liveStrings.size.megabytes(megabytes(bytes)) : '';
    const {globalEvery = 1, window: near = 0} = config;
    Object.assign(this.#facts, {
      model: status.model(this.#scope.src ? name : status.teachingModel(name), size),
      shape: status.shape(shape.layers, shape.heads),
      local: globalEvery > 1 ? status.localLayers(globalEvery, near) : '',
      unusedHead: unusedHead ? status.unusedHeads[unusedHead] : '',
      purpose: givesSentenceVectors ? status.sentenceVectors : '',
      kernel: status.kernel(engine.kernel),
    });
  }

  write() {
    if (!this.#scope.text.trim()) this.#facts.time = '';
    const {kernel, ...said} = this.#facts;
    const {shown, facts} = this.#files;
    this.#element.title = shown ? '' : kernel;
    const line = (shown ? facts : Object.values(said).filter(Boolean)).join(' · ');
    write(this.#element, line);
  }
}

/** @param {number} milliseconds */
function formatTime(milliseconds) {
  return milliseconds.toFixed(milliseconds < 10 ? 1 : 0);
}
