import fieldStyle from '../controls/fields.css?inline';
import headMapStyle from './parts/head-map.css?inline';
import headViewStyle from './head/head-view.css?inline';
import inspectorStyle from './parts/inspector.css?inline';
import matrixViewStyle from './matrix/matrix-view.css?inline';
import modelViewStyle from './model/model-view.css?inline';
import numbersTableStyle from './parts/numbers-table.css?inline';
import tokens from './parts/tokens.css?inline';

/** The style sheets of the views that an element starts with, as texts for a shadow root. */
export const startStyles = [
  fieldStyle,
  headViewStyle,
  matrixViewStyle,
  modelViewStyle,
  numbersTableStyle,
  headMapStyle,
  inspectorStyle,
];

/** Colours, type and space as custom properties, which a page can override on the element. */
export const tokenStyle = tokens;
