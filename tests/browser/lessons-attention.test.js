import assert from 'node:assert/strict';
import {goTo, page, printed, row, tensor, waitForTensor} from './lesson-rows.js';
import {aircraft} from '../../web/lessons/example-sentences.js';
import {embedded} from '../support/embedded-model.js';

const {heads, headWidth, hidden, layers} = embedded;

/* Lesson 1 */

const lesson1 = 'attention-from-scratch';

row(
  'the lesson pads two sentences to one batch, and shows ids and padding mask',
  `${lesson1}/batch`,
  async () => {
    const {shape, data} = await tensor('attention mask');
    const [texts, length] = shape;
    assert.equal(texts, 2);
    const names = await page.locator('.ids th').allTextContents();
    assert.equal(names.length, 2 * length);
    names.forEach((name, i) => assert.equal(data[i], name === '[PAD]' ? 0 : 1));
    assert.ok(names.slice(length).includes('[PAD]'), 'the second sentence is padded');
  },
);

row(
  'the input is the model’s hidden states, [batch, tokens, hidden]',
  `${lesson1}/hidden-states`,
  async () => {
    const {shape, data} = await tensor('x');
    assert.deepEqual([shape[0], shape[2]], [2, hidden]);
    assert.equal(data.length, shape[0] * shape[1] * shape[2]);
    assert.ok(data.every(Number.isFinite));
  },
);

row(
  'the causal average gives even weights to the past and none to the future',
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
    assert.deepEqual(output, [1, size, hidden]);
  },
);

row(
  'a switch turns self-attention with random projections from an encoder’s into a decoder’s',
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
    await page.getByText('0.0% goes to padding').waitFor();
    const before = (await tensor('q')).data;
    await page.getByRole('button', {name: /Other random numbers/}).click();
    await waitForTensor('q', (data) => data[0] !== before[0]);
    await page.waitForURL(/self-attention\?seed=1&causal=true&keep=true$/);
    // Softmax over the queries has other sums: there each column sums to 1.
    const {data} = await tensor('weights, softmax over queries (wrong)');
    const columns = Array.from({length: size}, (_, j) =>
      Array.from({length: size}, (_, i) => data[i * size + j]).reduce((a, b) => a + b, 0),
    );
    assert.ok(columns.every((sum) => Math.abs(sum - 1) < 1e-5));
    await page
      .getByText(/With softmax over the queries, a row sums to anything from 0\.\d\d to [1-9]/)
      .waitFor();
  },
);

row(
  'multi-head attention shows the shapes of each head, of all side by side and after the linear layer',
  `${lesson1}/multi-head`,
  async () => {
    const {shape} = await tensor('output of each head');
    const tokens = shape[2];
    assert.deepEqual(shape, [2, 8, tokens, hidden / 8]);
    await page.getByRole('radio', {name: '2', exact: true}).check();
    await page
      .getByText(
        `Each head: [2, ${tokens}, ${hidden / 2}]. 2 of them side by side: [2, ${tokens}, ${hidden}].`,
      )
      .waitFor();
    const output = await tensor('after the last layer');
    assert.deepEqual(output.shape, [2, tokens, hidden]);
    await page.getByRole('checkbox', {name: 'with the last layer'}).uncheck();
    await page.locator('tensor-block[label="after the last layer"]').waitFor({state: 'detached'});
  },
);

row(
  'the padding is masked in every head until a switch says otherwise',
  `${lesson1}/multi-head?part=ways`,
  async () => {
    const ofPadding = async () => {
      const {shape, data} = await tensor('weights');
      const size = shape[3];
      // The last token of the second sentence is padding.
      return data.slice(data.length / 2).filter((_, at) => at % size === size - 1);
    };
    assert.ok((await ofPadding()).every((weight) => weight === 0));
    await page.getByText('0.0% goes to padding').waitFor();
    await page.getByRole('checkbox', {name: 'mask the padding'}).uncheck();
    await waitForTensor('weights', (data) => (data.at(-1) ?? 0) > 0);
    assert.ok((await ofPadding()).every((weight) => weight > 0));
    await page.getByText(/[1-9]\.\d% goes to padding/).waitFor();
    await page.waitForURL(/keep=false/);
  },
);

