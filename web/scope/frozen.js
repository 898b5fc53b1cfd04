/** `<bert-scope>` for saved pictures alone, without engine and export. Every saved page contains this script. */

import '../views/every-view.js';
import {BertScope} from './bert-scope.js';
import {define} from './define-element.js';

define('bert-scope', BertScope);
