/** Runs in `embed.html#…`, in a frame of another page: shows the view that the page shows at that address. */

import './element.js'; // before all modules that wait for strings
import {language} from '../strings/index.js';
import {pageStrings} from '../strings/page.js';
import {parseAddress} from './address.js';
import {find} from './find-element.js';
import {askBeforeFetching} from './link-consent.js';

/** @import {BertScope} from '../scope/bert-scope.js' */

const scope = find('scope', /** @type {{new (): BertScope}} */ (customElements.get('bert-scope')));
const link = find('page', HTMLAnchorElement);

scope.ownsKeys = true;
askBeforeFetching();
document.documentElement.lang = language;
link.textContent = pageStrings.page.openPage;

const show = () => {
  Object.assign(scope, parseAddress(location.hash));
  document.documentElement.dataset.theme = scope.theme;
  // The page fills the reader's window.
  link.href = `./${location.search}${location.hash.replace(/&height=\d+/, '')}`;
};
addEventListener('hashchange', show);
show();
