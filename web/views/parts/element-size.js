/** @typedef {{width: number, height: number}} Size  in CSS pixels */
/** A point in the window, as a pointer's event has it. @typedef {{clientX: number, clientY: number}} WindowPoint */

/**
 * Returns where a point of the window is in an element, from its upper left corner, in the CSS pixels of its layout. A
 * slide may be scaled as a whole, which its layout does not know of.
 *
 * @param {HTMLElement} element
 * @param {WindowPoint} point
 */
export function pointIn(element, {clientX, clientY}) {
  const {left, top, width} = element.getBoundingClientRect();
  const scale = element.offsetWidth / width;
  return {x: (clientX - left) * scale, y: (clientY - top) * scale};
}

/** @param {HTMLElement} element @param {Size} size */
export function setSize({style}, {width, height}) {
  style.width = `${width}px`;
  style.height = `${height}px`;
}

/**
 * Clears a canvas and gives it a size.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Size} size
 * @param {number} ratio  device pixels per CSS pixel
 */
export function resizeCanvas(canvas, size, ratio) {
  canvas.width = Math.round(size.width * ratio);
  canvas.height = Math.round(size.height * ratio);
  setSize(canvas, size);
}
