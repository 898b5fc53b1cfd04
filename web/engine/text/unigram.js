/** Finds the likeliest pieces of a text (Kudo 2018). */

/** An unknown character is less likely than the least likely piece by this much. */
export const UNKNOWN_PENALTY = 10;

/**
 * Runs Viterbi's algorithm. Of equally likely ways to a place it takes the first. Source:
 * `encode_optimized` of `Unigram` in Hugging Face's tokenizers, which was made from
 * `EncodeOptimized` of SentencePiece.
 * @param {string[]} characters
 * @param {(characters: string[], at: number) => Iterable<[length: number, score: number]>} piecesAt
 *   The pieces that begin there, the shortest first.
 * @param {number} unknown The score of a character without a piece.
 * @param {Float64ArrayConstructor | Float32ArrayConstructor} Scores How sums are kept.
 * @returns {string[]} The likeliest pieces.
 */
export function likeliestPieces(characters, piecesAt, unknown, Scores) {
  const best = new Scores(characters.length + 1);
  const origins = new Int32Array(characters.length + 1).fill(-1);
  for (let at = 0; at < characters.length; at++) {
    let isKnown = false;
    const consider = (/** @type {number} */ length, /** @type {number} */ score) => {
      const end = at + length;
      const sum = best[at] + score;
      if (origins[end] >= 0 && sum <= best[end]) return;
      best[end] = sum;
      origins[end] = at;
    };
    for (const [length, score] of piecesAt(characters, at)) {
      isKnown ||= length === 1;
      consider(length, score);
    }
    if (!isKnown) consider(1, unknown);
  }
  const pieces = [];
  for (let end = characters.length; end > 0; end = origins[end]) {
    pieces.push(characters.slice(origins[end], end).join(''));
  }
  return pieces.reverse();
}
