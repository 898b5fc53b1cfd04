import {render, svg as svgTemplate} from 'lit';
import {create} from '../views/parts/create-element.js';
import {laterStyle} from '../views/parts/later-style.js';
import {startStyles, tokenStyle} from '../views/styles.js';
import exportStyle from './figure.css?inline';
import {figureFamily, loadFigureFont} from './figure-font.js';
import {shapeHead} from './head-svg-lines.js';
import {asOutlines, asText} from './figure-letters.js';
import {SvgContext} from './svg-context.js';
import {drawElement} from './svg-of-element.js';
import {svgColour, svgElement} from './svg-markup.js';

/** @import {Letters} from './figure-letters.js' */
/** @import {Sheet} from './svg-of-element.js' */
/** @import {ViewData, ViewElement} from '../views/view-kinds.js' */

/**
 * @typedef {{title: string, data: ViewData, stretch?: number}} Panel  without a title it has none; `stretch`: how much
 *   higher its rows are than usual
 *
 * @typedef {object} Picture
 * @property {string} title  empty for none
 * @property {HTMLElement} element
 * @property {() => void} draw  draws its canvases anew
 *
 * @typedef {object} FigureOptions
 * @property {number} columns  of pictures
 * @property {number} width  of a column, in CSS pixels
 * @property {'light' | 'dark'} theme
 * @property {readonly {name: string, colour: string}[]} key  what colours mean; none: no key
 * @property {readonly string[]} caption  lines below the picture
 * @property {string} [heading]  over all pictures
 * @property {'outlines' | 'text'} letters  what becomes of text
 * @property {Element} [like]  whose custom properties it takes over
 */

const margin = 16;

/** The space between pictures, in pixels. */
const between = 32;

/**
 * Draws views as an SVG document.
 *
 * @param {FigureOptions & {create: (data: ViewData) => ViewElement, panels: readonly Panel[]}} options
 */
export function figure({create: createView, panels, ...options}) {
  const pictures = panels.map(({title, data, stretch = 1}) => {
    const large = {...data, dark: options.theme === 'dark', ratio: 3, paintHead: shapeHead};
    const element = createView(large);
    if (stretch > 1) element.style.setProperty('--row-height', `calc(${stretch} * var(--row))`);
    return {title, element, draw: () => element.update(large)};
  });
  return figureOf(pictures, options);
}

/**
 * Draws elements as an SVG document. They are laid out and drawn as on the screen, but out of sight. Their canvases draw
 * into SVG, and their texts are copied from their places.
 *
 * @param {readonly Picture[]} pictures  in their order
 * @param {FigureOptions} options
 * @returns {Promise<{svg: string, width: number, height: number, missing: string}>}  `missing`: the
 *   letters that the figure's font lacks
 */
export async function figureOf(pictures, {columns, width, theme, ...options}) {
  const {key, heading, caption, letters, like} = options;
  const font = await loadFigureFont();
  const host = create('div');
  host.setAttribute('theme', theme);
  host.style.cssText = `position: fixed; left: 0; top: 0; width: ${columns * width + (columns - 1) * between}px; visibility: hidden; pointer-events: none; z-index: -1`;
  if (like) takeColours(host, like);
  const others = host.style.getPropertyValue('--font') || 'sans-serif';
  host.style.setProperty('--font', `"${figureFamily}", ${others}`);
  const root = host.attachShadow({mode: 'open'});
  root.adoptedStyleSheets = [
    ...[tokenStyle, ...startStyles].map(styleSheet),
    laterStyle,
    styleSheet(exportStyle),
  ];
  const panels = pictures.map(({title, element}) =>
    create('div', '', ...(title ? [create('p', 'figure-title', title)] : []), element),
  );
  const arranged = create('div', 'figure-panels', ...panels);
  arranged.style.cssText = `grid-template-columns: repeat(${columns}, minmax(0, 1fr)); gap: ${between}px`;
  const entries = key.map(({name, colour}) => {
    const swatch = create('span', 'swatch');
    swatch.style.background = colour;
    return create('span', 'head', swatch, name);
  });
  const notes = caption.map((line) => create('p', '', line));
  const below = create('div', 'figure-caption', ...notes);
  const above = heading ? [create('p', 'figure-heading', heading)] : [];
  const explained = create('div', 'figure-key', ...entries);
  const box = create('div', 'figure', ...above, arranged, explained, below);
  root.append(box);
  document.body.append(host);
  try {
    // By then, resize observers have run.
    await frames(2);
    await widen(host, root);
    const missing = /** @type {Set<string>} */ (new Set());
    const write = (letters === 'outlines' ? asOutlines : asText)(font, missing);
    const canvases = recordCanvases(root, write);
    for (const {draw} of pictures) draw();
    const rules = letters === 'text' ? font.rules : '';
    return {...toSvg(box, {canvases, letters: write, rules}), missing: [...missing].join('')};
  } finally {
    host.remove();
  }
}

