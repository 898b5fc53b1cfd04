import assert from 'node:assert/strict';
import {page, printed, row, tensor, type, waitForTensor} from './lesson-rows.js';
import {embedded} from '../support/embedded-model.js';

const {heads, headWidth, hidden, layers} = embedded;

/* Lesson 3 */

const lesson3 = 'encoder-by-hand';

row(
  'the lesson shows the ids of “time flies like an arrow” without special tokens',
  `${lesson3}/ids`,
  async () => {
    const names = await page.locator('.ids th').allTextContents();
    assert.equal(names.join('').replaceAll('##', ''), 'timeflieslikeanarrow');
    const ids = await page.locator('.ids .id').allTextContents();
    assert.ok(ids.every((id) => /^\d+$/.test(id)));
    await page.getByRole('button', {name: 'Show the answer'}).click();
    await page.locator('.explained', {hasText: '2051, 10029, 2066, 2019, 8612'}).waitFor();
  },
);

row('the embedding lookup copies rows of the table', `${lesson3}/lookup`, async () => {
  const {shape} = await tensor('x');
  assert.equal(shape[2], hidden);
  await type('time time');
  await waitForTensor('x', (data) => data.length === 2 * hidden);
  const {data} = await tensor('x');
  assert.deepEqual(data.slice(0, hidden), data.slice(hidden));
  await type('time flies like an arrow');
});

row(
  'weights with q = k = v are almost the identity, unless vectors are short',
  `${lesson3}/near-identity`,
  async () => {
    const least = (/** @type {number[][]} */ rows) => Math.min(...rows.map((row, i) => row[i]));
    assert.ok(least(await printed('weights')) > 0.99);
    await page.getByRole('radio', {name: '4', exact: true}).check();
    await page.getByText(/Each vector has 4 random numbers/).waitFor();
    const short = await printed('weights');
    assert.ok(least(short) < 0.9);
    for (const row of short) assert.equal(row.at(-1), 1);
    await page.getByRole('radio', {name: '768', exact: true}).check();
    await page.getByRole('checkbox', {name: /powers of ten/}).check();
    // What the notebook prints: 1.7354e-13.
    const cells = page.locator('tensor-block[label="weights"] td[data-cell]');
    await cells
      .filter({hasText: /^\s*\d\.\de−1[0-9]\s*$/})
      .first()
      .waitFor();
  },
);

row(
  'AttentionHead has q, k and v of the head’s size, and weights computed from them',
  `${lesson3}/attention-head`,
  async () => {
    const q = await tensor('q');
    const k = await tensor('k');
    const tokens = q.shape[1];
    assert.deepEqual(q.shape, [1, tokens, headWidth]);
    assert.deepEqual((await tensor('output')).shape, [1, tokens, headWidth]);
    // The first row of weights is computed here from the vectors that are shown.
    const scores = Array.from({length: tokens}, (_, j) =>
      Array.from({length: headWidth}, (_, f) => q.data[f] * k.data[j * headWidth + f]).reduce(
        (a, b) => a + b,
        0,
      ),
    ).map((product) => Math.exp(product / Math.sqrt(headWidth)));
    const total = scores.reduce((a, b) => a + b, 0);
    const [first] = await printed('weights');
    scores.forEach((score, j) => assert.ok(Math.abs(score / total - first[j]) < 0.00051));
  },
);

row(
  'MultiHeadAttention puts its heads side by side and projects them',
  `${lesson3}/multi-head`,
  async () => {
    const each = await tensor('output of each head');
    const combined = await tensor('side by side');
    const output = await tensor('after the output layer');
    const tokens = each.shape[2];
    assert.deepEqual(each.shape, [1, heads, tokens, headWidth]);
    assert.deepEqual(combined.shape, [1, tokens, hidden]);
    assert.deepEqual(output.shape, combined.shape);
    // Head 1 of token 0 is the second `headWidth` columns of its row.
    assert.deepEqual(
      combined.data.slice(headWidth, 2 * headWidth),
      each.data.slice(tokens * headWidth, (tokens + 1) * headWidth),
    );
    assert.notDeepEqual(output.data, combined.data);
  },
);

