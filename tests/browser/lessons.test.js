import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {after, test} from 'node:test';
import {lessons} from '../../web/lessons/index.js';
import {assertAccessible} from './axe.js';
import {keepFailure, newPage, server, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

const phone = {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true};

/** One page for all rows: a step is gone to by its address, as from a link. @type {Page} */
let page;
/** @type {string[]} */
let complaints;

async function openOnce() {
  if (page) return;
  ({page, complaints} = await newPage());
  await page.goto(`${server.url}#/lessons`);
}

after(() => page?.context().close());

/**
 * Something a reader of the notebooks looks for.
 *
 * @param {string} claim
 * @param {string} step  `lesson/step`, and what else the address says
 * @param {() => Promise<void>} act
 */
function row(claim, step, act) {
  test(claim, async () => {
    await openOnce();
    try {
      await goTo(page, step);
      await act();
      assert.deepEqual(complaints.splice(0), []);
    } catch (error) {
      await keepFailure(page, claim);
      throw error;
    }
  });
}

/**
 * Shows a step and waits until everything in it is computed.
 *
 * @param {Page} page
 * @param {string} step
 */
async function goTo(page, step) {
  await page.evaluate((hash) => (location.hash = hash), `#/lessons/${step}`);
  await computed(page, step);
}

/** @param {Page} page @param {string} step */
async function computed(page, step) {
  const [lesson, name] = step.split(/[/?]/);
  const title = lessons.find(({id}) => id === lesson)?.steps.find(({id}) => id === name)?.title;
  await page.locator('h2', {hasText: title}).waitFor();
  await page.locator('.time', {hasText: /computed in/}).waitFor();
}

/** What a tensor holds, as the page has it. @param {string} label */
const tensor = (label) =>
  page.locator(`tensor-block[label="${label}"]`).evaluate((/** @type {any} */ {tensor}) => ({
    shape: tensor.shape,
    data: [...tensor.data],
  }));

/**
 * @param {string} label
 * @param {(data: number[]) => boolean} isMeant
 */
async function waitForTensor(label, isMeant) {
  for (let i = 0; i < 400; i++) {
    if (isMeant((await tensor(label)).data)) return;
    await page.waitForTimeout(50);
  }
  assert.fail(`${label} did not change as expected`);
}

/** The numbers a table prints, row by row. @param {string} label */
const printed = async (label) => {
  const rows = page.locator(`tensor-block[label="${label}"] tbody tr`);
  return rows.evaluateAll((trs) =>
    trs.map((tr) =>
      [...tr.querySelectorAll('td')].map((td) => Number(td.textContent?.replace('−', '-'))),
    ),
  );
};

/** @param {string} text */
const type = (text) => page.locator('.sentence-field textarea').first().fill(text);

/* Lesson 1 */

const lesson1 = 'attention-from-scratch';

row(
  'two sentences tokenized with padding to one batch, ids and padding mask',
  `${lesson1}/batch`,
  async () => {
    const {shape, data} = await tensor('attention mask');
    const [texts, length] = shape;
    assert.equal(texts, 2);
    const names = await page.locator('.ids th').allTextContents();
    assert.equal(names.length, 2 * length);
    names.forEach((name, i) => assert.equal(data[i], name === '[PAD]' ? 0 : 1));
    assert.ok(names.slice(length).includes('[PAD]'), 'the second is filled up');
  },
);

row(
  'hidden states of the model as input, [batch, tokens, hidden]',
  `${lesson1}/hidden-states`,
  async () => {
    const {shape, data} = await tensor('x');
    assert.deepEqual([shape[0], shape[2]], [2, 256]);
    assert.equal(data.length, shape[0] * shape[1] * shape[2]);
    assert.ok(data.every(Number.isFinite));
  },
);

row(
  'the causal average: a triangle, softmax of zeros, even weights over the past',
  `${lesson1}/causal-average`,
  async () => {
    const {shape, data} = await tensor('weights');
    const size = shape[0];
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        assert.ok(Math.abs(data[i * size + j] - (j <= i ? 1 / (i + 1) : 0)) < 1e-6);
      }
    }
    const output = (await tensor('average')).shape;
    assert.deepEqual(output, [1, size, 256]);
  },
);

