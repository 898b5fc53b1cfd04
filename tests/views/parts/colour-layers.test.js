import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Layers, channelsOf} from '../../../web/views/parts/colour-layers.js';

test('one layer has its own colour and opacity', () => {
  const line = new Layers();
  line.cover(channelsOf('#2e6bce'), 0.25);
  assert.equal(line.colour, '#2e6bce');
  assert.equal(line.opacity, 0.25);
});

test('a layer hides as much of those below as it is opaque', () => {
  const line = new Layers();
  line.cover(channelsOf('#ff0000'), 0.5);
  line.cover(channelsOf('#0000ff'), 0.5);
  assert.equal(line.opacity, 0.75);
  // A quarter of red is left of the three quarters that are covered.
  assert.equal(line.colour, '#5500aa');
  line.cover(channelsOf('#00ff00'), 1);
  assert.deepEqual([line.colour, line.opacity], ['#00ff00', 1]);
});
