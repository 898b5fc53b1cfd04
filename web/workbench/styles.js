import {unsafeCSS} from 'lit';
import fieldStyle from '../controls/fields.css?inline';
import headMapStyle from '../views/parts/head-map.css?inline';
import chipsStyle from './chips.css?inline';
import explanationStyle from './explanation-panel.css?inline';
import grammarStyle from './grammar-panel.css?inline';
import headsStyle from './heads-panel.css?inline';
import predictionStyle from './predictions-panel.css?inline';
import wordsStyle from './word-buttons.css?inline';
import workbenchStyle from './workbench.css?inline';

/** The style sheets of the workbench and of its panels. */
export const panelStyles = [fieldStyle, workbenchStyle, chipsStyle].map(unsafeCSS);
export const effectStyles = [...panelStyles, unsafeCSS(headMapStyle)];
export const explanationStyles = [...effectStyles, unsafeCSS(explanationStyle)];
export const grammarStyles = [...panelStyles, ...[wordsStyle, grammarStyle].map(unsafeCSS)];
export const headsStyles = [...panelStyles, unsafeCSS(headsStyle)];
export const predictionStyles = [...panelStyles, unsafeCSS(predictionStyle)];
