import {imageAddress} from './png-data-url.js';
import {round, svgColour, svgElement} from './svg-markup.js';
import {measureText} from './text-ruler.js';

/** @import {Letters} from './figure-letters.js' */

/** The state that `save` keeps and `restore` brings back. */
const plainState = {
  fillStyle: '#000000',
  strokeStyle: '#000000',
  globalAlpha: 1,
  lineWidth: 1,
  lineJoin: 'miter',
  font: '10px sans-serif',
  textAlign: 'start',
  textBaseline: 'alphabetic',
  imageSmoothingEnabled: true,
  matrix: [1, 0, 0, 1, 0, 0],
};

/** An image of more pixels stays an image. */
const mostCells = 128 ** 2;

/** How far a text begins before its place, as a share of its width. */
const beginnings = {left: 0, start: 0, center: 0.5, right: 1, end: 1};

/** @param {HTMLCanvasElement} image */
function pixelsOf(image) {
  const pixels = image.getContext('2d')?.getImageData(0, 0, image.width, image.height);
  if (!pixels) throw new Error('expected a canvas to read from, found none');
  return pixels;
}

/**
 * The part of a canvas's 2D context that the views use, writing SVG, so that the same code draws both. A
 * call that this does not support throws, so that nothing is missing from a figure.
 */
export class SvgContext {
  /** @type {string[]} */
  #parts = [];
  /** Consecutive shapes of one colour and transform, written as one path. @type {{of: string, shapes: string[]}} */
  #group = {of: '', shapes: []};
  #path = '';
  /** The end of the path so far. */
  #x = NaN;
  #state = {...plainState};
  /** @type {(typeof plainState)[]} */
  #saved = [];

  #letters;

  /** @param {HTMLCanvasElement} canvas @param {Letters} letters */
  constructor(canvas, letters) {
    this.canvas = canvas;
    this.#letters = letters;
    const state = () => this.#state;
    for (const name of Object.keys(plainState)) {
      if (name === 'matrix') continue;
      Object.defineProperty(this, name, {
        get: () => Reflect.get(state(), name),
        set(value) {
          Reflect.set(state(), name, value);
        },
      });
    }
  }

  /** The drawing as SVG, in device pixels. */
  get content() {
    this.#closeGroup();
    return this.#parts.join('');
  }

  save() {
    this.#saved.push({...this.#state});
  }

  restore() {
    this.#state = this.#saved.pop() ?? this.#state;
  }

  /** @param {...number} matrix  a, b, c, d, e, f */
  setTransform(...matrix) {
    this.#state.matrix = matrix;
  }

  /** @param {number} x @param {number} y */
  translate(x, y) {
    this.#transform([1, 0, 0, 1, x, y]);
  }

  /** @param {number} x @param {number} y */
  scale(x, y) {
    this.#transform([x, 0, 0, y, 0, 0]);
  }

  /** @param {number} angle */
  rotate(angle) {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    this.#transform([cos, sin, -sin, cos, 0, 0]);
  }