row(
  'self-attention with random projections, encoder against decoder by a switch',
  `${lesson1}/self-attention`,
  async () => {
    const encoder = await tensor('weights');
    const [, size] = encoder.shape;
    assert.ok(encoder.data.every((weight) => weight > 0));
    await page.getByRole('checkbox', {name: 'decoder (causal)'}).check();
    await waitForTensor('weights', (data) => data[1] === 0);
    const decoder = await tensor('weights');
    decoder.data.forEach((weight, i) => {
      if (i % size > Math.floor(i / size) % size) assert.equal(weight, 0);
    });
    await page.getByRole('checkbox', {name: 'mask the padding'}).check();
    await page.getByText('0.0 % goes to padding').waitFor();
    const before = (await tensor('q')).data;
    await page.getByRole('button', {name: /Other random numbers/}).click();
    await waitForTensor('q', (data) => data[0] !== before[0]);
    await page.waitForURL(/self-attention\?seed=1&causal=true&keep=true$/);
  },
);

row(
  'multi-head: number of heads, shapes of each and of the concatenation, then the linear layer',
  `${lesson1}/multi-head`,
  async () => {
    const {shape} = await tensor('output of each head');
    const tokens = shape[2];
    assert.deepEqual(shape, [2, 8, tokens, 32]);
    await page.getByRole('radio', {name: '2', exact: true}).check();
    await page
      .getByText(`Each head: [2, ${tokens}, 128]. 2 of them side by side: [2, ${tokens}, 256].`)
      .waitFor();
    const output = await tensor('after the last layer');
    assert.deepEqual(output.shape, [2, tokens, 256]);
    await page.getByRole('checkbox', {name: 'with the last layer'}).uncheck();
    await page.locator('tensor-block[label="after the last layer"]').waitFor({state: 'detached'});
  },
);

row(
  '√hidden instead of √head size: what it does to the entropy of the weights',
  `${lesson1}/scale`,
  async () => {
    const rows = await printed('entropy of the weights, in nats');
    assert.equal(rows.length, 8);
    for (const [right, slip] of rows) assert.ok(slip >= right, 'smaller scores, more even weights');
    const mean = (/** @type {number} */ j) =>
      rows.reduce((sum, row) => sum + row[j], 0) / rows.length;
    assert.ok(mean(1) - mean(0) > 0.2);
    await page.getByRole('radio', {name: 'of random layers'}).check();
    await page.waitForFunction((before) => {
      const cell = document.querySelector('tensor-block td[data-cell="0"]');
      return cell && Number(cell.textContent) !== before;
    }, rows[0][0]);
  },
);

row(
  'masked multi-head: the future changes nothing before it',
  `${lesson1}/masked-multi-head`,
  async () => {
    const {shape, data} = await tensor('weights');
    const size = shape[3];
    data.forEach((weight, i) => {
      if (i % size > Math.floor(i / size) % size) assert.equal(weight, 0);
    });
    await page.getByText('changes the outputs before it by 0.0000000').waitFor();
    assert.deepEqual((await tensor('output')).shape, [2, size, 256]);
  },
);

/* Lesson 2 */

const lesson2 = 'query-key-value';

row(
  'the aircraft sentence in the neuron view at layer 0, head 0, without special tokens',
  `${lesson2}/neuron-view`,
  async () => {
    const scope = page.locator('.widget bert-scope');
    await scope.locator('.neuron-view').waitFor();
    const shown = await scope.evaluate((/** @type {any} */ {result, selection}) => ({
      tokens: result.tokens,
      selection,
    }));
    assert.equal(shown.tokens[0], 'as');
    assert.equal(shown.tokens.at(-1), '.');
    assert.deepEqual([shown.selection.layer, shown.selection.heads], [0, [0]]);
  },
);

