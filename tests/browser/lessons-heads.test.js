import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {page, printed, row, tensor, type, waitForTensor} from './lesson-rows.js';
import {embedded} from '../support/embedded-model.js';
import {eventually} from '../support/eventually.js';

const {hidden, heads, layers} = embedded;

/* Lesson 5 */

row(
  'a tree shows the modules of the loaded model with their shapes',
  'reading-heads/structure',
  async () => {
    const query = page.locator('.tree .of-query').first();
    assert.match(
      (await query.textContent()) ?? '',
      new RegExp(`query\\s+Linear\\s+weight \\[${hidden}, ${hidden}\\]`),
    );
    assert.equal(await page.locator('.tree summary', {hasText: 'BertLayer'}).count(), layers);
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
    await page.getByRole('radio', {name: String(layers - 1), exact: true}).check();
    const {shape, data} = await tensor(`attention of layer ${layers - 1}`);
    assert.deepEqual(shape, [1, heads, friendTokens, friendTokens]);
    const sum = data.slice(0, friendTokens).reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(sum - 1) < 1e-4);
    const all = (layers * heads * friendTokens ** 2).toLocaleString('en');
    await page
      .getByText(
        `${layers} layers, each [1, ${heads}, ${friendTokens}, ${friendTokens}]: ${all} weights`,
      )
      .waitFor();
    await type('She was right.');
    const fewer = (layers * heads * 6 ** 2).toLocaleString('en');
    await page.getByText(`${layers} layers, each [1, ${heads}, 6, 6]: ${fewer} weights`).waitFor();
    const address = `reading-heads/attention-shape?text=She+was+right.&layer=${layers - 1}`;
    await page.waitForURL((url) => url.hash.endsWith(address));
    await type('My friend told me about this class and I love it so far! She was right.');
  },
);

row(
  'rows of the mean over the last layer’s heads sum to 1, columns do not, and a button saves it as CSV',
  'reading-heads/mean-table',
  async () => {
    const rows = await printed(`mean over the heads of layer ${layers - 1}`);
    assert.equal(rows.length, friendTokens + 1);
    const cells = rows.slice(0, -1).map((numbers) => numbers.slice(0, friendTokens));
    for (const numbers of rows.slice(0, -1)) assert.equal(numbers[friendTokens], 1);
    const columns = rows[friendTokens].slice(0, friendTokens);
    assert.ok(columns.some((sum) => Math.abs(sum - 1) > 0.2));
    columns.forEach((sum, j) => {
      const added = cells.reduce((total, numbers) => total + numbers[j], 0);
      assert.ok(Math.abs(added - sum) < 0.0005 * (friendTokens + 1));
    });
    // In a narrow window a shadow shows that there are more columns, and the sums stay under “sum”.
    const size = page.viewportSize();
    await page.setViewportSize({width: 390, height: 844});
    const table = page.locator('tensor-block .cells.more');
    await table.waitFor();
    const [head, corner] = await Promise.all(
      ['thead .sum', '.sums td:last-child'].map((part) => table.locator(part).boundingBox()),
    );
    assert.ok(head && corner && Math.abs(head.x - corner.x) < 1.5);
    await table.evaluate((cells) => (cells.scrollLeft = cells.scrollWidth));
    await page.locator('tensor-block .cells:not(.more)').waitFor();
    await page.setViewportSize(size ?? {width: 1440, height: 900});
    await page.getByRole('button', {name: 'Show the answer'}).click();
    const answer = (await page.locator('.explained').textContent()) ?? '';
    const largest = columns.toSorted((a, b) => b - a).slice(0, 3);
    assert.deepEqual(
      (answer.match(/\d+\.\d{3}/g) ?? []).map(Number),
      largest,
      'the answer names the largest sums of the table',
    );
    await page.locator('tensor-block summary').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', {name: 'CSV', exact: true}).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    assert.equal(lines.length, friendTokens + 1);
    assert.equal(Number(lines[1].split(',')[1]).toFixed(3), cells[0][0].toFixed(3));
  },
);