row(
  'dividing by √hidden instead of √head size raises the entropy of the weights',
  `${lesson1}/scale`,
  async () => {
    const rows = await printed('entropy of the weights, in nats');
    assert.equal(rows.length, heads);
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
  'masked multi-head attention keeps the future from changing outputs before it',
  `${lesson1}/masked-multi-head`,
  async () => {
    const {shape, data} = await tensor('weights');
    const size = shape[3];
    data.forEach((weight, i) => {
      if (i % size > Math.floor(i / size) % size) assert.equal(weight, 0);
    });
    await page.getByText('changes the outputs before it by 0.0000000').waitFor();
    const leaks = async () => (await tensor('change of each output')).data;
    const [right, wrong] = [0, 1].map(
      (way) => (/** @type {number[]} */ all) => all.filter((_, at) => at % 2 === way).slice(0, -1),
    );
    const first = await leaks();
    assert.ok(right(first).every((change) => change === 0));
    assert.ok(
      wrong(first).every((change) => change > 1e-5),
      'the future leaks into every output',
    );
    await page.getByLabel(/In place of the last token/).fill('museum');
    await waitForTensor('change of each output', (data) => data[1] !== first[1]);
    assert.ok(right(await leaks()).every((change) => change === 0));
    // The sentence's own last token changes nothing.
    await page.getByLabel(/In place of the last token/).fill('.');
    await waitForTensor('change of each output', (data) => data.every((change) => change === 0));
    assert.deepEqual((await tensor('output')).shape, [2, size, hidden]);
  },
);

row(
  'masked multi-head attention takes the last hidden states, with special tokens and padding, and leaves the heads unmixed',
  `${lesson1}/masked-multi-head?part=output`,
  async () => {
    const mixed = await tensor('output');
    await page.getByRole('checkbox', {name: 'x = last hidden states'}).check();
    await waitForTensor('output', (data) => data.length > mixed.data.length);
    assert.deepEqual((await tensor('output')).shape, [2, 12, hidden]);
    const weights = await tensor('weights');
    assert.deepEqual(weights.shape, [2, 8, 12, 12]);
    const [names, padded] = await page
      .locator('tensor-block[label="weights"]')
      .evaluate((/** @type {any} */ {rows}) => rows);
    assert.deepEqual([names[0], names.at(-1), padded.at(-1)], ['[CLS]', '[SEP]', '[PAD]']);
    assert.ok((weights.data.at(-1) ?? 0) > 0, 'padding is attended to');
    await page.getByText('x had looked ahead before the mask').waitFor();
    await page.waitForURL(/read=true/);
  },
);

/* Lesson 2 */

const lesson2 = 'query-key-value';

row(
  'the neuron view shows the aircraft sentence at layer 0, head 0, without special tokens',
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
    await page.getByRole('checkbox', {name: 'with [CLS] and [SEP]'}).check();
    await page.waitForFunction(
      () =>
        /** @type {any} */ (document.querySelector('.widget bert-scope')).result?.tokens[0] ===
        '[CLS]',
    );
    await scope.locator('.zoom').waitFor({state: 'hidden'});
    await page.getByRole('checkbox', {name: 'one pair, number by number'}).check();
    await scope.locator('.zoom').waitFor({state: 'visible'});
  },
);

row(
  'ids and configuration are those of the model, by the names of PyTorch',
  `${lesson2}/configuration`,
  async () => {
    const rows = await page
      .locator('.facts tr')
      .evaluateAll((trs) =>
        trs.map((tr) => [...tr.children].map((cell) => cell.textContent?.trim())),
      );
    const config = Object.fromEntries(rows);
    assert.equal(config.hidden_size, String(hidden));
    assert.equal(config.num_attention_heads, String(heads));
    assert.equal(config.num_hidden_layers, String(layers));
    const names = await page.locator('.ids th').allTextContents();
    assert.equal(names[0], 'as');
  },
);

