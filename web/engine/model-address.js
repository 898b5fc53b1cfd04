/**
 * Reads what a reader pastes as the address of a model: often that of a page or a file of the hub, as
 * the browser shows it.
 */

import {ATTENTION_ENDINGS, endingOf} from './file-endings.js';

export const HUB_ENDPOINT = 'https://huggingface.co';

/** The hub's address as browsers show it, some without the scheme. */
const SHORT_FORM = /^(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co)\/(?=[^/])/;

/** Other pages of a hub, which are no models and have none below them. */
const OTHER_PAGES =
  /^(?:api|blog|chat|collections|datasets|docs|join|learn|login|models|new|organizations|papers|posts|pricing|search|settings|spaces|tasks)(?:\/|$)/;

/** The parts of a path that lead to the folder itself or to the one above it. */
const DOTS = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i;

/** The files that belong to a model: it cannot be opened from one of them alone. */
const PARTS_OF_MODELS =
  /(?:^|\/)(?:model(?:-\d+-of-\d+)?\.safetensors|(?:config|tokenizer|tokenizer_config|vocab|special_tokens_map|added_tokens|modules|generation_config|sentence_bert_config)\.json|[^/]+\.index\.json)$/;

/** The files that can be opened by themselves: quantized models, GGUF and saved pictures. */
const WHOLE_FILES = ['.safetensors', '.gguf', ...ATTENTION_ENDINGS];

/** Tells whether a text is the address of a page of the hub, of a model or not. @param {string} text */
export const isAddressOfHub = (text) => SHORT_FORM.test(text);

/**
 * Finds the model that the address of a page or a file on a hub is about.
 * @param {string} address
 * @param {string} [endpoint] The address of another hub that the reader named.
 * @returns {string} `hub:owner/name`, perhaps with `@revision` behind it; the address of a file that
 *   can be opened by itself, without `?download=true`; or the address as it was, if it is no such one.
 */
export function modelAddress(address, endpoint) {
  const given = address.trim();
  const root = endpoint?.replace(/\/+$/, '') || HUB_ENDPOINT;
  const whole = given.replace(SHORT_FORM, `${HUB_ENDPOINT}/`);
  const hub = [root, HUB_ENDPOINT].find((hub) => whole.startsWith(`${hub}/`));
  if (hub === undefined) return address;
  const path = whole.slice(hub.length + 1).replace(/[?#].*$/s, '');
  const isOther = OTHER_PAGES.test(path) || DOTS.test(path);
  const {name, revision, file} = (!isOther && readPath(path)) || {};
  if (!name) return address;
  if (file !== undefined && endingOf(file, WHOLE_FILES) && !PARTS_OF_MODELS.test(file)) {
    return `${hub}/${name}/resolve/${encodeURIComponent(revision ?? 'main')}/${file}`;
  }
  const model = `${hub === HUB_ENDPOINT ? '' : `${hub}/`}${name}`;
  return `hub:${model}${!revision || revision === 'main' ? '' : `@${revision}`}`;
}

/** Names of the oldest models have no owner. */
const NAME = '(?<name>(?:[\\w.-]+/)?[\\w.-]+)';
const REVISION = '(?<revision>refs/(?:pr|convert)/[^/]+|[^/]+)';
const BELOW = `/(?:(?:tree|blob|resolve|raw)(?:/${REVISION}(?:/(?<file>.*))?)?|(?:blame|commit|commits|discussions|edit)(?:/.*)?)`;
const PATH = new RegExp(`^${NAME}(?:${BELOW})?/?$`, 's');

/** @param {string} path */
function readPath(path) {
  const {name, revision, file} = PATH.exec(path)?.groups ?? {};
  // A page has no file extension; what ends in one is a file of some other server.
  if (!name || (revision === undefined && endingOf(name, WHOLE_FILES))) return undefined;
  try {
    return {name, revision: revision && decodeURIComponent(revision), file};
  } catch {
    return undefined;
  }
}
