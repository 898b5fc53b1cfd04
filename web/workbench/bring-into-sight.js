/** Scrolls what holds an element so that it begins with it, and the page only as far as that is not in sight then. @param {Element} element */
export function bringIntoSight(element) {
  const {scrollX, scrollY} = window;
  element.scrollIntoView({block: 'start'});
  scrollTo(scrollX, scrollY);
  element.scrollIntoView({block: 'nearest'});
}