  /** Clears everything, since views never clear a part. */
  clearRect() {
    this.#parts = [];
    this.#group = {of: '', shapes: []};
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    this.#add('rect', {x, y, width, height, ...this.#fill()});
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  strokeRect(x, y, width, height) {
    this.#add('rect', {x, y, width, height, fill: 'none', ...this.#stroke()});
  }

  beginPath() {
    this.#path = '';
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.#path += `M${round(x)} ${round(y)}`;
    this.#x = x;
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    const isBelow = x === this.#x;
    this.#path += isBelow ? `V${round(y)}` : `L${round(x)} ${round(y)}`;
    this.#x = x;
  }

  closePath() {
    this.#path += 'Z';
  }

  fill() {
    const {fill, ...paint} = this.#fill();
    const of = JSON.stringify({fill, transform: this.#transformation});
    if (of !== this.#group.of) this.#closeGroup();
    this.#group.of = of;
    this.#group.shapes.push(svgElement('path', {d: this.#path, ...paint}));
  }

  #closeGroup() {
    const {of, shapes} = this.#group;
    if (shapes.length) this.#parts.push(svgElement('g', JSON.parse(of), shapes.join('')));
    this.#group = {of: '', shapes: []};
  }

  stroke() {
    this.#add('path', {d: this.#path, fill: 'none', ...this.#stroke()});
  }

  /** @param {string} text */
  measureText(text) {
    return measureText(text, this.#state.font);
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    this.#text(text, x, y, this.#fill());
  }

  /** @param {string} text @param {number} x @param {number} y */
  strokeText(text, x, y) {
    const join = this.#state.lineJoin;
    this.#text(text, x, y, {fill: 'none', 'stroke-linejoin': join, ...this.#stroke()});
  }

  /**
   * @param {HTMLCanvasElement} image
   * @param {number} x
   * @param {number} y
   * @param {number} [width]
   * @param {number} [height]
   */
  drawImage(image, x, y, width = image.width, height = image.height) {
    this.#image(pixelsOf(image), {x, y, width, height});
  }

  /** @param {ImageData} pixels @param {{x: number, y: number, width: number, height: number}} place */
  #image(pixels, place) {
    const isSmooth = this.#state.imageSmoothingEnabled;
    if (!isSmooth && pixels.width * pixels.height <= mostCells) {
      return this.#cells(pixels, place);
    }
    this.#add('image', {
      ...place,
      href: imageAddress(pixels),
      preserveAspectRatio: 'none',
      'image-rendering': isSmooth ? undefined : 'pixelated',
    });
  }

  /**
   * Draws each run of equal pixels as a rectangle, since most programs would blur an image.
   *
   * @param {ImageData} pixels
   * @param {{x: number, y: number, width: number, height: number}} place
   */
  #cells({data, width: columns, height: rows}, place) {
    const colours = new Uint32Array(data.buffer);
    const [width, height] = [place.width / columns, place.height / rows];
    for (let at = 0, run = 1; at < colours.length; at += run, run = 1) {
      const [column, row] = [at % columns, Math.floor(at / columns)];
      while (column + run < columns && colours[at + run] === colours[at]) run++;
      const [red, green, blue, alpha] = data.slice(4 * at, 4 * at + 4);
      this.#add('rect', {
        x: place.x + column * width,
        y: place.y + row * height,
        width: run * width,
        height,
        fill: `rgb(${red},${green},${blue})`,
        'fill-opacity': (alpha / 255) * this.#state.globalAlpha,
        // Without seams between the rectangles.
        'shape-rendering': 'crispEdges',
      });
    }
  }

  /** @param {number} width @param {number} height */
  createImageData(width, height) {
    return new ImageData(width, height);
  }

  /** Draws pixels at a place, whatever the transform is. @param {ImageData} pixels @param {number} x @param {number} y */
  putImageData(pixels, x, y) {
    const {matrix} = this.#state;
    this.setTransform(1, 0, 0, 1, 0, 0);
    this.#image(pixels, {x, y, width: pixels.width, height: pixels.height});
    this.#state.matrix = matrix;
  }

  /** @param {string} text @param {number} x @param {number} y @param {Record<string, string | number>} paint */
  #text(text, x, y, paint) {
    if (!text) return;
    const {font, textAlign, textBaseline} = this.#state;
    const {
      fontBoundingBoxAscent: ascent,
      fontBoundingBoxDescent: descent,
      width,
    } = this.measureText(text);
    // Programs disagree about SVG's own baselines.
    const below =
      textBaseline === 'middle' ? (ascent - descent) / 2 : textBaseline === 'top' ? ascent : 0;
    const beginning = beginnings[/** @type {keyof typeof beginnings} */ (textAlign)];
    const line = {text, x: x - beginning * width, y: y + below, width, font, paint};
    this.#closeGroup();
    this.#parts.push(this.#transformed(this.#letters(line)));
  }

  #fill() {
    const {colour, opacity} = svgColour(this.#state.fillStyle);
    return {fill: colour, 'fill-opacity': opacity * this.#state.globalAlpha};
  }

  #stroke() {
    const {strokeStyle, globalAlpha, lineWidth} = this.#state;
    const {colour, opacity} = svgColour(strokeStyle);
    return {stroke: colour, 'stroke-opacity': opacity * globalAlpha, 'stroke-width': lineWidth};
  }

  /** @param {string} name @param {Record<string, string | number | undefined>} attributes */
  #add(name, attributes) {
    this.#closeGroup();
    this.#parts.push(svgElement(name, {...attributes, transform: this.#transformation}));
  }

  /** @param {string} svg */
  #transformed(svg) {
    const transform = this.#transformation;
    return transform ? svgElement('g', {transform}, svg) : svg;
  }

  get #transformation() {
    const {matrix} = this.#state;
    if (matrix.join() === '1,0,0,1,0,0') return undefined;
    return `matrix(${matrix.map((part) => Math.round(part * 1e4) / 1e4)})`;
  }

  /** @param {number[]} by */
  #transform([a, b, c, d, e, f]) {
    const [p, q, r, s, t, u] = this.#state.matrix;
    this.#state.matrix = [
      p * a + r * b,
      q * a + s * b,
      p * c + r * d,
      q * c + s * d,
      p * e + r * f + t,
      q * e + s * f + u,
    ];
  }
}
