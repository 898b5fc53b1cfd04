import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {methodsOf} from '../../web/attention/contributions.js';
import {explanation} from '../../web/strings/en/explanation.js';
import {embedded} from '../support/embedded-model.js';
import {eventually} from '../support/eventually.js';
import {assertAccessible} from './axe.js';
import {readSvg} from './exported.js';
import {loadGolden} from './models.js';
import {phone, researcherTest, userTest} from './support.js';
import {ask} from './workbench.js';

/** @import {Page} from 'playwright-core' */
/** @import {Scope} from './support.js' */

const blank = '#text=the+cat+sat+on+the+[MASK].&workbench=why';

/** The contributions as the page writes them. @param {Page} page */
const amounts = async (page) => {
  const shown = await page.locator('.contribution small').allTextContents();
  return shown.map((text) => Number(text.replace('−', '-').replace('%', '')));
};

/** Waits for an explanation of a word or class. @param {Page} page @param {string | RegExp} title */
const explained = (page, title) =>
  page.locator('workbench-explanation').getByRole('heading', {name: title}).waitFor();

/** @param {readonly number[]} found @param {readonly number[]} expected @param {number} limit */
function assertNear(found, expected, limit) {
  assert.equal(found.length, expected.length);
  found.forEach((value, at) => assert(Math.abs(value - expected[at]) <= limit, `${at}: ${value}, ${expected[at]}`)); // prettier-ignore
}

researcherTest(
  'every token of a text has its contribution to the likeliest word, and the numbers sum to its logit',
  {hash: blank},
  async (page) => {
    const {target, contributions, value} = await ask(
      page,
      `result.explain({method: 'decompx'}).then(({contributions, ...others}) => ({...others, contributions: [...contributions]}))`,
    );
    await explained(page, `Which words led to “${target.word}”?`);
    const shown = await amounts(page);
    assertNear(shown, contributions, 0.005);
    const sum = shown.reduce((total, amount) => total + amount, 0);
    assert(Math.abs(sum - value) < 0.005 * shown.length, `${sum}, ${value}`);
    await page.getByText(`The numbers sum to ${value.toFixed(2)}, the score (logit)`).waitFor();
    await page.getByText('All of [CLS], [SEP] together').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', {name: 'Save as CSV'}).click();
    const file = await download;
    assert.equal(file.suggestedFilename(), `bertscope-why-${target.word}-decompx-the-cat-sat-on-the-MASK.csv`); // prettier-ignore
    const [head, ...rows] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    assert.equal(head, 'token,decompx');
    assertNear(rows.map((row) => Number(row.split(',')[1])), contributions, 1e-6); // prettier-ignore
    await assertAccessible(page);
  },
);

researcherTest(
  'an answer is set against another one, and the numbers sum to what its logit is more',
  {hash: blank},
  async (page) => {
    const panel = page.locator('workbench-explanation');
    const [{top}] = await ask(page, 'result.predictions(5)');
    const [best, second] = top;
    await explained(page, `Which words led to “${best.token}”?`);
    await panel.getByLabel('Method').selectOption({label: 'DecompX'});
    await panel.getByLabel('Rather than').selectOption({index: 1});
    await explained(page, `Which words speak for “${best.token}” rather than “${second.token}”?`);
    const {contributions, value} = await ask(
      page,
      `result.explain({method: 'decompx', instead: ${second.id}}).then(({contributions, value}) => ({value, contributions: [...contributions]}))`,
    );
    assertNear(await amounts(page), contributions, 0.005);
    await page.getByText(`The numbers sum to ${value.toFixed(2)}: so much higher`).waitFor();
    await assertAccessible(page);
    // Shares are of the hidden state that both are read from.
    await panel.getByLabel('Method').selectOption({label: 'ALTI'});
    await explained(page, `Which words led to “${best.token}”?`);
    assert.equal(await panel.getByLabel('Rather than').count(), 0);
  },
);

