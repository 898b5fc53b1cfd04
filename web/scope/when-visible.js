/**
 * Calls back once, when an element is about to scroll into view.
 *
 * @param {Element} element
 * @param {() => void} callback
 * @returns {() => void}  a function that ends the waiting
 */
export function whenNear(element, callback) {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({isIntersecting}) => isIntersecting)) return;
      observer.disconnect();
      callback();
    },
    {rootMargin: '50% 0px'},
  );
  observer.observe(element);
  return () => observer.disconnect();
}
