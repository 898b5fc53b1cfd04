/**
 * The character that stands for each byte in a byte-level vocabulary: the character with that code
 * if it is printable, else one from U+0100 on. Source: `bytes_to_unicode` of GPT-2 (Radford et al.
 * 2019).
 * @type {readonly string[]}
 */
export const BYTE_SIGNS = (() => {
  let others = 0;
  return Array.from({length: 256}, (_, byte) => {
    const isPrinted = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    return String.fromCharCode(isPrinted ? byte : 256 + others++);
  });
})();
