import {render, svg as svgTemplate} from 'lit';
import {create} from '../views/parts/create-element.js';
import {laterStyle} from '../views/parts/later-style.js';
import {startStyles, tokenStyle} from '../views/styles.js';
import exportStyle from './figure.css?inline';
import {figureFamily, loadFigureFont} from './figure-font.js';
import {shapeHead} from './head-svg-lines.js';
import {asOutlines, asText} from './figure-letters.js';
import {SvgContext} from './svg-context.js';
import {svgColour, svgElement} from './svg-markup.js';
import {measureText} from './text-ruler.js';

/** @import {Letters} from './figure-letters.js' */
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

/** Elements that a figure leaves out: hidden ones, and those that have no use on paper. */
const tools = 'details, dialog, .tooltip, [hidden]';

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
  for (const child of box.children) walk(child, {parts, origin, ...how});
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

/**
 * @typedef {object} Sheet
 * @property {string[]} parts
 * @property {{x: number, y: number}} origin
 * @property {Map<Element, SvgContext>} canvases
 * @property {Letters} letters
 *
 * @param {Element} element
 * @param {Sheet} sheet
 */
function walk(element, sheet) {
  if (element.matches(tools)) return;
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  if (style.display === 'none' || style.clipPath !== 'none' || style.opacity === '0') return;
  drawBox(box, style, sheet);
  const drawing = sheet.canvases.get(element);
  if (drawing) {
    const canvas = /** @type {HTMLCanvasElement} */ (element);
    const {x, y} = sheet.origin;
    const scale = box.width / canvas.width || 1;
    const transform = `translate(${box.left - x} ${box.top - y}) scale(${scale})`;
    sheet.parts.push(svgElement('g', {transform}, drawing.content));
  }
  for (const child of element.childNodes) {
    if (child instanceof Element) walk(child, sheet);
    else if (child instanceof Text) drawText(child, style, sheet);
  }
}

/**
 * Draws backgrounds and borders: marked rows, swatches, rules.
 *
 * @param {DOMRect} box
 * @param {CSSStyleDeclaration} style
 * @param {Sheet} sheet
 */
function drawBox({left, top, width, height}, style, {parts, origin}) {
  if (!width || !height) return;
  const [x, y] = [left - origin.x, top - origin.y];
  if (style.backgroundImage.startsWith('linear-gradient(to right')) {
    parts.push(gradient({x, y, width, height}, style.backgroundImage));
  }
  const ground = svgColour(style.backgroundColor);
  const rx = parseFloat(style.borderTopLeftRadius) || undefined;
  if (ground.opacity > 0) {
    parts.push(
      svgElement('rect', {
        x,
        y,
        width,
        height,
        rx,
        fill: ground.colour,
        'fill-opacity': ground.opacity,
      }),
    );
  }
  const thicknessOf = (/** @type {'Top' | 'Bottom' | 'Left' | 'Right'} */ side) =>
    parseFloat(style[`border${side}Width`]);
  // Inside the box: a neighbour would cover half of a line on its edge.
  const edges = /** @type {const} */ ([
    ['Top', x, y + thicknessOf('Top') / 2, width, 0],
    ['Bottom', x, y + height - thicknessOf('Bottom') / 2, width, 0],
    ['Left', x + thicknessOf('Left') / 2, y, 0, height],
    ['Right', x + width - thicknessOf('Right') / 2, y, 0, height],
  ]);
  for (const [side, fromX, fromY, byX, byY] of edges) {
    const thickness = thicknessOf(side);
    const edge = svgColour(style[`border${side}Color`]);
    if (!thickness || style[`border${side}Style`] === 'none' || !edge.opacity) continue;
    const stroke = {stroke: edge.colour, 'stroke-opacity': edge.opacity, 'stroke-width': thickness};
    parts.push(
      svgElement('path', {d: `M${fromX} ${fromY}l${byX} ${byY}`, fill: 'none', ...stroke}),
    );
  }
}

let gradients = 0;

/**
 * A gradient with its colours at equal distances, from left to right.
 *
 * @param {{x: number, y: number, width: number, height: number}} place
 * @param {string} image  CSS
 */
function gradient(place, image) {
  const colours = image.match(/(?:rgb|color)\([^)]*\)/g) ?? [];
  const stops = colours.map((colour, i) =>
    svgElement('stop', {offset: i / (colours.length - 1), 'stop-color': svgColour(colour).colour}),
  );
  const id = `bertscope-scale-${gradients++}`;
  const definition = svgElement('linearGradient', {id}, stops.join(''));
  return definition + svgElement('rect', {...place, fill: `url(#${id})`});
}

/**
 * Draws each line of a text.
 *
 * @param {Text} node
 * @param {CSSStyleDeclaration} style
 * @param {Sheet} sheet
 */
function drawText(node, style, {parts, origin, letters}) {
  const font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const {colour, opacity} = svgColour(style.color);
  for (const {text, box} of linesOf(node)) {
    const {fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent} = measureText(
      text,
      font,
    );
    const line = {
      text,
      x: box.left - origin.x,
      y: box.top - origin.y + (box.height + ascent - descent) / 2,
      width: box.width,
      font,
      paint: {fill: colour, 'fill-opacity': opacity},
      isRtl: style.direction === 'rtl',
    };
    parts.push(letters(line));
  }
}

/**
 * @param {Text} node
 * @returns {{text: string, box: DOMRect}[]} what stands in each line
 */
function linesOf(node) {
  const range = document.createRange();
  /** @type {{text: string, box: DOMRect}[]} */
  const lines = [];
  // A word belongs to the line in which it begins.
  for (const {index, 0: word} of node.data.matchAll(/\S+\s*/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.trimEnd().length);
    const [box] = range.getClientRects();
    const last = lines.at(-1);
    if (!box || box.width < 0.5) continue;
    if (last && Math.abs(last.box.top - box.top) < box.height / 2) {
      last.text += ` ${word.trim()}`;
      last.box = new DOMRect(
        last.box.left,
        last.box.top,
        box.right - last.box.left,
        last.box.height,
      );
    } else {
      lines.push({text: word.trim(), box});
    }
  }
  return lines;
}
