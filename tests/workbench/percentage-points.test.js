import assert from 'node:assert/strict';
import {test} from 'node:test';
import {workbenchStrings} from '../../web/strings/workbench.js';
import {inPoints} from '../../web/workbench/percentage-points.js';

test('a change of a probability has its sign, and more digits where it is small', () => {
  for (const [change, said] of /** @type {[number, string][]} */ ([
    [0.9, '+90'],
    [-0.9, '−90'],
    [0.0993, '+9.9'],
    [0.0512, '+5.1'],
    [0.00512, '+0.51'],
    [0, '0.00'],
    [0.00001, '0.00'],
    [-0.00001, '0.00'],
  ])) {
    assert.equal(inPoints(change), workbenchStrings.points(said));
  }
});
