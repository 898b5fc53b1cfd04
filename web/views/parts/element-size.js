/** @typedef {{width: number, height: number}} Size  in CSS pixels */

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
