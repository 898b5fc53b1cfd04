/** The picture that the gallery shows frozen; `npm run docs:snapshot` makes its snapshot. */
export const frozenExample = Object.freeze({
  text: 'the cat sat on the mat',
  pair: 'the cat lay on the rug',
  layer: 3,
  head: 0,
});
