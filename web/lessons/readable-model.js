import {spellingOfModel} from '../attention/byte-level-tokens.js';

/** @import {Model} from '../scope/shared-models.js' */

/** What a model says tokens in. @type {readonly (string | symbol)[]} */
const telling = ['attend', 'tokenize', 'untrained'];

/**
 * A model as lessons have it: whatever it says of a text, its tokens are spelt as they are read. Only
 * its tokenizer knows whether they are bytes.
 *
 * @param {Model} model
 * @returns {Model}
 */
export function readableModel(model) {
  if (!model.isByteLevel) return model;
  const spell = spellingOfModel(model);
  return new Proxy(model, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      const call = member.bind(target);
      if (!telling.includes(name)) return call;
      return async (/** @type {unknown[]} */ ...given) => {
        const said = await call(...given);
        // Of a batch, a list for each text.
        said.tokens = said.tokens.map((/** @type {string | string[]} */ each) =>
          Array.isArray(each) ? each.map(spell) : spell(each),
        );
        return said;
      };
    },
  });
}
