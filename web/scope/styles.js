import {unsafeCSS} from 'lit';
import {laterStyle} from '../views/parts/later-style.js';
import {tokenStyle, startStyles} from '../views/styles.js';
import dialogStyle from '../controls/dialog.css?inline';
import scopeStyle from './bert-scope.css?inline';
import controlStyle from './controls.css?inline';
import comparisonStyle from './comparison.css?inline';
import shortcutStyle from './shortcut-dialog.css?inline';

/** The style sheets of the element. */
export const scopeStyles = [
  ...[tokenStyle, ...startStyles].map(unsafeCSS),
  laterStyle,
  ...[dialogStyle, scopeStyle, controlStyle, comparisonStyle, shortcutStyle].map(unsafeCSS),
];
