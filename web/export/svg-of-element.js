import {svgColour, svgElement} from './svg-markup.js';
import {measureText} from './text-ruler.js';

/** @import {Letters} from './figure-letters.js' */
/** @import {SvgContext} from './svg-context.js' */

/** Elements that a figure leaves out: hidden ones, and those that have no use on paper. */
const tools = 'details, dialog, .tooltip, [hidden]';

/**
 * @typedef {object} Sheet
 * @property {string[]} parts
 * @property {{x: number, y: number}} origin
 * @property {Map<Element, SvgContext>} canvases
 * @property {Letters} letters
 */

/**
 * Draws an element and everything in it, as the browser has laid it out.
 *
 * @param {Element} element
 * @param {Sheet} sheet
 */
export function drawElement(element, sheet) {
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
    if (child instanceof Element) drawElement(child, sheet);
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
