/** @typedef {readonly [red: number, green: number, blue: number]} Channels  0 to 255 */

/** @param {string} colour  `#rrggbb` @returns {Channels} */
export function channelsOf(colour) {
  const channel = (/** @type {number} */ at) => parseInt(colour.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

/** Transparent colours, one over the other. */
export class Layers {
  opacity = 0;
  /** The sums of colours times opacities. */
  #red = 0;
  #green = 0;
  #blue = 0;

  /** @param {Channels} channels @param {number} opacity */
  cover([red, green, blue], opacity) {
    const rest = 1 - opacity;
    this.#red = this.#red * rest + red * opacity;
    this.#green = this.#green * rest + green * opacity;
    this.#blue = this.#blue * rest + blue * opacity;
    this.opacity = this.opacity * rest + opacity;
    return this;
  }

  /** The colour of all layers, `#rrggbb`. */
  get colour() {
    const [red, green, blue] = [this.#red, this.#green, this.#blue].map((sum) =>
      Math.round(sum / this.opacity),
    );
    return `#${((1 << 24) | (red << 16) | (green << 8) | blue).toString(16).slice(1)}`;
  }
}
