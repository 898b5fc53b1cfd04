/**
 * Models of a Hugging Face hub, which it serves under plain addresses:
 * `<endpoint>/<owner>/<name>/resolve/<revision>/<file>`. A mirror, or any static host with these
 * paths, serves as well.
 * Source: https://huggingface.co/docs/hub/models-downloading
 */

import {BertscopeError} from '../errors.js';
import {isRecord, shorten} from '../json.js';
import {readText} from './byte-file.js';
import {openHttpFile} from './http-file.js';
import {MAX_TEXT_BYTES, openFolder} from './model-folder.js';

/** @import {HttpOptions} from './http-file.js' */
/** @import {Folder} from './model-folder.js' */
/** @import {Source} from './model-sources.js' */

const HUB_ENDPOINT = 'https://huggingface.co';

/** @typedef {{name: string, revision: string}} HubModel */

/**
 * @param {string} address `hub:owner/name` or `hub:owner/name@revision`.
 * @returns {HubModel}
 */
export function parseHubAddress(address) {
  const [, name, revision = 'main'] = /^hub:([^@]*)(?:@(.*))?$/s.exec(address) ?? [];
  const parts = name?.split('/') ?? [];
  const arePlain = parts.every((part) => /^[\w][\w.-]{0,95}$/.test(part) && !part.includes('..'));
  const isPlain = parts.length >= 1 && parts.length <= 2 && arePlain;
  if (!isPlain || !/^[\w][\w./-]{0,127}$/.test(revision) || revision.includes('..')) {
    const expected = 'hub:owner/name, perhaps with @revision behind it';
    const message = `expected ${expected}, found ${shorten(address)}`;
    throw new BertscopeError('bad-source', message);
  }
  return {name, revision};
}

/**
 * @param {HubModel} model
 * @param {HttpOptions & {endpoint?: string}} [options] A token is sent only to the endpoint.
 * @returns {Promise<Source>}
 */
export async function openHub({name, revision}, {endpoint = HUB_ENDPOINT, ...http} = {}) {
  const root = `${endpoint.replace(/\/+$/, '')}/${name}/resolve/${encodeURIComponent(revision)}`;
  /** @param {string} below @returns {Folder} */
  const folderAt = (below) => ({
    name: name.split('/').at(-1) ?? name,
    path: `hub:${name}`,
    async open(file) {
      try {
        return await openHttpFile(`${root}/${below}${file}`, http);
      } catch (error) {
        if (error instanceof BertscopeError && error.code === 'not-found') return undefined;
        throw error;
      }
    },
  });
  const folder = folderAt('');
  const config = await folder.open('config.json');
  if (!config) {
    const message = `hub:${name}: expected a model at ${root}, found no config.json there; check its name and its revision (${revision})`;
    throw new BertscopeError('not-found', message);
  }
  const text = await readText(config, MAX_TEXT_BYTES);
  return openFolder(await transformerOf(text, folder, folderAt));
}

/**
 * In old folders of sentence-transformers, the model is one level deeper.
 * @param {string} config
 * @param {Folder} folder
 * @param {(below: string) => Folder} folderAt
 */
async function transformerOf(config, folder, folderAt) {
  const known = ['model_type', 'hidden_size', 'dim'].some((key) => config.includes(`"${key}"`));
  const list = known ? undefined : await folder.open('modules.json');
  if (!list) return folder;
  let modules;
  try {
    modules = JSON.parse(await readText(list, MAX_TEXT_BYTES));
  } catch {
    return folder;
  }
  const first = Array.isArray(modules) ? modules.find(isTransformer) : undefined;
  return first ? folderAt(`${first.path}/`) : folder;
}

/** @param {unknown} module @returns {module is {path: string}} */
function isTransformer(module) {
  return (
    isRecord(module) && typeof module.path === 'string' && /^\d+_[A-Za-z]{1,40}$/.test(module.path)
  );
}
