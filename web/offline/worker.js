/** The engine's worker in a page that carries its model: in a page opened as a file, it may not fetch one. */

import './carried-fetch.js';
import '../engine/host/worker.js';