researcherTest(
  'the method and the answer are chosen, stand in the address, and come back with it',
  {hash: blank},
  async (page) => {
    const panel = page.locator('workbench-explanation');
    await panel.getByLabel('Method').selectOption({label: 'ALTI'});
    await page.waitForURL(/method=alti/);
    await page.getByText('Most comes from').waitFor();
    const [{top}] = await ask(page, 'result.predictions(5)');
    await panel.getByRole('combobox', {name: 'Answer'}).selectOption({index: 1});
    await page.waitForURL(new RegExp(`answer=${top[1].token}`));
    await explained(page, `Which words led to “${top[1].token}”?`);
    const {contributions} = await ask(
      page,
      `result.explain({method: 'alti', target: {token: 6, id: ${top[1].id}}}).then(({contributions}) => ({contributions: [...contributions]}))`,
    );
    assertNear(
      await amounts(page),
      contributions.map((/** @type {number} */ share) => share * 100),
      0.5,
    );
    await page.reload();
    await explained(page, `Which words led to “${top[1].token}”?`);
    assert.equal(await panel.getByLabel('Method').inputValue(), 'alti');
  },
);

researcherTest(
  'a link to a slow method on a long text asks before it starts, and a fast one starts',
  {hash: `#text=${'the+cat+sat+on+the+mat+'.repeat(11)}[MASK]&workbench=why&method=decompx`},
  async (page) => {
    const start = page.getByRole('button', {name: 'Explain it', exact: true});
    await start.waitFor();
    await page.getByText('This text has 69 tokens').waitFor();
    const panel = page.locator('workbench-explanation');
    assert.equal(await panel.locator('#explained-title').count(), 0);
    await panel.getByLabel('Method').selectOption({label: 'ALTI'});
    await panel.locator('#explained-title').waitFor();
    assert.equal(await start.count(), 0);
    await page.goBack();
    await start.click();
    await panel.getByText('The numbers sum to').last().waitFor();
    await panel.locator('#explained-title').waitFor();
  },
);

/** Every second head of the model, as an address switches them off. */
const manyHeads = [...Array(embedded.layers).keys()]
  .flatMap((layer) => [...Array(embedded.heads).keys()].map((head) => `${layer}.${head}`))
  .filter((_, at) => at % 2)
  .join();

researcherTest(
  'a changed model is explained beside the unchanged one, for the same answer',
  {hash: `${blank}&off=${manyHeads}`},
  async (page) => {
    const panel = page.locator('workbench-explanation');
    await panel.getByRole('list', {name: 'Without the changes to the model'}).waitFor();
    const {target, changed, unchanged} = await ask(
      page,
      `(async () => {
        const {target, contributions} = await result.explain({method: 'decompx'});
        const before = await untouched.explain({method: 'decompx', target: {token: target.token, id: target.id}});
        return {target, changed: [...contributions], unchanged: [...before.contributions]};
      })()`,
    );
    await explained(page, `Which words led to “${target.word}”?`);
    assertNear(await amounts(page), [...changed, ...unchanged], 0.005);
    assert(changed.some((/** @type {number} */ amount, /** @type {number} */ at) => Math.abs(amount - unchanged[at]) > 0.1)); // prettier-ignore
  },
);

researcherTest(
  'whole words have the sum of what their pieces contribute, and are saved as a figure',
  {hash: '#text=the+unforgettable+cat+sat+on+the+[MASK].&workbench=why&words=1'},
  async (page) => {
    const {tokens, contributions} = await ask(
      page,
      `result.explain({method: 'decompx'}).then(({tokens, contributions}) => ({tokens, contributions: [...contributions]}))`,
    );
    await explained(page, /^Which words/);
    const pieces = tokens.findIndex((/** @type {string} */ token) => token.startsWith('##'));
    const after = tokens.findIndex((/** @type {string} */ token, /** @type {number} */ at) => at > pieces && !token.startsWith('##')); // prettier-ignore
    const sum = contributions
      .slice(pieces - 1, after)
      .reduce((/** @type {number} */ total, /** @type {number} */ each) => total + each, 0);
    const word = page.locator('.contribution', {hasText: 'unforgettable'});
    const amount = (await word.locator('small').textContent()) ?? '';
    assertNear([Number(amount.replace('−', '-'))], [sum], 0.005);
    const download = page.waitForEvent('download');
    await page.getByRole('button', {name: 'Save as SVG'}).click();
    const file = await download;
    assert.match(file.suggestedFilename(), /^bertscope-why-.+-decompx-the-unforgettable.*\.svg$/);
    const {texts} = await readSvg(page, await readFile(await file.path(), 'utf8'));
    for (const text of ['unforgettable', amount])
      assert(texts.includes(text), `${text} in ${texts}`);
  },
);

