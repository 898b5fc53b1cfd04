/** For `node`: reads one file as hostile, and prints how that ended and the memory that it took. */

import {readFileSync} from 'node:fs';
import {basename} from 'node:path';
import {outcomeOf} from './readers.js';

const [kind, path] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(path));
const before = process.resourceUsage().maxRSS;
const outcome = await outcomeOf(/** @type {any} */ (kind), bytes);
const kilobytes = process.resourceUsage().maxRSS - before;
console.log(JSON.stringify({file: basename(path), outcome, megabytes: kilobytes / 1000}));
