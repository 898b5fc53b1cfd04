import assert from 'node:assert/strict';
import {test} from 'node:test';
import {crc32, inflateSync} from 'node:zlib';
import {imageAddress} from '../../web/export/png-data-url.js';

/** Reads what `imageAddress` writes (https://www.w3.org/TR/png-3/). @param {string} address */
function decoded(address) {
  const file = Buffer.from(address.slice('data:image/png;base64,'.length), 'base64');
  /** @type {Record<string, Buffer>} */
  const chunks = {};
  for (let at = 8; at < file.length;) {
    const end = at + 8 + file.readUInt32BE(at);
    chunks[file.toString('latin1', at + 4, at + 8)] = file.subarray(at + 8, end);
    assert.equal(file.readUInt32BE(end), crc32(file.subarray(at + 4, end)));
    at = end + 4;
  }
  const [width, height] = [chunks.IHDR.readUInt32BE(0), chunks.IHDR.readUInt32BE(4)];
  const size = chunks.PLTE ? 1 : 4;
  const written = inflateSync(chunks.IDAT);
  const rows = Buffer.alloc(width * height * size);
  const filters = new Set();
  for (let y = 0; y < height; y++) {
    const begin = y * (width * size + 1);
    filters.add(written[begin]);
    for (let x = 0; x < width * size; x++) {
      const at = y * width * size + x;
      const left = x < size ? 0 : rows[at - size];
      const above = y === 0 ? 0 : rows[at - width * size];
      rows[at] = written[begin + 1 + x] + [0, left, above][written[begin]];
    }
  }
  const {PLTE, tRNS} = chunks;
  const data = PLTE
    ? [...rows].flatMap((place) => [...PLTE.subarray(3 * place, 3 * place + 3), tRNS[place]])
    : [...rows];
  return {image: {width, height, data}, filters: [...filters]};
}

/** @param {number} width @param {number} height @param {(x: number, y: number) => number[]} colourAt */
function image(width, height, colourAt) {
  const data = new Uint8ClampedArray(
    Array.from({length: width * height}, (_, at) =>
      colourAt(at % width, Math.floor(at / width)),
    ).flat(),
  );
  return /** @type {ImageData} */ ({width, height, data});
}

/** Noise that is the same each time. @param {number} x */
const noise = (x) => (x * x * 7919) % 251;

// In rows of rising colours each byte is like the one on its left, and in rising rows like the one above.
for (const [what, filter, drawn] of /** @type {[string, number, ImageData][]} */ ([
  ['a row of few rising colours', 1, image(200, 1, (x) => [9, 9, 9, x + 1])],
  ['few colours in rising rows', 2, image(300, 40, (x, y) => [7, 0, 200, (noise(x) + y) % 256])],
  ['a row of many rising colours', 1, image(700, 1, (x) => [x % 256, x >> 8, 3, 255])],
  ['many colours in rising rows', 2, image(400, 20, (x, y) => [noise(x) + y, x >> 4, y, 90])],
])) {
  test(`a PNG of ${what} has the pixels of its image`, () => {
    const {image: found, filters} = decoded(imageAddress(drawn));
    assert.deepEqual(found, {...drawn, data: [...drawn.data]});
    assert.deepEqual(filters, [filter]);
  });
}