row('a fresh random embedding against the model’s own', `${lesson2}/embeddings`, async () => {
  const random = await tensor('random embedding');
  const own = await tensor('the model’s embedding');
  assert.deepEqual(random.shape, own.shape);
  const [, tokens, size] = own.shape;
  assert.equal(size, 256);
  const variance = (/** @type {number[]} */ data) =>
    data.reduce((sum, value) => sum + value * value, 0) / data.length;
  assert.ok(Math.abs(variance(random.data) - 1) < 0.05, 'N(0, 1), as nn.Embedding begins');
  assert.ok(variance(own.data) < 0.1);
  // “the” is the second token, and occurs again.
  const names = await page
    .locator('tensor-block[label="random embedding"]')
    .evaluate((/** @type {any} */ {rows}) => rows);
  const again = names.lastIndexOf('the');
  assert.ok(again > 1 && again < tokens);
  const row = (/** @type {number} */ i) => random.data.slice(i * size, (i + 1) * size);
  assert.deepEqual(row(1), row(again), 'a token has one row');
  await page.getByRole('button', {name: /Other numbers/}).click();
  await waitForTensor('random embedding', (data) => data.some((x, i) => x !== random.data[i]));
});

row('with q = k = v = embedding, scores over √d', `${lesson2}/scores?source=random`, async () => {
  const {shape, data} = await tensor('scores');
  const size = shape[2];
  for (let i = 0; i < size; i++) {
    const own = data[i * size + i];
    assert.ok(Math.abs(own - 16) < 6, `|x|² / √256 = ${own} is near √256`);
    for (let j = 0; j < size; j++)
      assert.ok(Math.abs(data[i * size + j] - data[j * size + i]) < 1e-4);
  }
  await page.getByRole('checkbox', {name: 'divided by √256'}).uncheck();
  await waitForTensor('scores', (undivided) => Math.abs(undivided[0] - data[0] * 16) < 0.01);
  await page.getByRole('checkbox', {name: 'divided by √256'}).check();
});

row(
  'softmax over the wrong axis against the right one, with both sums shown',
  `${lesson2}/softmax-axis`,
  async () => {
    const sums = async () => {
      const rows = await printed('weights');
      const columns = /** @type {number[]} */ (rows.pop()).slice(0, -1);
      return {rows: rows.map((numbers) => numbers.at(-1) ?? 0), columns};
    };
    const all1 = (/** @type {number[]} */ numbers) => numbers.every((sum) => sum === 1);
    const wrong = await sums();
    assert.ok(all1(wrong.columns) && !all1(wrong.rows));
    await page.getByRole('radio', {name: 'rows (right)'}).check();
    await page.getByText(/Rows sum to 1, columns to anything/).waitFor();
    const right = await sums();
    assert.ok(all1(right.rows) && !all1(right.columns));
  },
);

row(
  'the diagonal: all of it random, none of it the model’s, neither in the head',
  `${lesson2}/diagonal`,
  async () => {
    const rows = await printed('weight on itself');
    const tokens = rows.length;
    const means = [0, 1, 2].map((j) => rows.reduce((sum, row) => sum + row[j], 0) / tokens);
    assert.ok(Math.max(...rows.map(([own]) => own)) === 1);
    assert.ok(means[0] > 0.7);
    assert.ok(Math.abs(means[1] - 1 / tokens) < 0.005);
    assert.ok(means[2] < 0.9);
  },
);

row(
  'outputs are weighted averages of the values',
  `${lesson2}/weighted-average?query=3`,
  async () => {
    const weights = await tensor('its weights');
    const value = await tensor('v');
    const output = await tensor('output');
    const size = value.shape[2];
    for (let f = 0; f < size; f++) {
      const sum = weights.data.reduce(
        (total, weight, j) => total + weight * value.data[j * size + f],
        0,
      );
      assert.ok(Math.abs(sum - output.data[3 * size + f]) < 1e-4);
    }
  },
);

/* Lesson 3 */

const lesson3 = 'encoder-by-hand';

row('the ids of “time flies like an arrow”, without special tokens', `${lesson3}/ids`, async () => {
  const names = await page.locator('.ids th').allTextContents();
  assert.equal(names.join('').replaceAll('##', ''), 'timeflieslikeanarrow');
  const ids = await page.locator('.ids .id').allTextContents();
  assert.ok(ids.every((id) => /^\d+$/.test(id)));
  await page.locator('.question summary').click();
  await page.locator('.question p', {hasText: '2051, 10029, 2066, 2019, 8612'}).waitFor();
});

