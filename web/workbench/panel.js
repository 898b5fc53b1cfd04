import {Task} from '@lit/task';
import {LitElement} from 'lit';
import {noReaderChanges} from '../attention/reader-changes.js';

/** @import {TaskConfig} from '@lit/task' */
/** @import {PropertyDeclarations} from 'lit' */
/** @import {Model} from '../session/shared-models.js' */
/** @import {Result} from '../session/pass.js' */
/** @import {ReaderChanges} from '../attention/reader-changes.js' */

/** A panel tells something of a text that a model has run. It is given these, and what the reader has chosen. */
export class WorkbenchPanel extends LitElement {
  /** @type {PropertyDeclarations} */
  static properties = {
    model: {attribute: false},
    result: {attribute: false},
    untouched: {attribute: false},
    interventions: {attribute: false},
    pinned: {attribute: false},
    dark: {type: Boolean},
  };

  constructor() {
    super();
    /** @type {Model | null} */
    this.model = null;
    /** @type {Result | null} */
    this.result = null;
    /** The same text through the unchanged model; null if nothing is changed. @type {Result | null} */
    this.untouched = null;
    /** @type {ReaderChanges} */
    this.interventions = noReaderChanges;
    /** The index of the token that is pinned in the picture. @type {number | null} */
    this.pinned = null;
    this.dark = false;
  }
}

/**
 * A task that ends when its panel is removed, and knows what it is of: the first of its arguments. What it finds says
 * nothing of anything else, which the panel may be given meanwhile.
 *
 * @template {readonly unknown[]} [T=readonly unknown[]]
 * @template [R=unknown]
 * @extends {Task<T, R>}
 */
export class PanelTask extends Task {
  /** What the latest run is of; undefined before the first. @type {T[0] | undefined} */
  of;

  /** @param {LitElement} panel @param {TaskConfig<T, R>} config */
  constructor(panel, config) {
    super(panel, {
      ...config,
      task: (args, options) => {
        // A task that is run without arguments has none.
        this.of = args?.[0];
        return config.task(args, options);
      },
    });
  }

  hostDisconnected() {
    this.abort();
  }
}
