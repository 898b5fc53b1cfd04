import {spellingOfModel} from '../attention/byte-level-tokens.js';

/** @import {Model} from '../session/shared-models.js' */

/** The results of a model that contain tokens. @type {readonly (string | symbol)[]} */
const telling = ['attend', 'tokenize', 'untrained'];

/** The wrapped models, so that what is known of one is known of it the next time. @type {WeakMap<Model, Model>} */
const wrapped = new WeakMap();

/**
 * Wraps a model for lessons, so that all its results spell tokens readably. Only the model knows whether
 * its tokens are bytes.
 *
 * @param {Model} model
 * @returns {Model}
 */
export function readableModel(model) {
  if (!model.isByteLevel) return model;
  const known = wrapped.get(model);
  if (known) return known;
  const readable = spelling(model);
  wrapped.set(model, readable);
  return readable;
}

/** @param {Model} model @returns {Model} */
function spelling(model) {
  const spell = spellingOfModel(model);
  return new Proxy(model, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      const call = member.bind(target);
      if (!telling.includes(name)) return call;
      return async (/** @type {unknown[]} */ ...given) => {
        const said = await call(...given);
        // A batch has a list of tokens for each text.
        said.tokens = said.tokens.map((/** @type {string | string[]} */ each) =>
          Array.isArray(each) ? each.map(spell) : spell(each),
        );
        return said;
      };
    },
  });
}
