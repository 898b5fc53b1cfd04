/** `<bert-scope>` of the page, which loads together with its engine, and not before it. */

import './own-scripts.js'; // before all that starts a worker
import '../strings/start-live.js'; // before all modules that wait for strings
import {BertScope} from '../scope/bert-scope.js';
import {define} from '../scope/define-element.js';
import {live} from '../scope/live.js';
import {accessTo} from '../session/page-access.js';
import {defaultModel, pageEngine} from '../session/shared-models.js';

define(
  'bert-scope',
  class extends BertScope {
    static live = {...live, engine: accessTo(async () => ({defaultModel, pageEngine}))};
  },
);
