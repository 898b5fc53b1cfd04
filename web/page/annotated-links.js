import {adoptStyles} from '../controls/adopt-styles.js';
import {choiceOf, drawingOf} from '../scope/view-data.js';
import {rowsOf} from './annotated-rows.js';
import style from './annotated-links.css?inline';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {ScopeState} from '../scope/layout.js' */
/** @import {Rows} from './annotated-rows.js' */
/** @import {Annotation} from '../workbench/grammar-report.js' */

/** The shadow roots that have the style. @type {WeakSet<Node>} */
const prepared = new WeakSet();

/** Draws the links that a sentence has by its annotation over the lines of the head view, until another text is there. */
export class AnnotatedLinks {
  #scope;
  /** @type {Annotation | null} */
  #annotation = null;

  /** @param {BertScope} scope */
  constructor(scope) {
    this.#scope = scope;
  }

  /** @param {Annotation | null} annotation  of the text on show; null: nothing is drawn any more */
  take(annotation) {
    this.#annotation = annotation;
    if (annotation) this.#scope.requestUpdate();
    else this.#draw([], '');
  }

  /** Draws the links if the picture has the sentence, and else removes them. @param {ScopeState} state */
  follow({session: {pass}}) {
    const annotation = this.#annotation;
    if (!annotation) return;
    const result = pass?.result;
    const isShown = result?.text === annotation.text && !result.pair;
    // What the reader types ends it.
    if (!isShown) this.#annotation = null;
    const scope = this.#scope;
    const isDrawn = isShown && scope.shownView === 'head' && !scope.compare;
    const rows =
      isDrawn && pass
        ? rowsOf(annotation, result, drawingOf(pass, 'head', choiceOf(scope)).snapshot)
        : [];
    void scope.updateComplete.then(() => this.#draw(rows, annotation.caption));
  }

  /** @param {Rows[]} rows @param {string} caption */
  #draw(rows, caption) {
    const root = /** @type {ShadowRoot} */ (this.#scope.renderRoot);
    const view = /** @type {HTMLElement | null} */ (root.querySelector('.head-view'));
    const lines = view?.querySelector('.lines');
    if (!view || !lines) return;
    if (!prepared.has(root)) {
      adoptStyles(root, style);
      prepared.add(root);
    }
    const drawn = rows.length ? JSON.stringify([rows, caption]) : '';
    if ((view.dataset.annotated ?? '') === drawn) return;
    view.dataset.annotated = drawn;
    view.classList.toggle('annotated', rows.length > 0);
    for (const old of view.querySelectorAll('.annotated-links, .annotated-caption')) old.remove();
    if (!rows.length) return;
    lines.append(drawingOfRows(rows));
    view.querySelector('.head-body')?.before(captionOf(caption));
  }
}

/** Draws curves in a box of as many rows as it needs, whose height the style sheet gives. @param {Rows[]} rows */
function drawingOfRows(rows) {
  const height = Math.ceil(Math.max(...rows.flatMap(({query, key}) => [query, key])));
  const svg = element('svg', {
    class: 'annotated-links',
    viewBox: `0 0 100 ${height}`,
    preserveAspectRatio: 'none',
    style: `--annotated-rows: ${height}`,
    'aria-hidden': 'true',
  });
  for (const {query, key} of rows) {
    const d = `M0 ${query}C45 ${query} 55 ${key} 100 ${key}`;
    svg.append(element('path', {class: 'halo', d}), element('path', {class: 'curve', d}));
    for (const end of [`M0 ${query}h0`, `M100 ${key}h0`])
      svg.append(element('path', {class: 'end', d: end}));
  }
  return svg;
}

/** @param {string} text */
function captionOf(text) {
  const caption = document.createElement('p');
  caption.className = 'annotated-caption';
  caption.setAttribute('role', 'status');
  const words = document.createElement('span');
  words.textContent = text;
  words.title = text;
  caption.append(words);
  return caption;
}

/** @param {string} name @param {Record<string, string>} attributes */
function element(name, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
