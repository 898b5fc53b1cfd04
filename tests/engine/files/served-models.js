/** Serves the golden models from a hub, and loads them from there. */

import {cpSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, afterEach} from 'node:test';
import {openHub} from '../../../web/engine/files/hub.js';
import {parseHubAddress} from '../../../web/engine/hub-address.js';
import {NO_FAULTS, serveHub} from '../../support/hub-server.js';
import {fromRoot, runtime} from '../support.js';

const GOLDEN = fromRoot('tests/golden');
/** The folder of the hub's models. */
export const root = mkdtempSync(join(tmpdir(), 'bertscope-hub-'));
cpSync(GOLDEN, root, {recursive: true});
export const hub = await serveHub(root);
after(() => {
  hub.close();
  rmSync(root, {recursive: true});
});
afterEach(() => Object.assign(hub.faults, NO_FAULTS));

/** @param {string} name @param {object} [options] */
export const open = (name, options) =>
  openHub(parseHubAddress(`hub:${hub.url}/someone/${name}`), {
    retryMilliseconds: [1, 1],
    ...options,
  });

/** @param {string} name @param {object} [options] */
export const load = async (name, options) =>
  runtime.load(await open(name, options), {precision: 'f32'});

/** @param {Awaited<ReturnType<typeof load>>} model */
export async function attentionOf(model) {
  const {pass} = await model.attend('the cat sat on the mat');
  return model.pull(pass, 'attention', [model.shape.layers - 1, 0]);
}
