/** A decoder writes this for bytes that are not a whole character. */
export const INCOMPLETE = '\uFFFD';

/** @param {string} decoded @returns {string} The text without bytes that are not a whole character. */
export const wholeCharacters = (decoded) => decoded.replaceAll(INCOMPLETE, '');