row('the embedding lookup copies rows of the table', `${lesson3}/lookup`, async () => {
  const {shape} = await tensor('x');
  assert.equal(shape[2], 256);
  await type('time time');
  await waitForTensor('x', (data) => data.length === 2 * 256);
  const {data} = await tensor('x');
  assert.deepEqual(data.slice(0, 256), data.slice(256));
  await type('time flies like an arrow');
});

row('near-identity weights when q = k = v, and why', `${lesson3}/near-identity`, async () => {
  const least = (/** @type {number[][]} */ rows) => Math.min(...rows.map((row, i) => row[i]));
  assert.ok(least(await printed('weights')) > 0.99);
  await page.getByRole('radio', {name: '4', exact: true}).check();
  await page.getByText(/Each vector has 4 random numbers/).waitFor();
  const short = await printed('weights');
  assert.ok(least(short) < 0.9);
  for (const row of short) assert.equal(row.at(-1), 1);
  await page.getByRole('radio', {name: '256', exact: true}).check();
});

row(
  'AttentionHead: q, k, v of the head’s size, each row of weights sums to 1',
  `${lesson3}/attention-head`,
  async () => {
    const q = await tensor('q');
    const k = await tensor('k');
    const tokens = q.shape[1];
    assert.deepEqual(q.shape, [1, tokens, 32]);
    assert.deepEqual((await tensor('output')).shape, [1, tokens, 32]);
    // The first row of weights, from the vectors that are shown.
    const scores = Array.from({length: tokens}, (_, j) =>
      Array.from({length: 32}, (_, f) => q.data[f] * k.data[j * 32 + f]).reduce((a, b) => a + b, 0),
    ).map((product) => Math.exp(product / Math.sqrt(32)));
    const total = scores.reduce((a, b) => a + b, 0);
    const [first] = await printed('weights');
    scores.forEach((score, j) => assert.ok(Math.abs(score / total - first[j]) < 0.00051));
  },
);

row('MultiHeadAttention with its output projection', `${lesson3}/multi-head`, async () => {
  const each = await tensor('output of each head');
  const combined = await tensor('side by side');
  const output = await tensor('after the output layer');
  const tokens = each.shape[2];
  assert.deepEqual(each.shape, [1, 8, tokens, 32]);
  assert.deepEqual(combined.shape, [1, tokens, 256]);
  assert.deepEqual(output.shape, combined.shape);
  // Head 1 of token 0 is columns 32 to 63 of its row.
  assert.deepEqual(combined.data.slice(32, 64), each.data.slice(tokens * 32, tokens * 32 + 32));
  assert.notDeepEqual(output.data, combined.data);
});

row(
  'feed-forward with GELU, four times as wide, each token alone',
  `${lesson3}/feed-forward`,
  async () => {
    const expanded = await tensor('expanded, 4 × as wide');
    const activated = await tensor('after GELU');
    assert.equal(expanded.shape[2], 4 * 256);
    assert.deepEqual((await tensor('output')).shape[2], 256);
    expanded.data.forEach((x, i) => {
      if (x > 3) assert.ok(Math.abs(activated.data[i] - x) < 0.02);
      if (x < 0) assert.ok(activated.data[i] <= 0 && activated.data[i] > -0.1701);
    });
    await page.getByText('its output changes by 0.0000000').waitFor();
  },
);

row(
  'skip connections, and pre- against post-layer-norm: the norms by depth',
  `${lesson3}/layer-norm`,
  async () => {
    await page.locator('.chart summary').click();
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
    await page.getByRole('radio', {name: /after/}).check();
    await page.locator('.key.chosen', {hasText: 'post'}).waitFor();
  },
);

row(
  'position embeddings: tokens shuffled with and without them',
  `${lesson3}/positions`,
  async () => {
    const rows = await printed('change of a token’s output');
    assert.ok(rows.every(([without]) => without === 0));
    assert.ok(rows.some(([, learned]) => learned > 1));
  },
);

