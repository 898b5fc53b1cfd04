/** `<bert-scope>` with everything that it can do. */

import '../strings/start-live.js'; // before all modules that wait for strings
import {BertScope} from './bert-scope.js';
import {define} from './define-element.js';
import {provideLiveParts} from './live-parts.js';
import {live} from './live.js';

provideLiveParts(live);
define('bert-scope', BertScope);

export {BertScope};
