import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {headColour, inkOn, luminance, paletteSize} from '../../../web/views/parts/head-colours.js';

/** Machado, Oliveira and Fernandes 2009, full severity, on linear RGB. */
const sights = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** @param {number[][]} matrix @param {number[]} vector */
const multiply = (matrix, vector) =>
  matrix.map((row) => row.reduce((sum, factor, i) => sum + factor * vector[i], 0));

/** @param {string} colour */
const linear = (colour) =>
  [1, 3, 5].map((at) => {
    const channel = parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });

/** OKLab (Ottosson 2020), in which 0.02 is a just noticeable difference. @param {number[]} rgb */
function oklab(rgb) {
  const cones = multiply(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb.map((channel) => Math.min(1, Math.max(0, channel))),
  ).map(Math.cbrt);
  return multiply(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

/** @param {string} one @param {string} other */
function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const tokens = readFileSync(
  new URL('../../../web/views/parts/tokens.css', import.meta.url),
  'utf8',
);
/** The backgrounds of the page, and of what lies on it: tooltips and the phone's inspector. */
const backgrounds = ['surface', 'raised'].map(
  (name) => tokens.match(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`)?.slice(1) ?? [],
);

for (const [theme, dark] of /** @type {const} */ ([
  ['light', false],
  ['dark', true],
])) {
  const colours = Array.from({length: paletteSize}, (_, head) => headColour(head, dark));

  test(`the ${theme} theme has at least 16 colours that stand out from its backgrounds`, () => {
    assert.ok(new Set(colours).size >= 16);
    for (const colour of colours) {
      for (const background of backgrounds) {
        const found = contrast(colour, background[Number(dark)]);
        assert.ok(found >= 3, `${colour} on ${background[Number(dark)]}: ${found}`);
      }
    }
  });

  for (const [sight, matrix] of Object.entries(sights)) {
    test(`with ${sight} every two colours of the ${theme} theme differ by three noticeable steps`, () => {
      const seen = colours.map((colour) => oklab(multiply(matrix, linear(colour))));
      for (let i = 0; i < seen.length; i++) {
        for (let j = 0; j < i; j++) {
          const distance = Math.hypot(...seen[i].map((value, axis) => value - seen[j][axis]));
          assert.ok(distance > 0.06, `${colours[i]} and ${colours[j]}: ${distance}`);
        }
      }
    });
  }

  test(`the number in a square of the ${theme} theme has AA contrast`, () => {
    for (const colour of colours) assert.ok(contrast(colour, inkOn(colour)) >= 4.5, colour);
  });
}