researcherTest(
  'each method says what its numbers sum to, and no more than that',
  {hash: `${blank}&method=integrated-gradients`},
  async (page) => {
    const summary = page.locator('workbench-explanation .summary');
    await summary.filter({hasText: 'higher is the answer than for the text with all words masked'}).waitFor(); // prettier-ignore
    const sum = (await amounts(page)).reduce((total, amount) => total + amount, 0);
    const [, told] = /sum to (−?[\d.]+)/.exec((await summary.textContent()) ?? '') ?? [];
    assert(Math.abs(sum - Number(told)) < 0.05, `${sum}, ${told}`);
    await page.getByLabel('Method').selectOption('gradient');
    await explained(page, /^Which words/);
    await summary.filter({hasNotText: 'sum to'}).waitFor();
  },
);

researcherTest(
  'without a blank the pinned word is hidden, and a click on another word asks about that one',
  {hash: '#text=the+cat+sat+on+the+mat.&workbench=why'},
  async (page) => {
    await page.getByText('Click a word in the picture to mask it').waitFor();
    await page.locator('.query .token').nth(6).click();
    await explained(page, /^Which words would lead to “.+”, if “mat” were replaced by \[MASK\]\?$/);
    await page.locator('.contribution', {hasText: 'cat'}).click();
    await explained(page, /^Which words would lead to “.+”, if “cat” were replaced by \[MASK\]\?$/);
    await page.waitForURL(/token=q2/);
    await page
      .locator('workbench-explanation')
      .getByRole('combobox', {name: 'Answer'})
      .selectOption({index: 1});
    await explained(page, 'Which words would lead to “cat”, if “cat” were replaced by [MASK]?');
  },
);

userTest(
  'a newcomer who asks whether [SEP] matters finds the answer from the head view in two clicks',
  {hash: '#text=the+cat+sat+on+the+[MASK].&layer=0', fresh: true},
  async (page) => {
    await page.locator('.query .piece', {hasText: '[MASK]'}).waitFor();
    await page.getByLabel('How', {exact: true}).click();
    await page.getByRole('button', {name: 'Does it matter to the answer?'}).click();
    const answer = page.getByText('All of [CLS], [SEP] together');
    await answer.waitFor();
    await answer.scrollIntoViewIfNeeded();
    assert.equal(await page.locator('.contribution', {hasText: '[SEP]'}).count(), 1);
  },
);

/** A window of a laptop, and one of a phone. */
const windows = [{viewport: {width: 1440, height: 900}}, phone];
for (const shown of windows) {
  const {width, height} = shown.viewport;
  userTest(
    `how a weight is computed, what would change and which words led to a guess are asked by three names, and each answer is in sight in ${width} × ${height}`,
    {hash: '#text=the+cat+sat+on+the+mat.&layer=1&heads=4&token=q6', fresh: true, ...shown},
    async (page) => {
      const panels = page.locator('.toolbar .panels');
      const names = await panels.locator('label').allTextContents();
      assert.deepEqual(
        names.map((name) => name.trim()),
        ['How', 'What if', 'Numbers', 'Settings'],
      );
      await page.getByLabel('How', {exact: true}).click();
      await inSight(page, '.drawer .reasons li:first-child');
      await page.getByLabel('What if', {exact: true}).click();
      await inSight(page, 'workbench-guess .guess');
      const ask = page
        .locator('workbench-guess')
        .getByRole('button', {name: /^Which words led to “/});
      for (let times = 0; times < 2; times++) {
        await ask.click();
        await explained(page, /^Which words would lead to/);
        await inSight(page, 'workbench-explanation .contributions');
      }
      if (width > 1000) await inSight(page, 'workbench-explanation .summary');
      // From the arithmetic of a weight to whether the word that it leads to matters.
      await page.getByLabel('How', {exact: true}).click();
      await page.getByRole('button', {name: 'Does it matter to the answer?'}).click();
      await inSight(page, 'workbench-explanation .contributions');
      // The headline stays in sight with the answer; on a phone the sheet covers the lower half.
      if (width > 1000) assert.equal(await page.evaluate(() => scrollY), 0);
      assert.equal(await page.getByText(/\bWhy\b/).count(), 0);
    },
  );
}

