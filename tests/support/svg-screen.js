import {asText} from '../../web/export/figure-letters.js';
import {SvgContext} from '../../web/export/svg-context.js';
// The strings are English if they are loaded before there is a document.
import '../../web/strings/index.js';

/**
 * Stands in for a screen, so that Node can draw what views draw on a canvas. Drawings are SVG, and every letter is
 * equally wide.
 */

/** The parts of an em that every letter takes in width, above the line and below it. */
const letter = {width: 0.6, above: 0.8, below: 0.2};

const letters = asText(/** @type {any} */ ({glyph: () => true}), new Set());

/** Keeps the pixels that it has drawn last, too, because a canvas is sometimes drawn on another. */
class ScreenContext extends SvgContext {
  /** @type {ImageData | undefined} */
  #pixels;

  /** @param {ImageData} pixels @param {number} x @param {number} y */
  putImageData(pixels, x, y) {
    this.#pixels = pixels;
    super.putImageData(pixels, x, y);
  }

  getImageData() {
    return this.#pixels;
  }

  /** @param {string} text @returns {any} */
  measureText(text) {
    const size = parseFloat(/[\d.]+px/.exec(/** @type {any} */ (this).font)?.[0] ?? '');
    return {
      width: [...text].length * letter.width * size,
      fontBoundingBoxAscent: letter.above * size,
      fontBoundingBoxDescent: letter.below * size,
    };
  }
}

/** An element without a page. It takes every change, and keeps its children and what is drawn on it. */
class ScreenElement {
  /** @type {ScreenElement[]} */
  children = [];
  width = 300;
  height = 150;
  clientWidth = 0;
  offsetHeight = 0;
  dataset = {};
  style = {setProperty() {}};
  classList = {toggle() {}};
  /** @type {ScreenContext | undefined} */
  #context;

  getContext() {
    this.#context ??= new ScreenContext(/** @type {any} */ (this), letters);
    return this.#context;
  }

  /** @param {ScreenElement[]} children */
  append(...children) {
    this.children.push(...children);
  }

  replaceChildren() {}
  setAttribute() {}
  removeAttribute() {}
  addEventListener() {}
}

class Pixels {
  /** @param {number} width @param {number} height */
  constructor(width, height) {
    Object.assign(this, {width, height, data: new Uint8ClampedArray(4 * width * height)});
  }
}

Object.assign(globalThis, {
  document: {createElement: () => new ScreenElement()},
  CanvasRenderingContext2D: ScreenContext,
  ImageData: Pixels,
  ResizeObserver: class {
    observe() {}
  },
  // A grid of thumbnails asks for lengths that its style sheet gives it.
  getComputedStyle: () => ({
    maxHeight: 'none',
    getPropertyValue: (/** @type {string} */ name) => (name === '--axis' ? '20px' : ''),
  }),
  devicePixelRatio: 1,
});

/**
 * Makes a canvas, or takes the one of a view.
 *
 * @param {unknown} [canvas]
 * @returns {{context: CanvasRenderingContext2D, content: () => string}}  `content`: what is drawn on it so far, as SVG
 */
export function screenCanvas(canvas = new ScreenElement()) {
  const context = /** @type {ScreenElement} */ (canvas).getContext();
  return {context: /** @type {any} */ (context), content: () => context.content};
}
