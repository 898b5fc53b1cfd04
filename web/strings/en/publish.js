/** What is said of a picture that a reader takes along, in English. */
export const publish = {
  title: 'Export',
  picture: 'Picture, as it is shown',
  theme: 'Colours',
  light: 'light',
  dark: 'dark',
  scale: 'Size of the PNG',
  letters: 'Text in the SVG',
  outlines: 'outlines, the same in every program',
  asText: 'text, to be edited and searched',
  /** @param {string} letters */
  smallImages: (letters) =>
    `The figure’s font lacks these, so they are images among the outlines: ${letters}`,
  /** @param {string} letters */
  otherFonts: (letters) =>
    `The font inside the file lacks these, so they look as each reader’s own fonts have them: ${letters}`,
  caption: 'caption: text, model, layer, heads',
  data: 'The numbers themselves',
  extent: 'Weights',
  everything: 'all layers and heads',
  vectors: 'with queries, keys and values (JSON, NPZ)',
  dataHelp: 'JSON and NPZ open here again, and in any page that has <bert-scope>.',
  /** @param {string} measure */
  measured: (measure) => `The numbers are those of the picture: ${measure}.`,
  bothSides:
    'They hold both sides and what changed, after minus before. CSV says of each row which side it is; JSON has the fields “before” and “difference”, NPZ arrays named “before_…” and “difference_…”.',
  twoSides:
    'They hold both sides. CSV says of each row which side it is; JSON has the field “before”, NPZ arrays named “before_…”.',
  eachLayer: 'The picture shows the mean of these layers; the files hold each layer by itself.',
  /** @param {string} name  the name of one of two sides */
  oneSide: (name) =>
    `The other side has none of the chosen heads, so of these the files hold ${name} alone.`,
  /** @param {string} reason */
  noDifference: (reason) =>
    `This view has no difference of these two, so the picture has them side by side. ${reason}`,
  /** @param {string} file */
  fileOnly: (file) =>
    `The tag, the frame and the link hold the name of the file ${file} that this is compared with, not what is in it. The HTML file holds both sides.`,
  page: 'Page',
  saveHtml: 'HTML file',
  copyTag: 'Copy HTML tag',
  copyFrozen: 'Copy frozen HTML tag',
  copyFrame: 'Copy HTML frame',
  copyLink: 'Copy link',
  pageHelp:
    'The HTML file shows this view with no network and no engine. The tag puts the live view into a page of your own that may run scripts, the frozen tag the same picture with its numbers and no model. The frame is for a page that may not run scripts (a blog, a course).',
  saved: 'Saved.',
  copied: 'Copied.',
  notCopied: 'the browser did not allow it. Save it as a file, or select the address of the page.',
  keptHere:
    'This model is from your files and kept in this browser: a link opens it here only. Elsewhere the page says that it is missing, and offers the small teaching model.',
  close: 'Close',
  /** @param {number} layer @param {number[]} heads */
  where: (layer, heads) =>
    `layer ${layer}, ${heads.length === 1 ? 'head' : 'heads'} ${heads.join(', ')}`,
  /** @param {readonly number[]} layers @param {readonly number[]} heads  none: all */
  grid: (layers, heads) => {
    const layersShown = layers.length ? `layers ${layers.join(', ')}` : 'all layers';
    return `${layersShown}, ${heads.length ? `heads ${heads.join(', ')}` : 'all heads'}`;
  },
  /** @param {'all' | readonly number[]} layers @param {number[]} heads @returns {string} */
  ofLayers: (layers, heads) =>
    `${layers === 'all' ? 'all layers' : `layers ${layers.join(', ')}`}, ${heads.length === 1 ? 'head' : 'heads'} ${heads.join(', ')}`,
  /** @param {'all' | readonly number[]} layers @param {number[]} heads @returns {string} */
  meanOfLayers: (layers, heads) => `mean of ${publish.ofLayers(layers, heads)}`,
  meanOfHeads: 'mean of these heads',
  direction: 'query → key',

  /** A token of which the text has pieces that the model does not know. */
  unknown: {
    /** @param {string} piece */
    quoted: (piece) => `“${piece}”`,
    /** @param {string} token @param {string} pieces */
    standsFor: (token, pieces) =>
      `${token} stands here for ${pieces}: this is not in the vocabulary of the model.`,
  },
};

/** @typedef {typeof publish} PublishStrings */
