/** Tests what patching one text's pass with another's says, against passes that are patched by hand. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {loadModel} from '../../scripts/cli/engine.mjs';
import {defaultModel} from '../../scripts/cli/source.mjs';
import {Encoder} from '../../web/engine/host/encoder.js';
import {NO_CHANGES} from '../../web/engine/interventions.js';
import {loadGolden} from './support.js';

/** @import {PassInput} from '../../web/engine/host/encoder.js' */
/** @import {ExplainTarget} from '../../web/engine/host/explanations.js' */
/** @import {PatchPart} from '../../web/engine/host/patch-map.js' */

const embedded = await loadModel(await defaultModel());
const {layers} = embedded.shape;
const {pass, tokens} = await embedded.attend('The dog was [MASK] in the garden.');
const {pass: from, tokens: fromTokens} = await embedded.attend('The fish was [MASK] in the river.');
const blank = tokens.indexOf('[MASK]');

/** @param {PassInput} of */
const logitsOf = (of) => embedded.pull(of, 'wordLogits', [layers, blank]);

test('a map of hidden states runs from the text’s own answer to that of the other', async () => {
  const {map, shape, value, fromValue, target, against} = await embedded.patch(pass, from);
  assert.deepEqual(shape, [layers + 1, tokens.length]);
  const [{top}] = await embedded.predictions(pass, 1);
  const [{top: fromTop}] = await embedded.predictions(from, 1);
  assert.notEqual(top[0].id, fromTop[0].id);
  assert.deepEqual(target, {token: blank, id: fromTop[0].id, word: fromTop[0].token});
  assert.deepEqual(against, {token: blank, id: top[0].id, word: top[0].token});
  const differenceIn = (/** @type {Float32Array} */ logits) =>
    logits[fromTop[0].id] - logits[top[0].id];
  assert.equal(value, differenceIn(await logitsOf(pass)));
  assert.equal(fromValue, differenceIn(await logitsOf(from)));
  assert.equal(map.length, shape[0] * shape[1]);
  for (const [token, word] of tokens.entries()) {
    // What both texts have alike moves nothing, and after the last layer only the blank is read.
    assert.equal(map[token] === 0, word === fromTokens[token], word);
    assert.equal(map[layers * tokens.length + token], token === blank ? 1 : 0);
  }
});

for (const what of /** @type {PatchPart[]} */ (['hidden', 'heads'])) {
  test(`every place of the map of ${what} is a pass that is patched by hand`, async () => {
    const target = {token: blank, word: 'swimming'};
    const found = await embedded.patch(pass, from, {what, target});
    const {shape, value, fromValue} = found;
    const {id} = /** @type {{id: number}} */ (found.target);
    assert.equal(found.against, undefined);
    assert.equal(value, (await logitsOf(pass))[id]);
    assert.equal(fromValue, (await logitsOf(from))[id]);
    const probe = embedded.encoder.sibling();
    const map = await probe.work(async ({run, read, keep}) => {
      await run(from);
      keep();
      const shares = [];
      for (let row = 0; row < shape[0]; row++) {
        for (let column = 0; column < shape[1]; column++) {
          const patches =
            what === 'heads'
              ? tokens.map((_, token) => ({layer: row, head: column, token}))
              : [{layer: row, token: column}];
          await run({...pass, changes: {...NO_CHANGES, patches}});
          const logits = read('wordLogits', [layers, blank]);
          shares.push((logits[id] - value) / (fromValue - value));
        }
      }
      return Float32Array.from(shares);
    });
    assert.deepEqual(found.map, map);
    await probe.dispose();
  });
}

test('a text patched from itself moves nowhere', async () => {
  const {map, value, fromValue, against} = await embedded.patch(pass, pass);
  assert.equal(value, fromValue);
  assert.equal(against, undefined);
  assert(map.every((share) => share === 0));
});

test('the sentence vector moves from the cosine of both texts to 1', async () => {
  const {map, value, fromValue, target} = await embedded.patch(pass, from, {target: 'vector'});
  const {cosine} = await embedded.sentenceSimilarity(pass, from);
  assert.equal(target, 'vector');
  assert(Math.abs(value - cosine) < 1e-6);
  assert.equal(fromValue, 1);
  // No token alone makes the vector that of the other text, but each makes it more similar.
  assert(map.slice(-tokens.length).every((share) => share > 0 && share < 1));
});

test('a classifier’s map is of its likeliest classes, or of one by name', async () => {
  const classifier = await loadGolden('half-classifier');
  const options = {pair: 'he was in the arrow .'};
  const attended = await classifier.attend('she sat on the mat', options);
  const other = await classifier.attend('he sat on the cat', options);
  const named = await classifier.patch(attended.pass, other.pass, {target: 'class:neutral'});
  assert.deepEqual(named.target, {label: 1, name: 'neutral'});
  const [classes, otherClasses] = [
    await classifier.classes(attended.pass),
    await classifier.classes(other.pass),
  ];
  assert.equal(named.value, classes[1].logit);
  assert.equal(named.fromValue, otherClasses[1].logit);
  const likeliest = (/** @type {typeof classes} */ of) => {
    const [{label}] = of.toSorted((a, b) => b.logit - a.logit);
    return {label: of.findIndex((each) => each.label === label), name: label};
  };
  const {target, against} = await classifier.patch(attended.pass, other.pass);
  assert.deepEqual(target, likeliest(otherClasses));
  const expected = likeliest(classes);
  assert.deepEqual(against, expected.name === target.name ? undefined : expected);
  classifier.dispose();
});

