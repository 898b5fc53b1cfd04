import type {ViewName} from '../../../web/views/view-kinds.js';

export interface Drawing {
  view: ViewName;
  tokens: number;
  layers: number;
  heads: number;
}

export interface DrawingTimes {
  /** ms from the call to the end of the frame that shows it */
  painted: number;
  /** ms likewise, from pointing at a token or thumbnail */
  hovers: number[];
  /** elements in the view */
  nodes: number;
}
