/** @import {Page} from 'playwright-core' */

/** Measures what is in sight in the first view. @param {Page} page */
export const measure = (page) =>
  page.evaluate(() => {
    const {innerWidth: width, innerHeight: height} = window;
    const scope = /** @type {any} */ (document.querySelector('bert-scope'));
    /** @param {Document | ShadowRoot} root @returns {Element[]} */
    const all = (root) =>
      [...root.querySelectorAll('*')].flatMap((one) => [
        one,
        ...(one.shadowRoot ? all(one.shadowRoot) : []),
      ]);
    const isSeen = (/** @type {Element} */ one) => {
      const {top, left, bottom, right} = one.getBoundingClientRect();
      const isThere = one.checkVisibility({visibilityProperty: true, opacityProperty: false});
      return (
        isThere &&
        right - left > 1 &&
        bottom - top > 1 &&
        top < height &&
        bottom > 0 &&
        left < width
      );
    };
    const elements = all(document);
    const controls = elements.filter(
      (one) =>
        one.matches('button, input, select, textarea, summary, a[href]') &&
        // What heads look at is a list to read, in which each line leads to its heads, and the ends of the map are its text.
        !one.matches('.token, .names button, .end, [type=radio]') &&
        isSeen(one),
    );
    const groups = elements.filter((one) => one.matches('[role=radiogroup]') && isSeen(one));
    let small = 0;
    let text = 0;
    for (const one of elements.filter(isSeen)) {
      const own = [...one.childNodes].filter(({nodeType}) => nodeType === Node.TEXT_NODE);
      const count = own.map(({textContent}) => textContent?.trim() ?? '').join('').length;
      text += count;
      if (parseFloat(getComputedStyle(one).fontSize) < 14) small += count;
    }
    const {top, left, bottom, right} = scope.renderRoot
      .querySelector('.head-view')
      .getBoundingClientRect();
    const area = (Math.min(bottom, height) - Math.max(top, 0)) * (right - left);
    return {
      controls: [...controls, ...groups].map((one) => one.textContent?.trim() || one.id),
      small: small / text,
      picture: area / (width * height),
      pictureTop: top,
      overflow: document.documentElement.scrollWidth - width,
    };
  });