row(
  'a fresh random embedding is N(0, 1), unlike the model’s own',
  `${lesson2}/embeddings`,
  async () => {
    const random = await tensor('random embedding');
    const own = await tensor('the model’s embedding');
    assert.deepEqual(random.shape, own.shape);
    const [, tokens, size] = own.shape;
    assert.equal(size, hidden);
    const variance = (/** @type {number[]} */ data) =>
      data.reduce((sum, value) => sum + value * value, 0) / data.length;
    assert.ok(Math.abs(variance(random.data) - 1) < 0.05, 'N(0, 1), as nn.Embedding begins');
    assert.ok(variance(own.data) < 0.1);
    // The token “the” is the second, and occurs again.
    const names = await page
      .locator('tensor-block[label="random embedding"]')
      .evaluate((/** @type {any} */ {rows}) => rows);
    const again = names.lastIndexOf('the');
    assert.ok(again > 1 && again < tokens);
    const row = (/** @type {number} */ i) => random.data.slice(i * size, (i + 1) * size);
    assert.deepEqual(row(1), row(again), 'a token has one row');
    await page.getByRole('button', {name: /Other numbers/}).click();
    await waitForTensor('random embedding', (data) => data.some((x, i) => x !== random.data[i]));
  },
);

row(
  'scores with q = k = v = embedding are near √d for a token with itself',
  `${lesson2}/scores?source=random`,
  async () => {
    const {shape, data} = await tensor('scores');
    const size = shape[2];
    const root = Math.sqrt(hidden);
    for (let i = 0; i < size; i++) {
      const own = data[i * size + i];
      assert.ok(Math.abs(own - root) < 6, `|x|² / √${hidden} = ${own} is near √${hidden}`);
      for (let j = 0; j < size; j++)
        assert.ok(Math.abs(data[i * size + j] - data[j * size + i]) < 1e-4);
    }
    // The lesson writes out the arithmetic of the first token.
    const [, length, product, score] = /** @type {string[]} */ (
      ((await page.locator('.telling').textContent()) ?? '').match(
        new RegExp(
          `is ([\\d.]+) long: its score is [\\d.]+² / √${hidden} = ([\\d.]+) / [\\d.]+ = ([\\d.]+)\\.`,
        ),
      ) ?? []
    );
    assert.ok(Math.abs(Number(length) ** 2 - Number(product)) < 0.03);
    assert.equal(score, data[0].toFixed(2));
    await page.getByRole('checkbox', {name: `divided by √${hidden}`}).uncheck();
    await waitForTensor('scores', (undivided) => Math.abs(undivided[0] - data[0] * root) < 0.01);
    await page.getByRole('checkbox', {name: `divided by √${hidden}`}).check();
  },
);

row(
  'softmax over the wrong axis makes columns sum to 1, over the right one rows',
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
  'a token attends to itself with random embeddings, but not with the model’s own',
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

row('outputs are weighted averages of the values', `${lesson2}/weighted-average`, async () => {
  const query = await thinnestQuery();
  await goTo(page, `${lesson2}/weighted-average?query=${query}`);
  const weights = await tensor('its weights');
  const value = await tensor('v');
  const output = await tensor('output');
  const size = value.shape[2];
  for (let f = 0; f < size; f++) {
    const sum = weights.data.reduce(
      (total, weight, j) => total + weight * value.data[j * size + f],
      0,
    );
    assert.ok(Math.abs(sum - output.data[query * size + f]) < 1e-4);
  }
  // Beside it, the weights of softmax over the queries do not sum to 1.
  const wrong = await tensor('its weights, softmax over queries (wrong)');
  const total = wrong.data.reduce((a, b) => a + b, 0);
  assert.ok(Math.abs(total - 1) > 0.1);
  await page.getByText(`they sum to ${total.toFixed(2)}`).waitFor();
});

/**
 * The query of head 0 in layer 0 whose weights are furthest from a sum of 1 if softmax is taken over the queries, by the
 * vectors that the page's engine computes for the first sentence of the lesson.
 *
 * @returns {Promise<number>}
 */
const thinnestQuery = () =>
  page.evaluate(async ([text, size]) => {
    const {model} = /** @type {any} */ (document.querySelector('bert-scope'));
    const result = await model.attend(text, {specialTokens: false});
    const [queries, keys] = [await result.queries(0, 0), await result.keys(0, 0)];
    const places = [...result.tokens.keys()];
    const sums = places.map(() => 0);
    for (const key of places) {
      const scores = places.map((query) => {
        let product = 0;
        for (let f = 0; f < size; f++) product += queries[query * size + f] * keys[key * size + f];
        return Math.exp(product / Math.sqrt(size));
      });
      const total = scores.reduce((a, b) => a + b, 0);
      for (const query of places) sums[query] += scores[query] / total;
    }
    const off = sums.map((sum) => Math.abs(sum - 1));
    return off.indexOf(Math.max(...off));
  }, /** @type {const} */ ([aircraft, headWidth]));
