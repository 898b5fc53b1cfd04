/** A text that a decoder goes on with. What its tokens have computed stays in the engine's memory until it is released. */

import {attempt} from './attempt.js';
import {areFinite} from './finite.js';

/** @import {Encoder, PassInput} from './encoder.js' */
/** @import {WasmContinuedText, WasmModule} from '../wasm-module.d.ts' */

export class KeptText {
  #module;
  #wasm;
  #name;
  /** @type {() => never} */
  #refuse;

  /**
   * @param {Pick<WasmModule, 'ContinuedText'>} module
   * @param {string} name The model's, for messages.
   * @param {Encoder} encoder
   * @param {PassInput} pass
   * @param {number} capacity The most tokens of the text in all.
   */
  static async begin(module, name, encoder, pass, capacity) {
    const wasm = new module.ContinuedText();
    try {
      const refuse = await encoder.beginText(pass, wasm, capacity);
      return new KeptText(module, name, wasm, refuse);
    } catch (error) {
      wasm.delete();
      throw error;
    }
  }

  /**
   * @param {Pick<WasmModule, 'ContinuedText'>} module
   * @param {string} name
   * @param {WasmContinuedText} wasm
   * @param {() => never} refuse Refuses weights that give other numbers than finite ones.
   */
  constructor(module, name, wasm, refuse) {
    this.#module = module;
    this.#name = name;
    this.#wasm = wasm;
    this.#refuse = refuse;
  }

  /** The logits of the next token: `[vocabulary]`. */
  next() {
    const logits = attempt(this.#name, () => this.#wasm.logits());
    return areFinite(logits) ? logits : this.#refuse();
  }

  /** @param {number} id */
  append(id) {
    attempt(this.#name, () => this.#wasm.append(id));
  }

  /** Returns another text of the same tokens, which goes on by itself. */
  fork() {
    const wasm = new this.#module.ContinuedText();
    try {
      attempt(this.#name, () => wasm.copyFrom(this.#wasm));
    } catch (error) {
      wasm.delete();
      throw error;
    }
    return new KeptText(this.#module, this.#name, wasm, this.#refuse);
  }

  release() {
    this.#wasm.delete();
  }
}
