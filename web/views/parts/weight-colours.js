/** Colours from no weight to the strongest weight, and from a negative difference to a positive one. */
const stops = {
  weight: {
    light: ['#ffffff', '#c9e3f0', '#64add0', '#21629f', '#0a2a55'],
    dark: ['#16181c', '#1f3f68', '#2f78ad', '#74bfd4', '#effae6'],
  },
  difference: {
    light: ['#7a3d00', '#e2934a', '#ffffff', '#5d9bdd', '#0b3d91'],
    dark: ['#ffc27a', '#a4611a', '#16181c', '#3273c4', '#a9d0ff'],
  },
};

/**
 * Makes 256 colours, each `[red, green, blue]`.
 *
 * @param {boolean} isDifference
 * @param {boolean} dark
 * @returns {readonly number[][]}
 */
export function matrixColours(isDifference, dark) {
  const range =
    stops[isDifference ? 'difference' : 'weight'][dark ? 'dark' : 'light'].map(channels);
  const last = range.length - 1;
  return Array.from({length: 256}, (_, i) => {
    const place = (i * last) / 255;
    const from = Math.min(Math.floor(place), last - 1);
    const blend = (/** @type {number} */ start, /** @type {number} */ end) =>
      Math.round(start + (end - start) * (place - from));
    return range[from].map((start, channel) => blend(start, range[from + 1][channel]));
  });
}

/** @param {string} colour  `#rrggbb` */
function channels(colour) {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/**
 * Gives the place of a weight among the colours.
 *
 * @param {number} weight
 * @param {number} limit  the weight of the last colour
 * @param {boolean} isDifference
 */
export function colourIndex(weight, limit, isDifference) {
  const share = isDifference ? (weight / limit + 1) / 2 : weight / limit;
  return Math.round(Math.max(0, Math.min(1, share)) * 255);
}

/**
 * Gives black or white, whichever has more contrast with a colour (WCAG 2.2, relative luminance, with a plain power).
 *
 * @param {readonly number[]} colour
 */
export function inkOnRgb([red, green, blue]) {
  const luminance = 0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2;
  return luminance > 0.179 * 255 ** 2.2 ? '#000000' : '#ffffff';
}

/** The limit changes in steps, so that the colours do not change with every letter that one types. */
const limits = [0.05, 0.1, 0.2, 0.5, 1];

/**
 * Gives the weight that gets the full colour: the first limit that no weight exceeds, or 1.
 *
 * @param {number} strongest
 */
export function limitFor(strongest) {
  return limits.find((limit) => strongest <= limit + 1e-6) ?? 1;
}
