/**
 * Sixteen head colours for each theme. Any two of a theme differ visibly under normal sight, protanopia, deuteranopia
 * and tritanopia, and each keeps a contrast of 3 with every background (`tests/views/parts/head-colours.test.js` has
 * the numbers). Neighbours in the list differ most, so a model with few heads gets the most distinct colours. After
 * sixteen they repeat, and the numbers in the squares tell heads apart.
 */
const palettes = {
  light: [
    '#2e6bce',
    '#a8102f',
    '#9a9719',
    '#6401ac',
    '#27a26b',
    '#fe5775',
    '#26467f',
    '#f43cf8',
    '#607c15',
    '#2421e8',
    '#703256',
    '#485003',
    '#744ea4',
    '#93546a',
    '#c25a9b',
    '#847edb',
  ],
  dark: [
    '#81a2e4',
    '#e1515d',
    '#d8cb0f',
    '#9977cc',
    '#22cd7f',
    '#f8a2b0',
    '#396aed',
    '#fbc5fb',
    '#84aa05',
    '#5a84ff',
    '#c04296',
    '#6c821a',
    '#8f5bc2',
    '#b0788c',
    '#dc82b8',
    '#bdb5fe',
  ],
};

export const paletteSize = palettes.light.length;

/**
 * @param {number} head
 * @param {boolean} dark
 */
export function headColour(head, dark) {
  return palettes[dark ? 'dark' : 'light'][head % paletteSize];
}

/**
 * Gives the power that an opacity is raised to. A power below 1 makes faint lines stronger and keeps full opacity:
 * faint lines are harder to see on a dark background, most differences are small, and the mean of several heads is faint.
 *
 * @param {boolean} dark
 * @param {boolean} [isDifference]
 * @param {boolean} [isMean]  whether the lines are those of several heads
 */
export function opacityPower(dark, isDifference = false, isMean = false) {
  if (isMean) return 0.5;
  if (isDifference) return 0.6;
  return dark ? 0.7 : 1;
}

/** @typedef {'query' | 'key' | 'value' | 'positive' | 'negative'} NumberColour */

/**
 * The colours of q, k and v wherever they are named, and those of positive and negative numbers. As text, each keeps a
 * contrast of 4.5 with the background.
 *
 * @type {Record<'light' | 'dark', Record<NumberColour, string>>}
 */
const numberColours = {
  light: {
    query: '#0b7a58',
    key: '#9a35a2',
    value: '#86600a',
    positive: '#1b62c4',
    negative: '#c04f0a',
  },
  dark: {
    query: '#4fcaa2',
    key: '#dc90e4',
    value: '#e2b650',
    positive: '#6fabff',
    negative: '#ff9a50',
  },
};

/** @param {boolean} dark */
export function coloursOfNumbers(dark) {
  return numberColours[dark ? 'dark' : 'light'];
}

/**
 * Gives black or white, whichever is easier to read on a colour.
 *
 * @param {string} colour  `#rrggbb`
 */
export function inkOn(colour) {
  // At this luminance L both give the same contrast: (L + .05)² = .05 × 1.05.
  return luminance(colour) > 0.179 ? '#000000' : '#ffffff';
}

/**
 * Computes the relative luminance as WCAG defines it.
 *
 * @param {string} colour  `#rrggbb`
 */
export function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
