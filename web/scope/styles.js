import {tokenStyle, viewStyles} from '../views/styles.js';
import dialogStyle from '../controls/dialog.css?inline';
import scopeStyle from './bert-scope.css?inline';
import controlStyle from './controls.css?inline';
import comparisonStyle from './comparison.css?inline';
import shortcutStyle from './shortcut-dialog.css?inline';

/** The style sheets of the element, as texts for its shadow root. */
export const scopeStyles = [
  tokenStyle,
  ...viewStyles,
  dialogStyle,
  scopeStyle,
  controlStyle,
  comparisonStyle,
  shortcutStyle,
];