/** Waits until the whole of something can be seen: nothing covers its corners. @param {Page} page @param {string} selector */
const inSight = (page, selector) =>
  eventually(`“${selector}” to be in sight`, async () => {
    const hidden = await page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const {left, right, top, bottom} = element.getBoundingClientRect();
        const root = /** @type {ShadowRoot} */ (element.getRootNode());
        return [top + 1, bottom - 1].filter((y) => {
          const [x, at] = [(left + right) / 2, root.elementFromPoint((left + right) / 2, y)];
          return x < 0 || !at || !(element.contains(at) || at.contains(element));
        });
      });
    assert.deepEqual(hidden, []);
  });

/** Texts in which the model can guess a word from the others. */
const guessed = [
  'the cat sat on the [MASK].',
  'The girl said that [MASK] was tired.',
  'He put his money in the [MASK].',
  'The doctor gave the boy some [MASK].',
  'The bird flew over the [MASK].',
  'She drank a cup of [MASK].',
];

/**
 * Finds a text that one method explains no better than a random order does, and another one better.
 *
 * @param {Page} page
 */
async function findDoubtful(page) {
  for (const text of guessed) {
    /** @type {Record<string, string[]>} */
    const lacks = await page.evaluate(
      async ([text, methods]) => {
        const {model} = /** @type {Scope} */ (document.querySelector('bert-scope'));
        const result = await model.attend(text);
        const found = methods.map(async (method) => {
          const {contributions} = await result.explain({method});
          const {deletion, random} = await result.deletionCurve(contributions);
          const leads = {
            comprehensiveness: deletion.comprehensiveness - random.comprehensiveness,
            sufficiency: random.sufficiency - deletion.sufficiency,
          };
          // A lead that three digits do not show may be none.
          const clear = Object.values(leads).every((lead) => Math.abs(lead) > 0.002);
          const names = Object.entries(leads).flatMap(([name, lead]) => (lead < 0 ? [name] : []));
          return clear ? [[method, names]] : [];
        });
        return Object.fromEntries((await Promise.all(found)).flat());
      },
      /** @type {const} */ ([text, methodsOf({})]),
    );
    const method = methodsOf({}).find((name) => lacks[name]?.includes('comprehensiveness'));
    const better = methodsOf({}).find((name) => lacks[name]?.length === 0);
    if (method && better) return {text, method, lacks: lacks[method], better};
  }
  throw new Error('expected a text that a method explains no better than a random order');
}

