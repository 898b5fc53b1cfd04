/** Scrolls what holds an element so that it begins with it, and the page only as far as that is not in sight then. @param {Element} element */
export function bringIntoSight(element) {
  const {scrollX, scrollY} = window;
  element.scrollIntoView({block: 'start'});
  scrollTo(scrollX, scrollY);
  element.scrollIntoView({block: 'nearest'});
}

/**
 * Brings an element into sight while what stands around it comes, until the reader does something.
 *
 * @param {Element} element
 * @param {Element} around
 */
export function keepInSight(element, around) {
  const watching = new ResizeObserver(() => bringIntoSight(element));
  watching.observe(around);
  for (const event of ['pointerdown', 'wheel', 'keydown'])
    addEventListener(event, () => watching.disconnect(), {once: true, capture: true});
}