row(
  'the PyTorch code is copied with all that it needs, for what the reader has typed, and its tensors are saved',
  `${lesson3}/near-identity?text=time+flies&seed=7`,
  async () => {
    await page.locator('.code > summary').click();
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => void Object.assign(window, {copied: text});
    });
    await page.getByRole('button', {name: 'Copy all of it'}).click();
    await page.getByRole('button', {name: 'Copied'}).waitFor();
    const copied = await page.evaluate(() => /** @type {any} */ (window).copied);
    assert.match(copied, /^import numpy as np/);
    assert.match(copied, /def embedding\(ids, size, seed\)/);
    const ids = await page
      .locator('tensor-block[label="weights"]')
      .evaluate((/** @type {any} */ {rows}) => rows.length);
    assert.equal(
      copied
        .match(/^x = embedding\(\[([\d,]+)\], 256, seed=7\)$/m)[1] // as wide as the step begins
        .split(',').length,
      ids,
    );
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', {name: 'Save its tensors (NPZ)'}).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'bertscope-step.npz');
  },
);

row(
  'the feed-forward layer with GELU is four times as wide and treats each token alone',
  `${lesson3}/feed-forward`,
  async () => {
    const expanded = await tensor('expanded, 4 × as wide');
    const activated = await tensor('after GELU');
    assert.equal(expanded.shape[2], 4 * hidden);
    assert.equal((await tensor('output')).shape[2], hidden);
    expanded.data.forEach((x, i) => {
      if (x > 3) assert.ok(Math.abs(activated.data[i] - x) < 0.02);
      if (x < 0) assert.ok(activated.data[i] <= 0 && activated.data[i] > -0.1701);
    });
    await page.getByText('its output changes by 0.0000000').waitFor();
    // In training, dropout empties some numbers and enlarges the others; another draw empties others.
    const [output, trained] = [await tensor('output'), await tensor('output in training')];
    await page.getByRole('radio', {name: 'output', exact: true}).check();
    const empty = trained.data.filter((x) => x === 0).length;
    await page.getByText(`In training ${empty} of ${output.data.length} numbers are 0`).waitFor();
    trained.data.forEach((x, i) => {
      if (x !== 0) assert.ok(Math.abs(x - output.data[i] / 0.9) < 1e-5);
    });
    await page.getByRole('button', {name: /Draw again/}).click();
    await waitForTensor('output in training', (data) => data.some((x, i) => x !== trained.data[i]));
  },
);

row(
  'norms grow with depth in a pre-norm encoder, and stay the same in a post-norm one',
  `${lesson3}/layer-norm`,
  async () => {
    await page.locator('.chart > details > summary').click();
    const rows = await printed('Length of a token’s vector');
    assert.equal(rows.length, 25);
    assert.ok(
      rows.every(([, post]) => Math.abs(post - 8) < 0.01),
      '√64',
    );
    assert.ok(rows[24][0] > 1.3 * rows[0][0]);
    const finding = (await page.locator('.finding').textContent()) ?? '';
    const [input, attention, sum] = (finding.match(/\d+\.\d+/g) ?? []).map(Number);
    assert.ok(Math.abs(sum - Math.hypot(input, attention)) < 1.5);
    await page.getByText('which have only 64 numbers in this step').waitFor();
    await page.getByRole('radio', {name: /after/}).check();
    await page.locator('.key.chosen', {hasText: 'post'}).waitFor();
  },
);

row(
  'shuffling tokens changes their outputs only with position embeddings',
  `${lesson3}/positions`,
  async () => {
    const rows = await printed('change of a token’s output');
    assert.ok(rows.every(([without]) => without === 0));
    assert.ok(rows.some(([, learned]) => learned > 1));
  },
);