researcherTest(
  'a method that is no better than a random order on this text is said to be, beside its numbers and its scores',
  {hash: blank},
  async (page) => {
    const {text, method, lacks, better} = await findDoubtful(page);
    const asked = new URLSearchParams({text, workbench: 'why', method, panel: 'all'});
    await page.evaluate((hash) => (location.hash = hash), `#${asked}`);
    const panel = page.locator('workbench-explanation');
    const verdict = panel.locator('.verdict');
    const {name} = explanation.methods[method];
    const hasText = `On this text ${name} is no better than a random order by ${lacks.join(' and ')}:`;
    await verdict.filter({hasText}).waitFor();
    await panel.getByRole('button', {name: 'Compare all methods on this text'}).click();
    await panel.getByRole('rowheader', {name: explanation.methods.gradient.name}).waitFor();
    const rows = await panel.locator('.faithfulness tbody tr').evaluateAll((trs) =>
      trs.map((tr) =>
        [...tr.querySelectorAll('td')].map((td) => ({
          value: Number.parseFloat((td.textContent ?? '').trim().replace('−', '-')),
          isBetter: !td.textContent?.includes('no better than random'),
        })),
      ),
    );
    const [much, little] = /** @type {typeof rows[number]} */ (rows.at(-1));
    assert.equal(rows.length, methodsOf({}).length + 1);
    for (const [found, left] of rows.slice(0, -1)) {
      assert.equal(found.isBetter, found.value > much.value, JSON.stringify(found));
      assert.equal(left.isBetter, left.value < little.value, JSON.stringify(left));
    }
    assert(rows.some(([found]) => found.isBetter) && rows.some(([found]) => !found.isBetter));
    await assertAccessible(page);
    await panel.getByLabel('Method').selectOption(better);
    await explained(page, /^Which words led to/);
    await verdict.waitFor({state: 'detached'});
  },
);

researcherTest(
  'masking tokens in the order of their contributions tests them, and all methods are compared',
  {hash: blank},
  async (page) => {
    const curve = await ask(
      page,
      `result.explain({method: 'decompx'}).then(({contributions}) => result.deletionCurve(contributions)).then(({counts, deletion, random}) => ({counts, measures: [deletion, random].map(({comprehensiveness, sufficiency}) => [comprehensiveness, sufficiency])}))`,
    );
    const panel = page.locator('workbench-deletion');
    await panel.locator('polyline').first().waitFor();
    const points = await panel.locator('polyline:not(.random)').getAttribute('points');
    assert.equal(points?.split(' ').length, curve.counts.length);
    const numbers = async () =>
      (await panel.locator('td.number').allTextContents()).map((text) =>
        Number.parseFloat(text.trim().replace('−', '-')),
      );
    assertNear(await numbers(), curve.measures.flat(), 0.0005);
    await panel.getByRole('button', {name: 'Compare all methods on this text'}).click();
    const last = panel.getByRole('rowheader', {name: 'Random order'});
    await panel.getByRole('rowheader', {name: explanation.methods.gradient.name}).waitFor();
    await last.waitFor();
    assert.equal((await numbers()).length, 2 * (methodsOf({}).length + 1));
    await assertAccessible(page);
  },
);

researcherTest(
  'parts of another sentence are put into this one, and every token of the last layer gives the other answer',
  {hash: blank},
  async (page) => {
    const panel = page.locator('workbench-patch');
    const other = panel.getByLabel('Another sentence with as many tokens');
    await other.fill('the cat sat');
    await panel.getByRole('button', {name: 'Exchange every part'}).click();
    await panel.getByRole('alert').filter({hasText: '9 and 5'}).waitFor();
    await other.fill('she drove her car to [MASK].');
    await other.press('Enter');
    await panel.locator('.states').waitFor();
    const cells = panel.locator('.states tbody tr').last().locator('td');
    assert.equal(await cells.count(), 9);
    // Only the blank's own last hidden state decides what is guessed there.
    assert.deepEqual(
      (await cells.allTextContents()).map((text) => Number(text.trim().replace('%', ''))),
      [0, 0, 0, 0, 0, 0, 100, 0, 0],
    );
    const {layers, heads} = embedded;
    assert.equal(await panel.locator('.head-square').count(), layers * heads);
    await assertAccessible(page);
  },
);

researcherTest(
  'a classifier’s answer is its class, and a model without answers says so',
  {hash: blank, fresh: true},
  async (page) => {
    await loadGolden(page, 'distilbert-sst');
    await explained(page, /^Which words led to the class “.+”\?$/);
    const classes = await ask(page, 'result.classes()');
    const answer = page.locator('workbench-explanation').getByRole('combobox', {name: 'Answer'});
    assert.equal(await answer.locator('option').count(), classes.length);
    await loadGolden(page, 'camembert');
    await page.getByText('This model gives no answer that could be explained').waitFor();
  },
);
