/** @type {CanvasRenderingContext2D | null | undefined} made when it is first needed */
let ruler;

/**
 * @param {string} text
 * @param {string} font  CSS
 */
export function measureText(text, font) {
  ruler ??= document.createElement('canvas').getContext('2d');
  if (!ruler) throw new Error('expected a canvas to measure text with, found none');
  ruler.font = font;
  return ruler.measureText(text);
}
