/** Recognizes what a folder has in place of weights that can be read, to say what to take instead. */

import {parseJsonObject, quote} from '../json.js';
import {hasFile, readText} from './byte-file.js';

/** @import {ByteFile} from './byte-file.js' */

const ORIGINAL = 'take model.safetensors or pytorch_model.bin of the model that it was made from';

/** Files of the weights of other programs, and what to do about each. */
const FORMATS = Object.freeze([
  {is: /\.onnx(_data)?$/, what: 'weights for ONNX', instead: ORIGINAL},
  {is: /^openvino_.*\.(bin|xml)$/, what: 'weights for OpenVINO', instead: ORIGINAL},
  {
    is: /\.h5$|\.ckpt($|[.-])/,
    what: 'weights for TensorFlow',
    instead:
      'from_pretrained(folder, from_tf=True) of transformers 4 reads it, and save_pretrained writes safetensors',
  },
  {
    is: /\.msgpack$/,
    what: 'weights for Flax',
    instead:
      'from_pretrained(folder, from_flax=True) of transformers 4 reads it, and save_pretrained writes safetensors',
  },
  {is: /\.ot$/, what: 'weights for rust-bert', instead: ORIGINAL},
  {
    is: /\.(pt|pth)$/,
    what: 'weights for PyTorch',
    instead:
      'save the state_dict() of its encoder as pytorch_model.bin or as safetensors, beside the config.json',
  },
  {
    is: /\.(tar|tgz|tar\.gz|rar|7z)$/,
    what: 'archives of this kind',
    instead: 'unpack it, or pack it as .zip',
  },
]);

/** What is asked for in a folder that cannot be listed. */
const USUAL = [
  'adapter_config.json',
  'onnx/model.onnx',
  'onnx/model_quantized.onnx',
  'model.onnx',
  'tf_model.h5',
  'flax_model.msgpack',
];

/** @param {string} path @returns {string | undefined} What it is, and what to do. */
function otherFormatOf(path) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const format = FORMATS.find(({is}) => is.test(name));
  return format && `${path}: ${format.what} are not read; ${format.instead}`;
}

/**
 * @param {(name: string) => Promise<ByteFile | undefined>} open
 * @param {readonly string[]} [names] The default is a few usual ones.
 * @returns {Promise<string | undefined>} What is there in place of weights, and what to do.
 */
export async function findOther(open, names = USUAL) {
  const list = names.find((name) => /(^|\/)adapter_config\.json$/.test(name));
  const adapter = list && (await open(list));
  if (adapter) {
    const text = await readText(adapter, 1 << 20);
    const {base_model_name_or_path: base} = parseJsonObject(text, adapter.path, 'bad-config');
    return `an adapter (${list}) of ${quote(base)}, which is no model by itself; merge_and_unload() of peft and save_pretrained write the whole model`;
  }
  for (const name of names) {
    const other = otherFormatOf(name);
    if (other && (await hasFile(open, name))) return other;
  }
  return undefined;
}
