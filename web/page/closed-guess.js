const storageKey = 'bertscope-guess-closed';

/** Remembers that the reader has closed the line with the guess. */
export function keepGuessClosed() {
  try {
    localStorage.setItem(storageKey, 'true');
  } catch {
    // Without storage, the line is there again at the next visit.
  }
}

export function isGuessClosed() {
  try {
    return localStorage.getItem(storageKey) === 'true';
  } catch {
    return false;
  }
}