/**
 * Widens a view until nothing in it scrolls sideways: on paper it would be cut off.
 *
 * @param {HTMLElement} host
 * @param {ShadowRoot} root
 */
async function widen(host, root) {
  // With more room, an element may become wider still.
  for (let attempt = 0; attempt < 3; attempt++) {
    const boxes = [...root.querySelectorAll('.figure *')].filter(
      (box) => getComputedStyle(box).overflowX === 'auto',
    );
    const missing = Math.max(0, ...boxes.map((box) => box.scrollWidth - box.clientWidth));
    if (!missing) return;
    host.style.width = `${host.clientWidth + missing}px`;
    await frames(2);
  }
}

/** @param {number} count  at most a tenth of a second each, where nothing is painted */
async function frames(count) {
  for (let i = 0; i < count; i++) {
    await new Promise((resolve) => {
      requestAnimationFrame(resolve);
      setTimeout(resolve, 100);
    });
  }
}

/** @param {string} text */
function styleSheet(text) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

/** @param {HTMLElement} host @param {Element} like */
function takeColours(host, like) {
  const style = getComputedStyle(like);
  for (const name of new Set(tokenStyle.match(/--[\w-]+(?=:)/g))) {
    host.style.setProperty(name, style.getPropertyValue(name));
  }
}

/**
 * @param {ShadowRoot} root
 * @param {Letters} letters
 * @returns {Map<Element, SvgContext>} the last drawing of each canvas
 */
function recordCanvases(root, letters) {
  /** @type {Map<Element, SvgContext>} */
  const drawings = new Map();
  for (const canvas of root.querySelectorAll('canvas')) {
    const record = () => {
      const context = new SvgContext(canvas, letters);
      drawings.set(canvas, context);
      return context;
    };
    Object.defineProperty(canvas, 'getContext', {value: record});
  }
  return drawings;
}

/**
 * @param {HTMLElement} box
 * @param {Pick<Sheet, 'canvases' | 'letters'> & {rules: string}} how  `rules`: CSS of the document
 */
function toSvg(box, {rules, ...how}) {
  const frame = box.getBoundingClientRect();
  /** @type {string[]} */
  const parts = [];
  const origin = {x: frame.left - margin, y: frame.top - margin};
  for (const child of box.children) drawElement(child, {parts, origin, ...how});
  const content = (rules && svgElement('style', {}, rules)) + parts.join('');
  const ground = svgColour(getComputedStyle(box).backgroundColor);
  // The figure ends where the drawing does, which may be narrower than its place.
  const right = Math.min(rightOf(content, box, ground.colour), margin + frame.width);
  const size = {
    width: Math.ceil(right) + margin,
    height: Math.ceil(frame.height) + 2 * margin,
  };
  const background = svgElement('rect', {...size, fill: ground.colour});
  const svg = svgElement(
    'svg',
    {xmlns: 'http://www.w3.org/2000/svg', ...size, viewBox: `0 0 ${size.width} ${size.height}`},
    background + content,
  );
  return {svg, ...size};
}

/**
 * @param {string} content  of an SVG
 * @param {Element} place  where it is measured
 * @param {string} ground  the colour behind it
 * @returns {number} where it ends, but for what has the colour of the ground
 */
function rightOf(content, place, ground) {
  const measured = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  // A page may let only Lit make elements of texts. Lit takes the parts of a template with what they are written as.
  render(svgTemplate(Object.assign([content], {raw: [content]})), measured);
  place.append(measured);
  const shapes = [...measured.querySelectorAll('rect, path, text, image')];
  const right = shapes.reduce((most, shape) => {
    const isSeen = shape.getAttribute('fill') !== ground;
    return isSeen ? Math.max(most, shape.getBoundingClientRect().right) : most;
  }, 0);
  const {left} = measured.getBoundingClientRect();
  measured.remove();
  return right - left;
}
