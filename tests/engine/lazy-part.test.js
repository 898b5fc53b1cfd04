/** Tests parts of the engine that do not arrive when they are asked for, as on a site that was replaced meanwhile. */

import assert from 'node:assert/strict';
import {register} from 'node:module';
import {test} from 'node:test';
import {openModel} from '../../scripts/cli/source.mjs';
import {Model} from '../../web/engine/client/remote-model.js';
import {openWeights} from '../../web/engine/files/model-folder.js';
import {openFiles} from '../../web/engine/files/model-sources.js';
import {goldenFolder, loadGolden, runtime} from './support.js';

const missing = 'analyses|zip|pytorch|sentencepiece|everyday-sentences';
const loader = `
  export function resolve(file, context, next) {
    if (/\\/(${missing})\\.js$/.test(file)) throw new Error('no ' + file);
    return next(file, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(loader)}`);

/** @type {[string, () => Promise<unknown>][]} */
const cases = [
  [
    'analyses',
    async () => {
      const model = await loadGolden('odd-sizes');
      const {pass} = await model.attend('time');
      return model.explain(pass);
    },
  ],
  ['analyses', async () => runtime.load(await openModel(goldenFolder('bart')))],
  ['sentencepiece', () => openModel(goldenFolder('marian'))],
  ['zip', () => openFiles([{path: 'model.zip', file: new Blob(['PK'])}])],
  ['pytorch', () => openWeights(/** @type {any} */ ({path: 'pytorch_model.bin'}))],
  ['everyday-sentences', () => new Model(/** @type {any} */ ({description: {}}), '').headGuide()],
];

for (const [part, ask] of cases) {
  test(`${part}.js that does not arrive is an error with a code: ${ask}`, async () => {
    await assert.rejects(ask(), {
      name: 'BertscopeError',
      code: 'engine-unavailable',
      message: new RegExp(`^expected a part of the engine, found no .*/${part}\\.js$`),
    });
  });
}
