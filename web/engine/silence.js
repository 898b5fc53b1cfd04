/** Gives up waiting for what does not answer: a server, the browser's storage, an engine that starts. */

/** Servers and storage that give no sign for so long have failed. */
export const SILENCE_MILLISECONDS = 10_000;

/**
 * @template T
 * @param {Promise<T>} answer
 * @param {(found: string) => Error} silent Makes the error if there is no answer for so long.
 * @param {number} [milliseconds]
 * @returns {Promise<T>}
 */
export async function inTime(answer, silent, milliseconds = SILENCE_MILLISECONDS) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const silence = new Promise((_, reject) => {
    const giveUp = () => reject(silent(`none for ${milliseconds / 1000} s`));
    timer = setTimeout(giveUp, milliseconds);
  });
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param {AsyncGenerator<Uint8Array, void>} chunks
 * @param {(found: string) => Error} silent
 * @param {number} [milliseconds]
 * @returns {AsyncGenerator<Uint8Array, void>} The chunks, each of which must arrive in time.
 */
export async function* unlessSilent(chunks, silent, milliseconds) {
  try {
    for (;;) {
      const {done, value} = await inTime(chunks.next(), silent, milliseconds);
      if (done) return;
      yield value;
    }
  } finally {
    // This is not awaited, because a pending read may never end.
    void chunks.return().catch(() => {});
  }
}
