import {round} from './svg-markup.js';

/**
 * The font of exported figures, so that they look the same whatever fonts a reader has: Inter without
 * features, made by `scripts/fonts/make_figure_font.py`.
 *
 * @typedef {object} Face  one weight
 * @property {string} woff2  base64
 * @property {Record<string, (string | number)[]>} glyphs  by character: its advance and its outline as
 *   an SVG path of M, L, H, V, C and Z, y pointing down, in 1/1000 em
 */

/** The family name that styles use. */
export const figureFamily = 'bertscope figure';

/** From this weight on, the semibold face is used. */
const leastSemibold = 550;

/** @type {Promise<FigureFont> | undefined} */
let loading;

/** Loads the font, also into the page, since figures are laid out with it. */
export function loadFigureFont() {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load() {
  const [regular, semibold] = await Promise.all([
    import('./font/regular.json'),
    import('./font/semibold.json'),
  ]);
  const font = new FigureFont(regular.default, semibold.default);
  await Promise.all(font.faces.map((face) => face.load()));
  for (const face of font.faces) document.fonts.add(face);
  return font;
}

class FigureFont {
  #regular;
  #semibold;

  /** @param {Face} regular @param {Face} semibold */
  constructor(regular, semibold) {
    this.#regular = regular;
    this.#semibold = semibold;
    this.faces = this.#weights.map(({face, weight}) => {
      const bytes = Uint8Array.from(atob(face.woff2), (byte) => byte.charCodeAt(0));
      // Loaded from bytes, since a page's policy may forbid fonts from addresses.
      return new FontFace(figureFamily, bytes, {weight: String(weight)});
    });
  }

  get #weights() {
    return [
      {face: this.#regular, weight: 400},
      {face: this.#semibold, weight: 600},
    ];
  }

  /** The CSS rules that embed the font in an SVG that keeps its text. */
  get rules() {
    const rules = this.#weights.map(
      ({face, weight}) =>
        `@font-face{font-family:"${figureFamily}";font-weight:${weight};src:url(data:font/woff2;base64,${face.woff2})}`,
    );
    return rules.join('');
  }

  /**
   * A character's advance and outline, or null if the font lacks the character.
   *
   * @param {string} character
   * @param {number} weight
   * @returns {{advance: number, outline: string} | null}
   */
  glyph(character, weight) {
    const {glyphs} = weight < leastSemibold ? this.#regular : this.#semibold;
    if (!Object.hasOwn(glyphs, character)) return null;
    const [advance, outline] = glyphs[character];
    return {advance: Number(advance), outline: String(outline)};
  }
}

/** @typedef {FigureFont} Font */

/**
 * Converts an outline in 1/1000 em to a path at its place in the figure.
 *
 * @param {string} outline
 * @param {{x: number, y: number, size: number}} place  of its origin; pixels of an em
 */
export function placed(outline, {x, y, size}) {
  const scale = size / 1000;
  let command = '';
  let isX = true;
  return outline.replace(/([MLHVCZ])|(-?\d+)( ?)/g, (_, letter, number, space) => {
    if (letter) {
      command = letter;
      isX = letter !== 'V';
      return letter;
    }
    const value = round(Number(number) * scale + (isX ? x : y));
    if (command !== 'H' && command !== 'V') isX = !isX;
    return `${value}${space}`;
  });
}