row('the full encoder keeps the shape through every layer', `${lesson3}/encoder`, async () => {
  const before = await tensor('hidden state after 1 layers');
  await page.getByRole('radio', {name: '6', exact: true}).check();
  const after = await tensor('hidden state after 6 layers');
  assert.deepEqual(after.shape, before.shape);
  const row = after.data.slice(0, 256);
  const mean = row.reduce((a, b) => a + b, 0) / 256;
  const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 256;
  assert.ok(Math.abs(mean) < 1e-4 && Math.abs(variance - 1) < 1e-3, 'BERT ends in a layer norm');
});

row('a classification head with 3 labels on [CLS]', `${lesson3}/classifier`, async () => {
  await page.getByText('Only this row is read: [CLS]').waitFor();
  assert.deepEqual((await tensor('logits')).shape, [1, 3]);
  const [shares] = await printed('shares');
  assert.equal(shares[3], 1);
  await page.getByRole('checkbox', {name: 'with [CLS] and [SEP]'}).uncheck();
  await page.getByText('Only this row is read: time').waitFor();
});

row('two sentences in the head view, with the start of sentence B', `${lesson3}/pair`, async () => {
  const scope = page.locator('.widget bert-scope');
  await scope.locator('.head-view').waitFor();
  const {tokens, types} = await scope.evaluate((/** @type {any} */ {result}) => ({
    tokens: result.tokens,
    types: [...result.tokenTypeIds],
  }));
  const start = types.indexOf(1);
  assert.equal(tokens[start - 1], '[SEP]');
  await page.getByText(`The second sentence begins at token ${start}, “fruit”.`).waitFor();
  await page.getByRole('link', {name: /Open this in Explore/}).click();
  assert.equal(await page.locator('#pair').inputValue(), 'fruit flies like a banana');
  await page.locator('bert-scope[controls] .head-view').waitFor();
});

