import type {ViewData, ViewElement, ViewName} from '../views/view-kinds.js';
import type {Display, Measure} from '../attention/display.js';
import type {Extent} from '../attention/snapshot.js';
import type {Content} from './data-files.js';
import type {Attributes} from './embed-markup.js';

/** One pass in the picture. */
export interface ShownPass {
  /** The name of the pass beside the other one. */
  name: string;
  text: string;
  /** The token that stands for what the model does not know, and the pieces of the text that it stands for. */
  unknown: {token: string; pieces: string[]};
  /** The descriptions of the changes to the model, one by one. */
  changes: string[];
  /** The same changes as fields of an address. */
  interventions: string;
  /** The name of the model; empty if it is not known. */
  model: string;
  /** The measure of its numbers. */
  measure: Measure;
  /** The data that the view draws. */
  data: ViewData;
  /** The layer of the picture, or the layers whose mean it shows. */
  layers: number[];
  /** The chosen heads that this pass has. */
  heads: number[];
  /** The name of the reader's file that it comes from; empty if there is none. */
  file: string;
  /** Whether queries, keys and values can be exported too. */
  hasVectors: boolean;
  /** Fetches the numbers of the model. */
  fetch: (extent: Extent) => Promise<Content>;
}

/** The comparison of the picture with its baseline. */
export interface ShownComparison {
  /** The mode of the picture; `side` if there is no difference. */
  mode: 'side' | 'difference';
  before: ShownPass;
  /** The data of the difference that the view draws; null if there is none. */
  difference: ViewData | null;
  /** The reason why there is no difference; empty if there is one. */
  problem: string;
  /** Whether the numbers of both sides can be subtracted, even if the view cannot draw a difference. */
  hasNumbers: boolean;
  /** A remark on how the tokens of both sides were matched; empty if they correspond one by one. */
  remark: string;
  /** Returns the numbers of `after` less those of `before`; null if they cannot be subtracted. */
  differenceOf: (before: Content, after: Content) => Content | null;
}

/** The picture of an element, with everything that its export needs. */
export interface Shown extends ShownPass {
  /** The address of the element's script, where the page has one. */
  script?: string;
  /** The name of the view. */
  view: ViewName;
  /** The display, which says how the snapshot is made readable. */
  display: Display;
  /** The chosen layer and heads. One side of a comparison may lack some of them. */
  chosen: {layer: number; heads: number[]};
  /** Creates the view. */
  create: (data: ViewData) => ViewElement;
  /** The attributes of a tag that shows the same picture. */
  attributes: Attributes;
  /** The attributes that a tag with its own numbers needs. */
  viewAttributes: Attributes;
  /** The element whose colours the exported picture has. */
  element: Element & {controls: boolean | 'none'};
  /** The width of one picture, in CSS pixels. */
  width: number;
  /** The height of the picture on the page, in CSS pixels. */
  height: number;
  /** The address of a page that shows the same. */
  address?: string;
  /** The address of that page for a frame. */
  frame?: string;
  /** What the page says over compared pictures; empty over one alone, which says it itself. */
  headline: string;
  /** The comparison; null if the picture stands alone. */
  comparison: ShownComparison | null;
}