row('the full encoder keeps the shape through every layer', `${lesson3}/encoder`, async () => {
  const before = await tensor('hidden state after 1 layer');
  await page.getByRole('radio', {name: String(layers), exact: true}).check();
  const after = await tensor(`hidden state after ${layers} layers`);
  assert.deepEqual(after.shape, before.shape);
  const pre = await tensor(`the same with pre-norm, after ${layers} layers`);
  assert.deepEqual(pre.shape, after.shape);
  const lengthOf = (/** @type {number[]} */ row) => Math.hypot(...row);
  assert.ok(lengthOf(pre.data.slice(0, hidden)) > lengthOf(after.data.slice(0, hidden)) + 1);
  const row = after.data.slice(0, hidden);
  const mean = row.reduce((a, b) => a + b, 0) / hidden;
  const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / hidden;
  assert.ok(Math.abs(mean) < 1e-4 && Math.abs(variance - 1) < 1e-3, 'BERT ends in a layer norm');
});

row(
  'the classification head gives 3 labels from [CLS] alone',
  `${lesson3}/classifier`,
  async () => {
    await page.getByText('Only this row is read: [CLS]').waitFor();
    assert.deepEqual((await tensor('logits')).shape, [1, 3]);
    const [shares] = await printed('shares');
    assert.equal(shares[3], 1);
    await page.getByRole('checkbox', {name: 'with [CLS] and [SEP]'}).uncheck();
    await page.getByText('Only this row is read: time').waitFor();
  },
);

row(
  'the head view shows two sentences, and the lesson where sentence B begins',
  `${lesson3}/pair`,
  async () => {
    const scope = page.locator('.widget bert-scope');
    await scope.locator('.head-view').waitFor();
    const {tokens, types} = await scope.evaluate((/** @type {any} */ {result}) => ({
      tokens: result.tokens,
      types: [...result.tokenTypeIds],
    }));
    const start = types.indexOf(1);
    assert.equal(tokens[start - 1], '[SEP]');
    await page.getByText(`The second sentence begins at token ${start}, “fruit”.`).waitFor();
    // The two “flies” are compared here by the hidden states of the view's own pass.
    const cosines = await scope.evaluate(async (/** @type {any} */ {result}, layers) => {
      const [a, b] = ['indexOf', 'lastIndexOf'].map((find) => result.tokens[find]('flies'));
      const states = await Promise.all(
        Array.from({length: layers + 1}, (_, i) => result.hiddenStates(i)),
      );
      return states.map((data) => {
        const size = data.length / result.tokens.length;
        let [ab, aa, bb] = [0, 0, 0];
        for (let f = 0; f < size; f++) {
          const [x, y] = [data[a * size + f], data[b * size + f]];
          [ab, aa, bb] = [ab + x * y, aa + x * x, bb + y * y];
        }
        return ab / Math.sqrt(aa * bb);
      });
    }, layers);
    const {shape, data} = await tensor('How alike two vectors are');
    assert.deepEqual(shape, [layers + 1, 2]);
    cosines.forEach((cosine, i) => assert.ok(Math.abs(cosine - data[2 * i]) < 1e-4, `layer ${i}`));
    await page.getByRole('button', {name: 'Show the answer'}).click();
    const [first, last] = [cosines[0], cosines[layers]];
    const answer = (await page.locator('.explained').textContent()) ?? '';
    assert.ok(answer.includes(first.toFixed(3)) && answer.includes(last.toFixed(3)), answer);
    assert.ok(answer.includes(last > first ? 'come closer' : 'come further apart'), answer);
    await page.getByRole('link', {name: /Open this in Explore/}).click();
    assert.equal(await page.locator('#pair').inputValue(), 'fruit flies like a banana');
    await page.locator('bert-scope[controls] .head-view').waitFor();
  },
);

row(
  'the causal mask writes −∞ into the scores, and gives these weights of 0',
  `${lesson3}/causal-mask`,
  async () => {
    const cells = page
      .locator('tensor-block[label="masked scores"] tbody tr')
      .first()
      .locator('td');
    const texts = (await cells.allTextContents()).map((text) => text.trim());
    assert.ok(texts.slice(1).every((text) => text === '−∞'));
    const shares = await cells.evaluateAll((tds) => tds.map((td) => td.style.cssText));
    assert.ok(
      shares.slice(1).every((style) => /--share: 0%/.test(style)),
      'masked scores have no colour',
    );
    const rows = await printed('weights');
    assert.deepEqual(rows[0].slice(0, 2), [1, 0]);
    rows.forEach((numbers, i) => {
      assert.equal(numbers.at(-1), 1);
      assert.ok(numbers.slice(i + 1, -1).every((weight) => weight === 0));
    });
  },
);

