/** Opens models from addresses and files, for the runtime. */

import {BertscopeError} from '../errors.js';
import {endingOf, MODEL_ENDINGS} from '../file-endings.js';
import {MAX_DRAWN, shorten} from '../json.js';
import {lazily} from '../lazy-part.js';
import {blobFile} from './byte-file.js';
import {openHttpFile} from './http-file.js';
import {isGguf, openFolder, openWeights, WEIGHT_FILES} from './model-folder.js';
import {findOther} from './refused-formats.js';

/** @import {ByteFile} from './byte-file.js' */
/** @import {HttpOptions} from './http-file.js' */
/** @import {Reader} from './safetensors.js' */

/**
 * @typedef {object} Source
 * @property {string} name The name of the model.
 * @property {string} path The file, folder or address of the model, for messages.
 * @property {string} weights The path of the weights' file, for messages.
 * @property {() => Promise<Reader>} open Opens the weights. It can be called once.
 * @property {Record<string, string>} files The texts beside the weights, by file name.
 * @property {string} [commit] The commit of the hub's repository.
 */

/**
 * @param {string} url The address of a quantized model.
 * @param {HttpOptions} [options]
 * @returns {Promise<Source>}
 */
export async function openUrl(url, options) {
  const file = await openHttpFile(url, options);
  const name = modelName(new URL(url).pathname);
  return {name, path: url, weights: url, open: () => openWeights(file), files: {}};
}

/** @typedef {{path: string, file: Blob}} FolderFile A file and its path in its folder. */

/**
 * Where a model is, in a form that can be sent to the worker.
 *
 * @typedef {object} ModelLocation
 * @property {string} [source] The name under which the model is kept. Files have none: they are
 *   kept under the name of their model.
 * @property {string} [url]
 * @property {FolderFile[]} [files]
 * @property {string} [folder] The folder that all files are in.
 * @property {string} [token] The reader's access token for the hub.
 */

/**
 * @param {FolderFile[]} placed A quantized model, the files of a Hugging Face folder, or a zip
 *   archive of one of these.
 * @param {string} [folder] The name of the folder.
 * @returns {Promise<Source>}
 */
export async function openFiles(placed, folder) {
  const [only] = placed;
  if (placed.length === 1 && only.path.toLowerCase().endsWith('.zip')) {
    const {readZip} = await lazily(() => import('./zip.js'));
    const files = await readZip(blobFile(only.file, only.path));
    return openPaths(files, modelName(only.path), only.path);
  }
  const files = new Map(placed.map(({path, file}) => [path, blobFile(file, path)]));
  return openPaths(files, folder && modelName(folder), folder);
}

/**
 * @param {Map<string, ByteFile>} files The files by their paths.
 * @param {string} [name] The name of the model; the default is that of the weights.
 * @param {string} [path] The path for messages; the default is that of the weights.
 */
export async function openPaths(files, name, path) {
  const paths = [...files.keys()].filter((each) => !each.startsWith('__MACOSX/'));
  const [place, ...others] = findModels(paths);
  if (others.length > 0) {
    const folders = [place, ...others].map(({below}) => below.slice(0, -1));
    const message = `${path ? `${path}: ` : ''}expected one model, found ${folders.length}; choose one of ${folders.slice(0, 8).join(', ')}`;
    throw new BertscopeError('bad-source', message);
  }
  if (!place) {
    const open = async (/** @type {string} */ file) => files.get(file);
    const other = await findOther(open, paths);
    const instead = other ?? (paths.slice(0, 8).join(', ') || 'no files');
    const message = `${path ? `${path}: ` : ''}expected one .safetensors file, one .gguf file or pytorch_model.bin, perhaps with config.json and a tokenizer beside it, found ${instead}`;
    throw new BertscopeError('bad-source', message);
  }
  const {below, weights} = place;
  // `modules.json` is beside the folder of the model.
  const listed = isModule(place) ? below.replace(/[^/]+\/$/, '') : below;
  const open = async (/** @type {string} */ file) =>
    files.get((file === 'modules.json' ? listed : below) + file);
  const folder = {name: name ?? modelName(weights), path: path ?? weights, open};
  return openFolder(folder, weights);
}

/**
 * Finds the folder of the model, or several if it is not clear which one it is. The folder must
 * have weights. One with a configuration is better than one without, and then the shallowest is
 * best. In a folder of sentence-transformers, `1_Pooling` and `2_Dense` are not the model.
 * @param {string[]} paths
 */
function findModels(paths) {
  /** @type {Map<string, string[]>} */
  const folders = new Map();
  for (const path of paths) {
    const below = path.slice(0, path.lastIndexOf('/') + 1);
    const names = folders.get(below) ?? [];
    names.push(path.slice(below.length));
    folders.set(below, names);
  }
  const places = [...folders].flatMap(([below, names]) => {
    const weights = pickWeights(names);
    const isBare = !names.some((name) => /^(bert_)?config\.json$/.test(name));
    return weights === undefined || LATER_MODULE.test(below) ? [] : [{below, weights, isBare}];
  });
  const depth = (/** @type {{below: string}} */ {below}) => below.split('/').length;
  places.sort(
    (a, b) =>
      Number(a.isBare) - Number(b.isBare) ||
      depth(a) - depth(b) ||
      (a.below < b.below ? -1 : Number(a.below > b.below)),
  );
  const [first] = places;
  const isAlike = (/** @type {typeof first} */ place) =>
    place.isBare === first.isBare && depth(place) === depth(first);
  return first && isModule(first) ? [first] : places.filter(isAlike);
}

/** The modules of sentence-transformers that follow the model and may have weights and a configuration, too. */
const LATER_MODULE =
  /(^|\/)\d+_(Pooling|WeightedLayerPooling|Dense|Normalize|LayerNorm|Dropout|CNN|LSTM)\/$/;

/** @param {{below: string}} place */
const isModule = ({below}) => /(^|\/)\d+_[^/]+\/$/.test(below);

/** @param {string} path The path of a file or a folder. @returns {string} As it is drawn. */
export function modelName(path) {
  const last =
    path
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) ?? path;
  const name = last.slice(0, last.length - (endingOf(last, MODEL_ENDINGS)?.length ?? 0));
  return shorten(name, MAX_DRAWN);
}

/**
 * @param {string[]} names The names of the files in one folder.
 * @returns {string | undefined} The file with the weights, if it is clear which one it is.
 */
function pickWeights(names) {
  const known = WEIGHT_FILES.find((name) => names.includes(name));
  const candidates = names.filter(
    (name) => name.endsWith('.safetensors') && name !== 'adapter_model.safetensors',
  );
  if (known?.startsWith('model.safetensors')) return known;
  if (candidates.length === 1 || known) return candidates.length === 1 ? candidates[0] : known;
  const whole = names.filter(isGguf);
  return candidates.length === 0 && whole.length === 1 ? whole[0] : undefined;
}
