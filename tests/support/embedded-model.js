/** The model that comes with the page: where its file is and what shape it has, so that tests hold for another one. */

import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

const path = fileURLToPath(
  new URL('../../web/models/default/bertscope-default.safetensors', import.meta.url),
);
const file = readFileSync(path);
const header = JSON.parse(file.toString('utf8', 8, 8 + Number(file.readBigUInt64LE())));
const config = JSON.parse(header.__metadata__['config.json']);

export const embedded = Object.freeze({
  path,
  layers: /** @type {number} */ (config.num_hidden_layers),
  /** The number of heads in each layer. */
  heads: /** @type {number} */ (config.num_attention_heads),
  hidden: /** @type {number} */ (config.hidden_size),
  headWidth: config.hidden_size / config.num_attention_heads,
  positions: /** @type {number} */ (config.max_position_embeddings),
});
