/** Asks a hub for the names of models. */

import {HUB_ENDPOINT, isAddressOfHub} from './model-address.js';
import {isRecord} from './json.js';

/** The tags of models that run here: each is a `model_type` that the engine knows. */
export const RUNNABLE = Object.freeze([
  'bert',
  'distilbert',
  'roberta',
  'camembert',
  'xlm-roberta',
  'electra',
  'albert',
  'gpt2',
  'modernbert',
  'mpnet',
  'deberta-v2',
  't5',
  'mt5',
  'marian',
  'bart',
  'llama',
  'qwen2',
  'qwen3',
  'gpt_neox',
]);

/**
 * The hub can find models that have all of some tags, but not models that have at least one of
 * them. So we ask for more models than we show.
 */
const ASKED = 60;
const SHOWN = 10;
/** A search for fewer letters would find too many names. */
const LEAST_LETTERS = 2;

/** Whether a text can be a part of a model's name. An address is not, so it is not sent to a hub. @param {string} text */
export const isPartOfName = (text) =>
  text.length >= LEAST_LETTERS && !/[:@\s]/.test(text) && !isAddressOfHub(text);

/**
 * Finds models that run here, by a part of their names, the most downloaded first. Nothing but that part is sent.
 * Source: `listModels` of @huggingface/hub.
 * @param {string} text
 * @param {{endpoint?: string, signal?: AbortSignal}} [hub]
 * @returns {Promise<string[]>} Their names, `owner/name`; none where the host has no search.
 */
export async function searchHub(text, {endpoint = HUB_ENDPOINT, signal} = {}) {
  const url = new URL(`${endpoint.replace(/\/+$/, '')}/api/models`);
  const query = {search: text, sort: 'downloads', limit: String(ASKED), expand: 'tags'};
  url.search = String(new URLSearchParams(query));
  const response = await fetch(url, {signal});
  if (!response.ok) return [];
  const models = /** @type {unknown} */ (await response.json());
  return (Array.isArray(models) ? models : [])
    .filter(runsHere)
    .map(({id}) => id)
    .slice(0, SHOWN);
}

/** @param {unknown} model @returns {model is {id: string}} */
function runsHere(model) {
  if (!isRecord(model) || typeof model.id !== 'string' || !Array.isArray(model.tags)) return false;
  return (
    /^\w[\w.-]*\/\w[\w.-]*$/.test(model.id) && model.tags.some((tag) => RUNNABLE.includes(tag))
  );
}
