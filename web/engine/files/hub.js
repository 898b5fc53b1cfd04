/**
 * Models of a Hugging Face hub, which it serves under plain addresses:
 * `<endpoint>/<owner>/<name>/resolve/<revision>/<file>`. A mirror, or any static host with these
 * paths, serves as well.
 * Source: https://huggingface.co/docs/hub/models-downloading
 */

import {BertscopeError} from '../errors.js';
import {isRecord} from '../json.js';
import {readText} from './byte-file.js';
import {openHttpFile} from './http-file.js';
import {MAX_TEXT_BYTES, openFolder, openWeights} from './model-folder.js';
import {findOther} from './refused-formats.js';

/** @import {HubModel} from '../hub-address.js' */
/** @import {HttpOptions} from './http-file.js' */
/** @import {Folder} from './model-folder.js' */
/** @import {Source} from './model-sources.js' */

/**
 * @param {HubModel} model
 * @param {HttpOptions} [http] A token is sent only to the endpoint.
 * @returns {Promise<Source>}
 */
export async function openHub({endpoint, name, revision}, http = {}) {
  const root = `${endpoint}/${name}/resolve/${encodeURIComponent(revision)}`;
  /** @param {string} below @returns {Folder} */
  const folderAt = (below) => ({
    name: name.split('/').at(-1) ?? name,
    path: `hub:${name}`,
    async open(file) {
      // `modules.json` is in the root of the repository, even if the model is in a folder below it.
      const path = file === 'modules.json' ? file : below + file;
      try {
        return await openHttpFile(`${root}/${path}`, http);
      } catch (error) {
        if (error instanceof BertscopeError && error.code === 'not-found') return undefined;
        throw error;
      }
    },
  });
  const folder = folderAt('');
  const config = await folder.open('config.json');
  if (!config) {
    // Without a configuration, this may be a quantized file, which contains its own.
    const weights = await folder.open('model.safetensors');
    if (weights) {
      const {path} = weights;
      return {name: folder.name, path, weights: path, files: {}, open: () => openWeights(weights)};
    }
    const adapter = await findOther(folder.open, ['adapter_config.json']);
    const instead =
      adapter ?? `no config.json there; check its name and its revision (${revision})`;
    const message = `hub:${name}: expected a model at ${root}, found ${instead}`;
    throw new BertscopeError('not-found', message);
  }
  const text = await readText(config, MAX_TEXT_BYTES);
  const source = await openFolder(await transformerOf(text, folder, folderAt));
  return {...source, commit: config.commit};
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