row(
  'the causal mask with −∞ written out, before and after softmax',
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
      'what is masked has no colour',
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

row('split_heads as moving blocks', `${lesson4}/split`, async () => {
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
  // It is the first of the table of head 1.
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
  '5 queries over 7 keys, width 256, 8 heads, batch 4: output [4, 5, 256]',
  `${lesson4}/cross-attention`,
  async () => {
    const weights = await tensor('weights');
    assert.deepEqual(weights.shape, [4, 8, 5, 7]);
    const sum = weights.data.slice(0, 7).reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(sum - 1) < 1e-5);
    assert.deepEqual((await tensor('output')).shape, [4, 5, 256]);
    await page.getByRole('group', {name: 'Keys'}).getByRole('radio', {name: '12'}).check();
    await page.getByRole('cell', {name: '[4, 8, 5, 12]'}).waitFor();
    assert.deepEqual((await tensor('output')).shape, [4, 5, 256]);
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

row('a small seeded encoder-decoder layer', `${lesson4}/decoder-layer`, async () => {
  const own = await tensor('decoder to itself, head 0');
  const cross = await tensor('decoder to encoder, head 0');
  const [targets] = own.shape;
  own.data.forEach((weight, i) => {
    if (i % targets > Math.floor(i / targets)) assert.equal(weight, 0);
  });
  assert.ok(cross.data.every((weight) => weight > 0));
  const output = await tensor('decoder output');
  assert.deepEqual(output.shape, [1, targets, 64]);
});

/* Lesson 5 */

row(
  'the structure of the loaded model as a tree with shapes',
  'reading-heads/structure',
  async () => {
    const query = page.locator('.tree .of-query').first();
    assert.match((await query.textContent()) ?? '', /query\s+Linear\s+weight \[256, 256\]/);
    assert.equal(await page.locator('.tree summary', {hasText: 'BertLayer'}).count(), 6);
  },
);

let friendTokens = 0;

row(
  'the friend’s sentence has 20 tokens or more, with their ids',
  'reading-heads/ids',
  async () => {
    const rows = page.locator('.ids tr');
    friendTokens = await rows.count();
    assert.ok(friendTokens >= 20, 'as many as with bert-base, which has more words');
    const [first] = await rows.locator('.id').allTextContents();
    assert.match(first, /^\d+$/);
    assert.deepEqual((await rows.locator('th').allTextContents()).slice(0, 3), [
      '[CLS]',
      'my',
      'friend',
    ]);
  },
);

row(
  'attention is [1, heads, tokens, tokens] in every layer, and follows the sentence',
  'reading-heads/attention-shape',
  async () => {
    await page.getByRole('radio', {name: '5', exact: true}).check();
    const {shape, data} = await tensor('attention of layer 5');
    assert.deepEqual(shape, [1, 8, friendTokens, friendTokens]);
    const sum = data.slice(0, friendTokens).reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(sum - 1) < 1e-4);
    const all = (6 * 8 * friendTokens ** 2).toLocaleString('en');
    await page
      .getByText(`6 layers, each [1, 8, ${friendTokens}, ${friendTokens}]: ${all} weights`)
      .waitFor();
    await type('She was right.');
    await page.getByText('6 layers, each [1, 8, 6, 6]: 1,728 weights').waitFor();
    await page.waitForURL(/reading-heads\/attention-shape\?text=She\+was\+right\.&layer=5$/);
    await type('My friend told me about this class and I love it so far! She was right.');
  },
);

row(
  'the mean over the heads of the last layer: rows sum to 1, columns do not, and it is saved as CSV',
  'reading-heads/mean-table',
  async () => {
    const rows = await printed('mean over the heads of layer 5');
    assert.equal(rows.length, friendTokens + 1);
    const cells = rows.slice(0, -1).map((numbers) => numbers.slice(0, friendTokens));
    for (const numbers of rows.slice(0, -1)) assert.equal(numbers[friendTokens], 1);
    const columns = rows[friendTokens].slice(0, friendTokens);
    assert.ok(columns.some((sum) => Math.abs(sum - 1) > 0.2));
    columns.forEach((sum, j) => {
      const added = cells.reduce((total, numbers) => total + numbers[j], 0);
      assert.ok(Math.abs(added - sum) < 0.0005 * (friendTokens + 1));
    });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', {name: 'Save as CSV'}).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    assert.equal(lines.length, friendTokens + 1);
    assert.equal(Number(lines[1].split(',')[1]).toFixed(3), cells[0][0].toFixed(3));
  },
);

row(
  'heads that look one back are found by measuring, beside the paper’s 3-1',
  'reading-heads/previous-token',
  async () => {
    const {shape, data} = await tensor('attention to the previous token');
    assert.deepEqual(shape, [6, 8]);
    const most = Math.max(...data);
    const at = data.indexOf(most);
    const [layer, head] = [Math.floor(at / 8), at % 8];
    await page
      .getByText(
        `Most, ${most.toFixed(3)}: layer ${layer}, head ${head} (“${layer + 1}-${head + 1}”).`,
      )
      .waitFor();
    // The same from the attention that the view draws.
    const scope = page.locator('.widget bert-scope');
    await scope.locator('.head-view').waitFor();
    const mean = await scope.evaluate(async (/** @type {any} */ {result, layer, heads}) => {
      const weights = await result.attention(layer, heads[0]);
      const size = result.tokens.length;
      let sum = 0;
      for (let i = 1; i < size; i++) sum += weights[i * size + i - 1];
      return sum / (size - 1);
    });
    assert.ok(Math.abs(mean - most) < 0.06, `${mean} against ${most}`);
    await page.getByRole('radio', {name: 'the paper’s: layer 2, head 0'}).check();
    await page.waitForFunction(() => {
      const scope = /** @type {any} */ (document.querySelector('.widget bert-scope'));
      return scope.layer === 2 && String(scope.heads) === '0';
    });
  },
);

row(
  'the weight from “me” to “told” in every head, and what the paper calls 8-10',
  'reading-heads/direct-objects',
  async () => {
    const {data} = await tensor('weight from the first to the second');
    const most = Math.max(...data).toFixed(3);
    await page.getByText(`“me” to “told”: most, ${most}`).waitFor();
    await page.getByText('there is no head 8-10').waitFor();
    await page.getByText('0.683').first().waitFor();
  },
);

row(
  'this model’s own heads: previous, next, itself, same word, [SEP], [CLS]',
  'reading-heads/own-heads',
  async () => {
    const found = page.locator('.found tr');
    assert.equal(await found.count(), 6);
    const [previous, next] = await found.locator('.number').allTextContents();
    assert.ok(Number(previous) > 0.4 && Number(next) > 0.4);
    await page.getByRole('radio', {name: 'Next token'}).check();
    await waitForTensor('all heads', (data) => Math.max(...data).toFixed(3) === next.trim());
  },
);

userTest(
  'every step of every lesson is computed, fits a phone, and axe finds nothing in it',
  {open: false, ...phone},
  async (page) => {
    await page.goto(`${server.url}#/lessons`);
    await page.locator('.overview').waitFor();
    await assertAccessible(page);
    for (const {id, steps} of lessons) {
      for (const step of steps) {
        await goTo(page, `${id}/${step.id}`);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= 390, `${id}/${step.id} is ${width} px wide`);
        await assertAccessible(page);
      }
    }
  },
);

userTest('a lesson is walked through with the keyboard alone', {open: false}, async (page) => {
  const [lesson] = lessons;
  await page.goto(`${server.url}#/lessons`);
  const link = page.getByRole('link', {name: lesson.title, exact: true});
  await link.focus();
  await page.keyboard.press('Enter');
  const at = (/** @type {number} */ i) => computed(page, `${lesson.id}/${lesson.steps[i].id}`);
  await at(0);
  await page.keyboard.press('Space');
  await at(1);
  await page.keyboard.press('ArrowRight');
  await at(2);
  await page.keyboard.press('ArrowLeft');
  await at(1);
  await page.keyboard.press('p');
  await page.waitForFunction(() => document.documentElement.hasAttribute('data-large'));
  assert.match(page.url(), new RegExp(`#/lessons/${lesson.id}/${lesson.steps[1].id}`));

  // While a field is written in, the keys are its own.
  const field = page.locator('.sentence-field textarea').first();
  await field.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' a b');
  await page.keyboard.press('ArrowLeft');
  await at(1);
  assert.match(await field.inputValue(), / a b$/);

  // Back leads to what was written, however soon somebody went on.
  await field.evaluate((element) => {
    const area = /** @type {HTMLTextAreaElement} */ (element);
    area.value = 'so soon';
    area.dispatchEvent(new Event('input', {bubbles: true}));
    /** @type {HTMLElement} */ (document.querySelector('.stepping > button:last-of-type')).click();
  });
  await at(2);
  await page.goBack();
  await at(1);
  assert.equal(await field.inputValue(), 'so soon');
});

