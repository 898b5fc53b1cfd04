import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {inkOnRgb} from '../../../web/views/parts/weight-colours.js';

/** The relative luminance of WCAG 2.2. @param {number[]} rgb */
function luminance(rgb) {
  const [red, green, blue] = rgb.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('text on any colour has the contrast that WCAG asks for', () => {
  const channel = fc.integer({min: 0, max: 255});
  fc.assert(
    fc.property(fc.tuple(channel, channel, channel), (rgb) => {
      const isBlack = inkOnRgb(rgb) === '#000000';
      const contrast = isBlack ? (luminance(rgb) + 0.05) / 0.05 : 1.05 / (luminance(rgb) + 0.05);
      assert.ok(contrast >= 4.5, `${rgb}: ${contrast}`);
    }),
    {numRuns: 1000},
  );
});
