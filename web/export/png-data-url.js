import {zlibSync} from 'fflate';

/** The number of colours that one byte can index. */
const mostColours = 256;

/**
 * A PNG filter: a byte is written minus the one on its left, or minus the one above it. Source:
 * https://www.w3.org/TR/png-3/#9Filter-types
 */
const filters = {none: 0, sub: 1, up: 2};

/**
 * Encodes an image as a PNG in a data URL. An image of few colours gets a palette: browsers write four
 * bytes for every pixel, which takes five times as much space for the lines of a head.
 *
 * @param {ImageData} image
 */
export function imageAddress({data, width, height}) {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, width * height);
  // Opacity is the highest byte, so neighbours in the sorted palette look alike and compress well.
  const colours = [...new Set(pixels)].sort((a, b) => a - b);
  const isIndexed = colours.length <= mostColours;
  const places = new Map(colours.map((colour, place) => [colour, place]));
  const rows = isIndexed
    ? Uint8Array.from(pixels, (colour) => places.get(colour) ?? 0)
    : new Uint8Array(data.buffer, data.byteOffset, data.length);
  const channels = new Uint8Array(Uint32Array.from(colours).buffer);
  const channel = (/** @type {number} */ at) => channels.filter((_, i) => i % 4 === at);
  const opaque = channels.filter((_, i) => i % 4 !== 3);
  const parts = [
    chunk('IHDR', header(width, height, isIndexed ? 3 : 6)),
    ...(isIndexed ? [chunk('PLTE', opaque), chunk('tRNS', channel(3))] : []),
    chunk('IDAT', smallest(rows, {length: rows.length / height, bytes: isIndexed ? 1 : 4})),
    chunk('IEND', new Uint8Array()),
  ];
  const file = [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), ...parts];
  const text = file.map((part) => Array.from(part, (byte) => String.fromCharCode(byte)).join(''));
  return `data:image/png;base64,${btoa(text.join(''))}`;
}

/** @param {number} width @param {number} height @param {3 | 6} kind  3: a palette, 6: RGBA */
function header(width, height, kind) {
  const bytes = new Uint8Array(13);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  bytes.set([8, kind], 8);
  return bytes;
}

/** @typedef {{length: number, bytes: number}} Row  `bytes`: of a pixel */

/** @param {Uint8Array} rows @param {Row} row */
function smallest(rows, row) {
  const all = Object.values(filters).map((filter) =>
    zlibSync(filtered(rows, row, filter), {level: 9}),
  );
  return all.reduce((least, each) => (each.length < least.length ? each : least));
}

/**
 * Puts the number of its filter before each row.
 *
 * @param {Uint8Array} rows
 * @param {Row} row
 * @param {number} filter
 */
function filtered(rows, {length, bytes}, filter) {
  const height = rows.length / length;
  const written = new Uint8Array(rows.length + height);
  for (let y = 0; y < height; y++) {
    const to = y * (length + 1);
    written[to] = filter;
    for (let x = 0; x < length; x++) {
      const at = y * length + x;
      const left = x < bytes ? 0 : rows[at - bytes];
      const above = y ? rows[at - length] : 0;
      const less = filter === filters.sub ? left : filter === filters.up ? above : 0;
      written[to + 1 + x] = rows[at] - less;
    }
  }
  return written;
}

/** @param {string} name @param {Uint8Array} data */
function chunk(name, data) {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(
    Array.from(name, (letter) => letter.charCodeAt(0)),
    4,
  );
  bytes.set(data, 8);
  view.setUint32(8 + data.length, checksum(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

/** The CRC-32 of each byte value. Source: https://www.w3.org/TR/png-3/#D-CRCAppendix */
const remainders = Uint32Array.from({length: 256}, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? 0xedb88320 ^ (remainder >>> 1) : remainder >>> 1;
  }
  return remainder;
});

/** @param {Uint8Array} bytes */
function checksum(bytes) {
  let remainder = 0xffffffff;
  for (const byte of bytes) remainder = remainders[(remainder ^ byte) & 0xff] ^ (remainder >>> 8);
  return remainder ^ 0xffffffff;
}
