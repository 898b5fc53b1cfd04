import type {ViewData, ViewElement} from '../views/view-kinds.js';
import type {Display, Measure} from '../attention/display.js';
import type {Extent} from '../attention/snapshot.js';
import type {Content} from './data-files.js';
import type {Attributes} from './embed-markup.js';

/** One pass of what is shown. */
export interface ShownPass {
  /** As it is called beside the other. */
  name: string;
  text: string;
  /** What was done to the model, one by one. */
  changes: string[];
  /** The same as fields of an address. */
  interventions: string;
  /** Its name; empty: the attention came from elsewhere. */
  model: string;
  /** What its numbers are. */
  measure: Measure;
  /** As it is drawn. */
  data: ViewData;
  /** The layer of the picture, or those whose mean it shows. */
  layers: number[];
  /** Of the chosen heads, those that it has. */
  heads: number[];
  /** Of the reader's, that it comes from; empty: none. */
  file: string;
  hasVectors: boolean;
  /** The numbers of the model. */
  fetch: (extent: Extent) => Promise<Content>;
}

/** What it is compared with. */
export interface ShownComparison {
  /** Of the picture; side by side where there is no difference. */
  mode: 'side' | 'difference';
  before: ShownPass;
  /** As it is drawn; null: there is none. */
  difference: ViewData | null;
  /** Why there is none. */
  problem: string;
  /** Whether the numbers of both can be subtracted, whatever the view does. */
  hasNumbers: boolean;
  /** How the tokens of both were brought together; empty: they correspond. */
  remark: string;
  /** What came minus what was, of the numbers of both; null: there is none. */
  differenceOf: (before: Content, after: Content) => Content | null;
}

/** What is shown, for those who want to take it along. */
export interface Shown extends ShownPass {
  /** The name of the view. */
  view: string;
  /** How its numbers are read. */
  display: Display;
  /** The layer and heads; of two, one may lack some. */
  chosen: {layer: number; heads: number[]};
  /** Makes the view. */
  create: (data: ViewData) => ViewElement;
  /** Those that show the same. */
  attributes: Attributes;
  /** Those of them that a picture with its own numbers needs. */
  viewAttributes: Attributes;
  /** Whose colours it has. */
  element: Element;
  /** In CSS pixels, of one picture. */
  width: number;
  /** Of a page that shows the same. */
  address?: string;
  /** Of that page for a frame. */
  frame?: string;
  /** Null: the picture stands alone. */
  comparison: ShownComparison | null;
}
