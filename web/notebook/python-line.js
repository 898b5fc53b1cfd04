/**
 * What a widget's front end and its Python object say to each other, beside the traits: one asks, and the other answers.
 *
 * @typedef {import('./host.d.ts').WidgetModel} WidgetModel
 * @typedef {{content: Record<string, any>, buffers: Uint8Array<ArrayBuffer>[]}} Message
 * @typedef {(message: Message) => Promise<Partial<Message>>} Handler  answers one kind of question
 */

/** Asks the widget's object in Python, and answers its questions. */
export class PythonLine {
  #model;
  #handlers;
  /** @type {Map<string, {resolve: (answer: Message) => void, reject: (reason: Error) => void}>} */
  #waiting = new Map();

  /** @param {WidgetModel} model @param {Record<string, Handler>} handlers  by the name of the question */
  constructor(model, handlers) {
    this.#model = model;
    this.#handlers = handlers;
    model.on('msg:custom', (content, views = []) => {
      // Messages of other kinds may be the notebook's own.
      const buffers = views.map(bytesOf);
      if (typeof content?.answer === 'string') this.#take(content, buffers);
      else if (typeof content?.ask === 'string') void this.#answer(content, buffers);
    });
  }

  /**
   * @param {string} name  of the question
   * @param {Record<string, unknown>} [details]
   * @param {ArrayBufferView<ArrayBuffer>[]} [buffers]
   * @returns {Promise<Message>}
   */
  ask(name, details = {}, buffers = []) {
    // Several pages may be open on one kernel, and each gets every answer.
    const id = `${Date.now()}-${Math.random()}`;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {resolve, reject});
      this.#model.send({...details, ask: name, id}, undefined, buffers);
    });
  }

  /** @param {Record<string, any>} content @param {Message['buffers']} buffers */
  #take(content, buffers) {
    const waiting = this.#waiting.get(content.answer);
    this.#waiting.delete(content.answer);
    if (typeof content.error === 'string') waiting?.reject(new Error(content.error));
    else waiting?.resolve({content, buffers});
  }

  /** @param {Record<string, any>} content @param {Message['buffers']} buffers */
  async #answer(content, buffers) {
    const {ask: name, id: answer} = content;
    try {
      const handler = this.#handlers[name];
      if (!handler) throw new Error(`expected a question of this version, found “${name}”`);
      const reply = await handler({content, buffers});
      this.#model.send({...reply.content, answer}, undefined, reply.buffers ?? []);
    } catch (error) {
      const {message} = /** @type {Error} */ (error);
      this.#model.send({answer, error: message});
    }
  }
}

/** @param {ArrayBufferView | ArrayBuffer} view */
function bytesOf(view) {
  if (view instanceof ArrayBuffer) return new Uint8Array(view);
  const {buffer, byteOffset, byteLength} = view;
  return new Uint8Array(/** @type {ArrayBuffer} */ (buffer), byteOffset, byteLength);
}