/* Lesson 4 */

const lesson4 = 'splitting-heads';

row('split_heads moves blocks of numbers to their heads', `${lesson4}/split`, async () => {
  const {shape, data} = await tensor('split');
  const tokens = shape[2];
  assert.deepEqual(shape, [1, 4, tokens, 2]);
  const cells = page.locator('.moving .cell');
  const before = await cells.allTextContents();
  assert.equal(before.length, tokens * 8);
  const place = () => cells.nth(2).evaluate((cell) => cell.style.transform);
  const together = await place();
  await page.getByRole('radio', {name: 'split', exact: true}).check();
  await page.getByText(`[1, ${tokens}, 8] became [1, 4, ${tokens}, 2]`).waitFor();
  assert.notEqual(await place(), together, 'the first number of head 1 has moved');
  // That number is the first in the table of head 1.
  const moved = Number(before[2].trim().replace('−', '-'));
  assert.ok(Math.abs(moved - data[tokens * 2]) < 0.0501);
  await page.getByRole('radio', {name: /only renamed/}).check();
  await page.getByText('every table has all colours in it').waitFor();
});

row('combine_heads gives back what was split', `${lesson4}/combine`, async () => {
  const {shape} = await tensor('combined');
  await page
    .getByText(`[1, 4, ${shape[1]}, 2] became [1, ${shape[1]}, 8].`)
    .filter({hasText: 'the largest difference is 0.'})
    .waitFor();
});

row(
  '5 queries over 7 keys, width 256, 8 heads and batch 4 give [4, 5, 256]',
  `${lesson4}/cross-attention`,
  async () => {
    const weights = await tensor('weights');
    assert.deepEqual(weights.shape, [4, 8, 5, 7]);
    const sum = weights.data.slice(0, 7).reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(sum - 1) < 1e-5);
    assert.deepEqual((await tensor('after the last layer')).shape, [4, 5, 256]);
    // The notebook returns the heads side by side; values may be the keys, or a tensor of their own.
    const combined = await tensor('side by side, not mixed yet');
    assert.deepEqual(combined.shape, [4, 5, 256]);
    await page.getByRole('radio', {name: 'the keys'}).check();
    await waitForTensor('side by side, not mixed yet', (data) => data[0] !== combined.data[0]);
    assert.deepEqual(
      (await tensor('weights')).data,
      weights.data,
      'weights do not depend on values',
    );
    await page.getByRole('group', {name: 'Keys'}).getByRole('radio', {name: '12'}).check();
    await page.getByRole('cell', {name: '[4, 8, 5, 12]'}).waitFor();
    assert.deepEqual((await tensor('after the last layer')).shape, [4, 5, 256]);
  },
);

row(
  'queries come from the decoder, keys and values from the encoder',
  `${lesson4}/sides`,
  async () => {
    const [q, k, v] = [await tensor('q'), await tensor('k'), await tensor('v')];
    const weights = await tensor('weights of head 0');
    assert.deepEqual(weights.shape, [q.shape[1], k.shape[1]]);
    assert.deepEqual(k.shape, v.shape);
    await type('time flies like an arrow and more');
    await page.waitForFunction((before) => {
      const block = /** @type {any} */ (document.querySelector('tensor-block[label="k"]'));
      return block.tensor.shape[1] === before + 2;
    }, k.shape[1]);
    assert.deepEqual((await tensor('q')).shape, q.shape);
  },
);

row(
  'a decoder layer is causal to itself and sees the whole encoder',
  `${lesson4}/decoder-layer`,
  async () => {
    const own = await tensor('decoder to itself, head 0');
    const cross = await tensor('decoder to encoder, head 0');
    const [targets] = own.shape;
    own.data.forEach((weight, i) => {
      if (i % targets > Math.floor(i / targets)) assert.equal(weight, 0);
    });
    assert.ok(cross.data.every((weight) => weight > 0));
    const output = await tensor('decoder output');
    assert.deepEqual(output.shape, [1, targets, 64]);
  },
);
