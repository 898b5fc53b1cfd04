/** `<bert-scope>` with everything that it can do. */

import {BertScope} from './bert-scope.js';
import {define} from './define-element.js';
import {provideLiveParts} from './live-parts.js';
import {live} from './live.js';

provideLiveParts(live);
define('bert-scope', BertScope);

export {BertScope};
