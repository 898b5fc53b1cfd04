/** Loads the engine together with the element of a page, and not after it. */

import './own-scripts.js'; // before all that starts a worker
import '../strings/start-live.js'; // before all modules that wait for strings
import {giveEngine} from '../session/given-engine.js';
import {defaultModel, pageEngine} from '../session/shared-models.js';

giveEngine({defaultModel, pageEngine});
