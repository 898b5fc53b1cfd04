import buttonStyle from './button.css?inline';
import headMapStyle from './head-map.css?inline';
import headViewStyle from './head-view.css?inline';
import inspectorStyle from './inspector.css?inline';
import matrixViewStyle from './matrix-view.css?inline';
import modelViewStyle from './model-view.css?inline';
import neuronViewStyle from './neuron-view.css?inline';
import numbersTableStyle from './numbers-table.css?inline';
import tokens from './tokens.css?inline';

/** The style sheets of the views, each a text for a shadow root. */
export const viewStyles = [
  buttonStyle,
  headViewStyle,
  matrixViewStyle,
  modelViewStyle,
  neuronViewStyle,
  numbersTableStyle,
  headMapStyle,
  inspectorStyle,
];

/** Colours, type and space, as custom properties that a page may set anew on the element. */
export const tokenStyle = tokens;
