/** What the gallery has frozen; `npm run docs:snapshot` makes the snapshot of it. */
export const frozenExample = Object.freeze({
  text: 'the cat sat on the mat',
  pair: 'the cat lay on the rug',
  layer: 3,
  head: 0,
});
