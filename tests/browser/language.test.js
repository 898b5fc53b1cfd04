import assert from 'node:assert/strict';
import {catalogues} from '../strings/catalogue.js';
import {server, openPage, userTest} from './support.js';

/** @import {Page, Response} from 'playwright-core' */

const lang = (/** @type {Page} */ page) => page.locator('html').getAttribute('lang');

userTest(
  'a reader whose browser asks for Chinese reads Chinese',
  {locale: 'zh-CN'},
  async (page) => {
    assert.equal(await lang(page), 'zh');
    await page.locator('#text').fill('the cat sat');
    await page.getByRole('radio', {name: '矩阵'}).check({force: true});
    await page.getByText('查询（行）→ 键（列）').waitFor();
    assert.doesNotMatch(await page.locator('header').innerText(), /Theme|attention/);
  },
);

userTest(
  'Chinese sentences have the order and the marks of Chinese, with one name for a place',
  {
    hash: '#text=The+old+dog+slept&layer=1&heads=4&token=q3&panel=numbers',
    locale: 'zh-CN',
  },
  async (page) => {
    const panel = page.getByRole('complementary', {name: '数值'});
    await panel
      .locator('.partners .name', {hasText: /^dog → /})
      .first()
      .waitFor();
    await panel.getByText('第 1 层第 4 头').waitFor();
    await page.getByRole('radio', {name: '神经元'}).check({force: true});
    await page.locator('.zoom-title', {hasText: /^dog → \S+，第 \d+ 维$/}).waitFor();
    const text = 'The+children+played+in+the+garden+until+they+were+tired.';
    await openPage(page, `#text=${text}&layer=1&heads=4&token=q8&special=hide&panel=all`);
    const reading = page.locator('.reading');
    await reading.filter({hasText: /^they 的注意力 \d+% 给 \S+，\d+% 给/}).waitFor();
    // No line begins with a mark.
    for (let width = 420; width > 250; width -= 10) {
      await page.setViewportSize({width, height: 900});
      const places = await reading.evaluate((line) => {
        const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        const {left} = line.getBoundingClientRect();
        const found = [];
        while (texts.nextNode()) {
          const node = /** @type {Text} */ (texts.currentNode);
          for (let at = node.data.indexOf('，'); at >= 0; at = node.data.indexOf('，', at + 1)) {
            const range = new Range();
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            found.push(range.getBoundingClientRect().left - left);
          }
        }
        return found;
      });
      assert.ok(places.length > 0 && places.every((place) => place > 8), `${width}: ${places}`);
    }
  },
);

for (const [language, name, direction] of [
  ['zh', '中文', '查询（行）→ 键（列）'],
  ['es', 'Español', 'consulta (fila) → clave (columna)'],
]) {
  userTest(
    `${name} is chosen in the header, survives a reload and keeps the text and the view`,
    {hash: '#text=the+cat+sat&view=matrix&layer=2', fresh: true},
    async (page) => {
      assert.equal(await lang(page), 'en');
      await page.locator('#preferences > summary').click();
      await page.getByLabel('Language').selectOption(name);
      await page.waitForURL(new RegExp(`\\?lang=${language}#`));
      await page.getByText(direction).waitFor();
      assert.equal(await page.locator('#text').inputValue(), 'the cat sat');
      assert.match(page.url(), /text=the\+cat\+sat&view=matrix&layer=2/);
      await openPage(page);
      assert.equal(page.url(), server.url, 'the address names no language');
      assert.equal(await lang(page), language);
      await page.goto(`${server.url}?lang=en`);
      assert.equal(await lang(page), 'en', 'a link that names a language is read in it');
    },
  );
}

userTest('an English reader loads no other language', {open: false}, async (page) => {
  /** @type {Promise<string>[]} */
  const scripts = [];
  const read = (/** @type {Response} */ response) => {
    if (response.url().endsWith('.js')) scripts.push(response.text());
  };
  page.on('response', read);
  await openPage(page);
  await page.getByRole('radio', {name: 'What if', exact: true}).check({force: true});
  await page.getByRole('complementary', {name: 'What if'}).waitFor();
  await page.getByRole('link', {name: 'Lessons'}).click();
  await page.getByRole('heading', {name: 'Attention from scratch'}).waitFor();
  // The page goes on loading lessons, and what comes after the test could not be read any more.
  page.off('response', read);
  const loaded = (await Promise.all(scripts)).join('\n');
  const {en, ...others} = catalogues;
  const said = (/** @type {typeof en} */ {saved, live, course}) => [
    saved.scope.loadingSaved,
    live.running.loading,
    course.frame.lead,
  ];
  for (const words of said(en)) assert(loaded.includes(words), words);
  for (const words of Object.values(others).flatMap(said)) assert(!loaded.includes(words), words);
});
