/**
 * Writes web/docs/snapshot.json, the frozen picture of the documentation's gallery, with the embedded model's weights.
 * Run `npm run docs:snapshot` after the model has changed.
 */

import {readdir, writeFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {format, resolveConfig} from 'prettier';
import {frozenExample} from '../../web/docs/frozen-example.js';
import {createSnapshot, snapshotToJson} from '../../web/attention/snapshot.js';
import {loadModel} from '../cli/engine.mjs';

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));

const MODELS = path('../../web/models/default');
const SNAPSHOT = path('../../web/docs/snapshot.json');
/** The significant digits of each weight: an error of half a per cent is too small to see in a picture. */
const DIGITS = 3;

const {text, pair, layer, head} = frozenExample;
const file = (await readdir(MODELS)).find((name) => name.endsWith('.safetensors'));
if (!file) throw new Error(`${MODELS}: expected a .safetensors model, found none`);
const model = await loadModel(`${MODELS}/${file}`);
const {tokens, tokenTypeIds, pass} = await model.attend(text, {pair});
const {layers, heads} = model.shape;
const matrix = await model.pull(pass, 'attention', [layer, head]);
const snapshot = createSnapshot({tokens, tokenTypeIds, layers, heads, attention: () => matrix});
const chosen = {layers: [layer], heads: [head], digits: DIGITS};
const json = JSON.stringify({text, ...snapshotToJson(snapshot, chosen)});
const style = await resolveConfig(SNAPSHOT);
await writeFile(SNAPSHOT, await format(json, {...style, parser: 'json'}));
