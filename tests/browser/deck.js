/** A deck of slides that treats what is on them as reveal.js does. */

/** The size of a slide, in CSS pixels before it is scaled. */
export const slide = {width: 960, height: 700};

/** Shows one `.slides > section` at a time, and goes on and back by the keys that reach the document. */
export const deckScript = `
const deck = {at: 0, keys: [], isOverview: false};
const sections = document.querySelectorAll('.slides > section');
deck.show = (at) => {
  deck.at = Math.max(0, Math.min(at, sections.length - 1));
  sections.forEach((section, i) => section.classList.toggle('present', i === deck.at));
};
const steps = {ArrowRight: 1, PageDown: 1, ' ': 1, ArrowLeft: -1, PageUp: -1};
document.addEventListener('keydown', (event) => {
  if (/input|textarea/i.test(document.activeElement?.tagName)) return;
  deck.keys.push(event.key);
  if (event.key === 'Escape') deck.isOverview = !deck.isOverview;
  if (steps[event.key]) deck.show(deck.at + steps[event.key]);
});
deck.show(0);
window.deck = deck;
`;

/**
 * Writes the markup of a deck: slides that are scaled to the window, one at a time in sight, and keys that the document
 * listens for. `deck.at` is the slide that is shown, and `deck.keys` are the keys that the deck got.
 *
 * @param {readonly string[]} slides  the content of each
 * @param {number} scale
 */
export const deckOf = (slides, scale = 1) => `
  <style>
    .slides { position: relative; width: ${slide.width}px; height: ${slide.height}px; text-align: center;
      font-size: 40px; transform: scale(${scale}); transform-origin: 0 0; }
    .slides > section { display: none; }
    .slides > section.present { display: block; }
  </style>
  <div class="slides">${slides.map((content) => `<section>${content}</section>`).join('')}</div>
  <script>${deckScript}</script>`;
