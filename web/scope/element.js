/** `<bert-scope>` with everything that it can do. */

import '../strings/start-live.js'; // before all modules that wait for strings
import {BertScope as Scope} from './bert-scope.js';
import {define} from './define-element.js';
import {live} from './live.js';
import {accessTo} from '../session/page-access.js';

export class BertScope extends Scope {
  static live = {...live, engine: accessTo(() => import('../session/shared-models.js'))};
}

define('bert-scope', BertScope);
