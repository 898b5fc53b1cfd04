/** What is told of a link between two tokens, for the engine, which searches all heads, and for whoever asks it. */

/**
 * What a link shows, the kind that says most about a text first. One to a special token is told only of a text that has
 * no other.
 */
export const linkKinds = /** @type {const} */ ([
  'pronoun',
  'sameWord',
  'phrase',
  'neighbour',
  'punctuation',
  'special',
]);

/** A link with less than this is not told. */
export const faintest = 0.05;

/**
 * A weaker link is not worth a headline, unless a text has no stronger one, and a weaker one of a pronoun is no reason to
 * ask what it stands for.
 */
export const leastWeight = 0.3;

/** A head looks clearly from a token to another one if it gives it at least this share. */
export const clearShare = 0.15;
