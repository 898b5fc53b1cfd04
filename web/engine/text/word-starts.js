/** Reads from a tokenizer's description how it marks where words begin. */

import {isRecord} from '../json.js';

/**
 * WordPiece marks the pieces that continue a word. The other kinds mark the pieces that begin one.
 * @param {Record<string, unknown>} json `tokenizer.json`
 * @returns {(token: string) => boolean} Whether a piece begins a word. The first piece of a text
 *   always does.
 */
export function wordStart(json) {
  const {model} = json;
  // Old files do not name the type.
  const {type, merges} = isRecord(model) ? model : {};
  if (
    isRecord(model) &&
    (type === 'WordPiece' || (type === undefined && isRecord(model.vocab) && !merges))
  ) {
    const {continuing_subword_prefix: prefix} = model;
    return (token) => typeof prefix !== 'string' || !token.startsWith(prefix);
  }
  const types = splitters(json);
  if (types.includes('ByteLevel')) return (token) => token.startsWith('Ġ');
  if (types.includes('Metaspace') || marksSpaces(json)) return (token) => token.startsWith('▁');
  return () => true;
}

/** Llama's normalizer writes the marks. @param {Record<string, unknown>} json `tokenizer.json` */
function marksSpaces({normalizer}) {
  const nested = isRecord(normalizer) && normalizer.normalizers;
  const steps = Array.isArray(nested) ? nested : [normalizer];
  return steps.some((step) => isRecord(step) && step.type === 'Prepend' && step.prepend === '▁');
}

/** @param {Record<string, unknown>} json `tokenizer.json` @returns {unknown[]} The kinds of its pre-tokenizers. */
export function splitters({pre_tokenizer: split}) {
  const nested = isRecord(split) && Array.isArray(split.pretokenizers) ? split.pretokenizers : [];
  return [split, ...nested].map((step) => (isRecord(step) ? step.type : undefined));
}
