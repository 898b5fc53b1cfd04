/** A worker that helps the one whose passes are measured. */

import {serve} from '../../../web/engine/serve.js';
import {Helper} from '../../../web/engine/host/helper.js';
import {startEngine} from './ours.js';

/** @type {MessageEvent[]} */
const early = [];
const keep = (/** @type {MessageEvent} */ event) => void early.push(event);
addEventListener('message', keep);
const {runtime} = await startEngine();
removeEventListener('message', keep);
serve(new Helper(runtime), /** @type {any} */ (globalThis));
for (const {data} of early) dispatchEvent(new MessageEvent('message', {data}));
