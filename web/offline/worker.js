/** The engine's thread in a page that carries its model: a file's thread may ask nobody for one. */

import './carried-fetch.js';
import '../engine/host/worker.js';
