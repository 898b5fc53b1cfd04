/** @import {Page} from 'playwright-core' */

/** Notes the size of every text that a canvas draws, in CSS pixels. A test calls it before the page opens. @param {Page} page */
export const noteDrawnText = (page) =>
  page.addInitScript(() => {
    const {fillText} = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (...drawn) {
      const {a, b} = this.getTransform();
      const size = (parseFloat(/([\d.]+)px/.exec(this.font)?.[1] ?? '') * Math.hypot(a, b)) / devicePixelRatio; // prettier-ignore
      const canvas = /** @type {any} */ (this.canvas);
      canvas.drawnText ??= new Map();
      canvas.drawnText.set(drawn[0], size);
      return fillText.apply(this, drawn);
    };
  });

/**
 * Lists what is in sight in type that is smaller than a size, also in the pictures.
 *
 * @param {Page} page
 * @param {number} least  in CSS pixels
 * @returns {Promise<string[]>}
 */
export const smallType = (page, least) =>
  page.evaluate((least) => {
    /** @type {string[]} */
    const small = [];
    const note = (/** @type {string} */ text, /** @type {number} */ size) => {
      if (size < least - 0.01) small.push(`${text.trim().slice(0, 40)}: ${size.toFixed(1)} px`);
    };
    const isSeen = (/** @type {Element} */ element) => {
      const {width, height, right, bottom} = element.getBoundingClientRect();
      return (
        element.checkVisibility({visibilityProperty: true, opacityProperty: true}) &&
        Math.min(width, height) > 1 &&
        right > 0 &&
        bottom > 0
      );
    };
    const walk = (/** @type {Element | ShadowRoot} */ node) => {
      if (node instanceof Element && node.shadowRoot) walk(node.shadowRoot);
      for (const child of node.childNodes) {
        if (child instanceof Element) walk(child);
        else if (child instanceof Text && child.data.trim() && node instanceof Element) {
          if (node.matches('style, script, option') || !isSeen(node)) continue;
          // The drawing of an SVG element is scaled to its place.
          const scale = node instanceof SVGGraphicsElement ? (node.getScreenCTM()?.a ?? 1) : 1;
          note(child.data, parseFloat(getComputedStyle(node).fontSize) * scale);
        }
      }
      if (node instanceof HTMLCanvasElement && isSeen(node)) {
        // The names beside a drawn tensor are as high as its rows, or else fewer.
        const allowance = node.closest('tensor-block') ? 4 / 3 : 1;
        for (const [text, size] of /** @type {any} */ (node).drawnText ?? [])
          note(text, size * allowance);
      }
      if (node instanceof HTMLTextAreaElement && isSeen(node))
        note(node.value, parseFloat(getComputedStyle(node).fontSize));
    };
    walk(document.body);
    return [...new Set(small)];
  }, least);
