/** Asks a hub for the names of models. */

import {HUB_ENDPOINT} from './model-address.js';
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
]);

/** The hub can ask for models that have all of some tags, but not one of them, so more are asked for than shown. */
const ASKED = 60;
const SHOWN = 10;

/**
 * Finds models that run here, by a part of their names, the most downloaded first.
 * Source: `listModels` of @huggingface/hub.
 * @param {string} text
 * @param {{endpoint?: string, token?: string, signal?: AbortSignal}} [hub]
 * @returns {Promise<string[]>} Their names, `owner/name`; none where the host has no search.
 */
export async function searchHub(text, {endpoint = HUB_ENDPOINT, token, signal} = {}) {
  const url = new URL(`${endpoint.replace(/\/+$/, '')}/api/models`);
  const query = {search: text, sort: 'downloads', limit: String(ASKED), expand: 'tags'};
  url.search = String(new URLSearchParams(query));
  /** @type {Record<string, string>} */
  const headers = token ? {authorization: `Bearer ${token}`} : {};
  const response = await fetch(url, {headers, signal});
  if (!response.ok) return [];
  const found = /** @type {unknown} */ (await response.json());
  return (Array.isArray(found) ? found : [])
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