test('a token that is to be masked is masked in both texts', async () => {
  const dog = await embedded.attend('The dog was happy in the garden.');
  const fish = await embedded.attend('The fish was alone in the river.');
  const masked = await embedded.patch(dog.pass, fish.pass, {target: {token: blank, masked: true}});
  assert.deepEqual(masked, await embedded.patch(pass, from));
});

test('a patched pass leaves no trace in those that follow', async () => {
  const before = await embedded.headEffects(pass, undefined);
  await embedded.patch(pass, from);
  assert.deepEqual(await embedded.headEffects(pass, undefined), before);
});

test('texts and targets that cannot be patched are refused', async () => {
  const {pass: longer} = await embedded.attend('The big fish was [MASK] in the river.');
  const {pass: shifted} = await embedded.attend('The fish [MASK] was in the river.');
  const {pass: full} = await embedded.attend('The fish was happy in the river.');
  const bare = await loadGolden('camembert');
  const {pass: ofBare} = await bare.attend('time');
  const refusals = /** @type {[typeof embedded, PassInput, PassInput, any, string, RegExp][]} */ ([
    [
      embedded,
      pass,
      longer,
      {},
      'different-texts',
      /of as many tokens, found 10 and 11: change one/,
    ],
    [embedded, pass, shifted, {}, 'bad-target', /\[MASK\] at the same place .* token 4, found was/],
    [embedded, pass, full, {target: 'mask'}, 'bad-target', /token 4, found happy/],
    [embedded, pass, shifted, {target: {token: blank}}, 'bad-target', /token 4, found was/],
    [embedded, full, pass, {}, 'bad-target', /a text with \[MASK\]/],
    [embedded, pass, from, {what: 'edges'}, 'bad-option', /hidden or heads .* found "edges"/],
    [embedded, pass, from, {target: {token: 99}}, 'bad-target', /from 0 to 9, found 99/],
    [embedded, pass, from, {target: 'class:A'}, 'no-classifier', /a classifier, found none/],
    [bare, ofBare, ofBare, {}, 'no-masked-lm-head', /masked-LM head/],
  ]);
  for (const [model, text, other, options, code, message] of refusals) {
    await assert.rejects(model.patch(text, other, options), (error) => {
      assert.equal(/** @type {any} */ (error).code, code);
      assert.match(/** @type {Error} */ (error).message, message);
      return true;
    });
  }
  bare.dispose();
});

test('a map tells how far it is, and stops between two passes when it is aborted', async () => {
  const controller = new AbortController();
  /** @type {number[]} */
  const told = [];
  const map = embedded.patch(pass, from, {
    signal: controller.signal,
    onProgress: ({done, total}) => {
      assert.equal(total, (layers + 1) * tokens.length);
      told.push(done);
      if (done === 20) controller.abort();
    },
  });
  await assert.rejects(map, {name: 'AbortError'});
  assert.deepEqual(
    told,
    Array.from({length: 20}, (_, done) => done + 1),
  );
});

test('an abort from outside stops a map among the last hidden states, where no layer runs', async () => {
  const controller = new AbortController();
  const {pass: long} = await embedded.attend('the dog '.repeat(120));
  let last = 0;
  const map = embedded.patch(long, long, {
    target: 'vector',
    signal: controller.signal,
    onProgress: ({done}) => {
      if (done === 1) setImmediate(() => controller.abort());
      last = done;
    },
  });
  await assert.rejects(map, {name: 'AbortError'});
  assert(last < long.ids.length, `${last} of ${long.ids.length} were patched`);
});

test('what a job keeps for its patches is freed when the job ends', async () => {
  const probe = embedded.encoder.sibling();
  const patched = {...pass, changes: {...NO_CHANGES, patches: [{layer: 0, token: 1}]}};
  await probe.work(async ({run, keep}) => {
    await run(from);
    keep();
    await run(patched);
  });
  await assert.rejects(
    probe.work(({run}) => run(patched)),
    /expected a pass that they come from, found none/,
  );
  const {pass: unpatched} = await probe.run({...pass});
  const states = await probe.pull(unpatched, 'hiddenStates', [layers]);
  assert.deepEqual(states, await embedded.pull(pass, 'hiddenStates', [layers]));
  await probe.dispose();
});

test('of the last hidden states only that is patched which the answer is read from', async (t) => {
  /** @type {import('../../web/engine/interventions.js').Patch[]} */
  const patched = [];
  const work = Encoder.prototype.work;
  t.mock.method(
    Encoder.prototype,
    'work',
    /** @this {Encoder} @param {any} job @param {AbortSignal} [signal] */
    function (job, signal) {
      const watched = (/** @type {any} */ tools) => {
        const run = (/** @type {PassInput} */ batch) => {
          patched.push(...(batch.changes?.patches ?? []));
          return tools.run(batch);
        };
        return job({...tools, run});
      };
      return work.call(this, watched, signal);
    },
  );
  await embedded.patch(pass, from);
  assert.deepEqual(
    patched.filter(({layer}) => layer === layers),
    [{layer: layers, token: blank}],
  );
});