row(
  'measuring finds the heads that look one back and one ahead, and the paper’s head 3-1 is beside them',
  'reading-heads/previous-token',
  async () => {
    const finding = (await page.locator('.finding').textContent()) ?? '';
    for (const [words, label, offset] of /** @type {const} */ ([
      ['one back', 'attention to the previous token', -1],
      ['one ahead', 'attention to the next token', 1],
    ])) {
      const {shape, data} = await tensor(label);
      assert.deepEqual(shape, [layers, heads]);
      const most = Math.max(...data);
      const at = data.indexOf(most);
      const [layer, head] = [Math.floor(at / heads), at % heads];
      const said = `${words}: most, ${most.toFixed(3)}, layer ${layer}, head ${head}.`;
      assert.ok(finding.toLowerCase().includes(said), `${finding} has ${said}`);
      await page.getByRole('radio', {name: `${words}: layer ${layer}, head ${head}`}).check();
      await showsHead(layer, head);
      // The same mean is computed here from the attention that the view draws.
      const mean = await page.locator('.widget bert-scope').evaluate(
        async (/** @type {any} */ {result}, {layer, head, offset}) => {
          const weights = await result.attention(layer, head);
          const size = result.tokens.length;
          let sum = 0;
          // The first and the last token, [CLS] and [SEP], do not count.
          for (let i = 1; i < size - 1; i++) sum += weights[i * size + i + offset];
          return sum / (size - 2);
        },
        {layer, head, offset},
      );
      assert.ok(Math.abs(mean - most) < 1e-5, `${mean} against ${most}`);
    }
    await page.getByRole('radio', {name: 'the paper’s: layer 2, head 0'}).check();
    await showsHead(2, 0);
  },
);

/** @param {number} layer @param {number} head */
const showsHead = (layer, head) =>
  page.waitForFunction(
    ([layer, head]) => {
      const scope = /** @type {any} */ (document.querySelector('.widget bert-scope'));
      return scope?.result && scope.layer === layer && String(scope.heads) === String(head);
    },
    [layer, head],
  );

row(
  'the lesson shows the weight from “me” to “told” in every head, and the paper’s for its head 8-10',
  'reading-heads/direct-objects',
  async () => {
    const {data} = await tensor('weight from the first to the second');
    const most = Math.max(...data).toFixed(3);
    await page.getByText(`“me” to “told”: most, ${most}`).waitFor();
    await page.getByText('it has no layer 7, head 9').waitFor();
    // What only readers of the paper look for is folded away.
    const aside = page.getByText('call it “head 8-10”');
    assert.equal(await aside.isVisible(), false);
    await page.getByText('About the paper').click();
    await aside.waitFor();
    await page.getByText('0.683').first().waitFor();
  },
);

row(
  'a table names the model’s heads for previous, next, itself, same word, [SEP] and [CLS]',
  'reading-heads/own-heads',
  async () => {
    const rows = page.locator('.facts tr');
    assert.equal(await rows.count(), 6);
    const [previous, next] = await rows.locator('.number').allTextContents();
    assert.ok(Number(previous) > 0.4 && Number(next) > 0.4);
    await page.getByRole('radio', {name: 'Next token'}).check();
    await waitForTensor('all heads', (data) => Math.max(...data).toFixed(3) === next.trim());
  },
);

row(
  'a pair is marked with the keyboard alone: the word that was pressed keeps the focus',
  'learned-heads/own-pairs',
  async () => {
    const words = page.locator('.own-pairs .words').first().getByRole('button');
    const [from, to] = [words.nth(1), words.nth(4)];
    const pairs = page.locator('.own-pairs .chips').first().getByRole('listitem');
    const finding = page.locator('.finding');
    const [before, told] = [await pairs.count(), (await finding.textContent()) ?? ''];
    await from.press('Enter');
    await page.locator('.own-pairs [aria-pressed=true]').waitFor();
    await to.press('Enter');
    await eventually('one pair more', async () => assert.equal(await pairs.count(), before + 1));
    // The heads are measured anew when this is there.
    await eventually('another finding', async () =>
      assert.notEqual(await finding.textContent(), told),
    );
    assert.ok(await to.evaluate((button) => button.matches(':focus')));
  },
);
