/** Cuts the file of a kept model into pieces, whose hashes show whether the file is still whole. */

const PIECE_BYTES = 1 << 22;

/** Computes the SHA-256 of each piece, and at the end the SHA-256 of these. */
export class PieceHashes {
  /** @type {Promise<ArrayBuffer>[]} */
  #digests = [];

  /** @param {Uint8Array} piece */
  add(piece) {
    // The browser computes it in another thread, from a copy.
    const digest = crypto.subtle.digest('SHA-256', /** @type {BufferSource} */ (piece));
    this.#digests.push(digest);
    return digest;
  }

  async end() {
    const digests = await Promise.all(this.#digests);
    const all = new Uint8Array(32 * digests.length);
    digests.forEach((digest, index) => all.set(new Uint8Array(digest), 32 * index));
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', all));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
}

/** Cuts parts into pieces of equal size, so that hashes do not depend on how the parts are cut. */
class Cutter {
  #piece = new Uint8Array(PIECE_BYTES);
  #filled = 0;

  /** @param {Uint8Array} part */
  *add(part) {
    for (let at = 0; at < part.length;) {
      const count = Math.min(PIECE_BYTES - this.#filled, part.length - at);
      this.#piece.set(part.subarray(at, at + count), this.#filled);
      this.#filled += count;
      at += count;
      if (this.#filled === PIECE_BYTES) yield* this.end();
    }
  }

  *end() {
    const piece = this.#piece.subarray(0, this.#filled);
    this.#piece = new Uint8Array(PIECE_BYTES);
    this.#filled = 0;
    if (piece.length > 0) yield piece;
  }
}

/** @param {Iterable<Uint8Array>} parts @returns {Generator<Uint8Array, void>} */
export function* inPieces(parts) {
  const cutter = new Cutter();
  for (const part of parts) yield* cutter.add(part);
  yield* cutter.end();
}

/** @param {AsyncIterable<Uint8Array>} parts */
export async function* inPiecesAsync(parts) {
  const cutter = new Cutter();
  for await (const part of parts) yield* cutter.add(part);
  yield* cutter.end();
}