userTest(
  'what was seen is remembered, and back leads from a lesson to the viewer as it was',
  {hash: '#text=the+cat+sat&layer=2'},
  async (page) => {
    const [lesson] = lessons;
    await page.getByRole('link', {name: 'Lessons'}).click();
    await page.getByRole('link', {name: lesson.title, exact: true}).click();
    await computed(page, `${lesson.id}/${lesson.steps[0].id}`);
    await page.getByRole('link', {name: 'Lessons'}).first().click();
    await page.getByText(`1 of ${lesson.steps.length} steps seen`).waitFor();
    await page.reload();
    await page.getByText(`1 of ${lesson.steps.length} steps seen`).waitFor();
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await page.waitForURL(/#text=the\+cat\+sat/);
    assert.equal(await page.locator('#text').inputValue(), 'the cat sat');
    await page.locator('bert-scope[controls]').waitFor();
  },
);

userTest(
  'lessons work where storage is refused and the network is gone',
  // Chromium asks for the icon again when the title changes.
  {open: false, errors: /ERR_INTERNET_DISCONNECTED/},
  async (page) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('refused', 'SecurityError');
        },
      });
    });
    const [lesson] = lessons;
    await page.goto(`${server.url}#/lessons/${lesson.id}/${lesson.steps[0].id}`);
    await computed(page, `${lesson.id}/${lesson.steps[0].id}`);
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    await page.keyboard.press('Space');
    await computed(page, `${lesson.id}/${lesson.steps[1].id}`);
  },
);

userTest('an address of no lesson is answered with all there are', {open: false}, async (page) => {
  await page.goto(`${server.url}#/lessons/nothing/here`);
  await page.getByText('There is no lesson or step called “nothing/here” here.').waitFor();
  assert.equal(await page.locator('.overview li').count(), lessons.length);
  await page.goto(`${server.url}#/nowhere`);
  await page.getByText('There is no page called “nowhere” here.').waitFor();
});
