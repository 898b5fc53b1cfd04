/** Walks through the page as a first visitor does: what is seen without a click, and what each click shows. */

import assert from 'node:assert/strict';
import {rename} from 'node:fs/promises';
import {firstState} from '../../web/page/address.js';
import {examples} from '../../web/page/examples.js';
import {viewNames} from '../../web/scope/state-fields.js';
import {formatPercent} from '../../web/views/parts/number-format.js';
import {assertAccessible} from './axe.js';
import {openBlog} from './blog.js';
import {download, frameIn, watchShift} from './exported.js';
import {eventually} from '../support/eventually.js';
import {findLook, findingsIn, placeOf} from './found-heads.js';
import {headline, shown, waitForFirst, waitForLook, waitForPlace} from './headline.js';
import {pressInMore} from './more-menu.js';
import {engineAttention, inResearcherView, userTest} from './support.js';

/** @import {Frame, Page} from 'playwright-core' */

const garden =
  '#text=The+children+played+in+the+garden+until+they+were+tired.&layer=1&heads=4&token=q6';

userTest(
  'a text that runs without special tokens gets them by the button that shows them',
  {hash: '#text=the+cat+sat&no-special-tokens=1'},
  async (page) => {
    assert.deepEqual((await shown(page)).tokens, ['the', 'cat', 'sat']);
    await page.getByRole('button', {name: 'Show [CLS], [SEP]'}).click();
    await eventually('special tokens', async () =>
      assert.deepEqual((await shown(page)).tokens, ['[CLS]', 'the', 'cat', 'sat', '[SEP]']),
    );
  },
);

userTest(
  'a link that hides a token says so, explains the weights without it, and can be undone',
  {hash: `${garden.replace('q6', 'q12')}&unseen=12&panel=why`},
  async (page) => {
    const notice = page.locator('.notice.off');
    await notice
      .filter({hasText: 'Attention is blocked to “[SEP]”: no token looks there.'})
      .waitFor();
    const share = /: (\d+)%/;
    const told = share.exec((await headline(page).textContent()) ?? '')?.[1];
    const reason = page.locator('.reasons li', {hasText: 'Softmax makes the scores into shares'});
    await reason.waitFor();
    const explained = /keys: (\d+)%/.exec((await reason.textContent()) ?? '')?.[1];
    assert.ok(Math.abs(Number(explained) - Number(told)) <= 1, `${explained}% is not ${told}%`);
    await notice.getByRole('button', {name: 'Undo'}).click();
    await notice.waitFor({state: 'detached'});
    await page.waitForFunction(() => !location.hash.includes('unseen'));
  },
);

userTest(
  'panels are no entries of the history, and the name of the page starts again',
  {hash: `${garden}&off=2.1&theme=dark`, fresh: true},
  async (page) => {
    await headline(page).filter({hasText: 'garden looks at'}).waitFor();
    const count = await page.evaluate(() => history.length);
    for (const name of ['How', 'Numbers']) {
      await page.getByRole('radio', {name}).check();
      await page.getByRole('complementary', {name}).waitFor();
    }
    await page.waitForURL(/panel=numbers/);
    assert.equal(await page.evaluate(() => history.length), count);
    await page.getByRole('link', {name: 'bertscope', exact: true}).click();
    await waitForFirst(page);
    assert.equal(await page.getByRole('complementary').count(), 0);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    const {interventions} = await page.evaluate(() => {
      const {interventions} = /** @type {any} */ (document.querySelector('bert-scope'));
      return {interventions};
    });
    assert.deepEqual(interventions.heads, []);
    await page.goBack();
    await headline(page).filter({hasText: 'garden looks at'}).waitFor();
    await page.getByRole('complementary', {name: 'Numbers'}).waitFor();
  },
);

userTest(
  'a head that the reader has chosen stays when the text changes',
  {fresh: true},
  async (page) => {
    await page.locator('.head-square[data-layer="3"][data-head="7"]').click();
    const text = 'My grandmother said that she would bake a cake for us.';
    await page.locator('#text').fill(text);
    await headline(page).filter({hasNotText: 'children'}).waitFor();
    await page.getByText('Layer 3, head 7', {exact: true}).waitFor();
    const findings = await findingsIn(page, text);
    const {token} = await shown(page);
    const at = findings.findIndex(
      ({layer, head, query}) => layer === 3 && head === 7 && query === token?.index,
    );
    await page.getByRole('button', {name: 'Next finding'}).click();
    await waitForPlace(page, findings[at + 1]);
  },
);

userTest(
  'the map says what it colours, and pointing at a head moves nothing',
  {fresh: true},
  async (page) => {
    await page.locator('.heads').getByLabel('Colour of the map').waitFor();
    await page.locator('.heads').getByText('1.4 is layer 1, head 4').waitFor();
    const width = () => page.locator('.heads').evaluate((column) => column.scrollWidth);
    const before = await width();
    await page.locator('.head-square[data-layer="0"][data-head="7"]').hover();
    assert.equal(await width(), before);
  },
);

userTest(
  'the tag for a post has what the picture shows, and its height',
  {fresh: true, permissions: ['clipboard-read', 'clipboard-write']},
  async (page) => {
    await page.getByRole('button', {name: 'Export'}).click();
    await page.getByRole('button', {name: 'Copy HTML tag'}).click();
    await page.locator('dialog.export').getByText('Copied.').waitFor();
    const tag = await page.evaluate(() => navigator.clipboard.readText());
    const {layer, heads, token, tokens} = await shown(page);
    const at = token.index;
    const place = `layer="${layer}" heads="${heads}" token="q${at}" special="hide"`;
    assert.match(tag, new RegExp(`<bert-scope [^>]*${place}`));
    const row = (await engineAttention(page, layer))[heads[0]][at];
    // The tokens around the text are hidden.
    const most = Math.max(...row.slice(1, -1));
    const [, height] = / height="(\d+)"/.exec(tag) ?? [];
    const drawn = await page.locator('.scroller').evaluate(({clientHeight}) => clientHeight);
    assert.equal(Number(height), drawn);
    // A post has a line over the picture, and one below it.
    const [, reserved] = /min-height: calc\((\d+)px/.exec(tag) ?? [];
    assert.ok(Number(reserved) > drawn && Number(reserved) < drawn + 80, `${reserved} px`);

    // A post whose page cannot load the script, as without a network, says what the picture would show.
    const blog = await openBlog();
    try {
      const post = tag.replace(/<script.*<\/script>/, '');
      await page.goto(await blog.write('words.html', post, 'data:text/javascript,'));
      const said = await page.locator('bert-scope').innerText();
      assert.match(said, /^The children played in the garden until they were tired\.$/m);
      const reading = `\n${tokens[at]} gives ${formatPercent(most)} of its attention to ${tokens[row.indexOf(most)]}, `;
      assert.ok(said.includes(reading), said);
      const link = page.getByRole('link', {name: `layer ${layer}, head ${heads[0]}`});
      const href = (await link.getAttribute('href')) ?? '';
      assert.match(href, new RegExp(`#text=The\\+children.*layer=${layer}&heads=${heads[0]}\\b`));
    } finally {
      await blog.close();
    }
  },
);

for (const view of ['matrix', 'model', 'neuron']) {
  userTest(
    `the tag for a post draws the ${view} view of the page, pixel by pixel, and hardly moves the post`,
    {
      fresh: true,
      hash: `#text=the+unforgettable+cat+sat&layer=2&heads=1&token=q2&view=${view}`,
      permissions: ['clipboard-read', 'clipboard-write'],
    },
    async (page) => {
      const drawing = () =>
        page
          .locator('bert-scope .view-stage canvas')
          .evaluateAll((all) =>
            all.map((canvas) => /** @type {HTMLCanvasElement} */ (canvas).toDataURL()),
          );
      const stage = page.locator('bert-scope .view-stage');
      await page.getByRole('button', {name: 'Export'}).click();
      await page.getByRole('button', {name: 'Copy HTML tag'}).click();
      await page.locator('dialog.export').getByText('Copied.').waitFor();
      const tag = await page.evaluate(() => navigator.clipboard.readText());
      const [here, width] = [await drawing(), await stage.evaluate(({clientWidth}) => clientWidth)];
      const blog = await openBlog();
      try {
        const shift = await watchShift(page);
        const column = `<div style="width: ${width + 24}px">${tag.replace(/<script.*<\/script>/, '')}</div>`;
        await page.goto(await blog.write('view.html', column));
        await eventually('the same pixels', async () => assert.deepEqual(await drawing(), here));
        assert.ok((await shift()) < 0.02, `the post moved by ${await shift()}`);
      } finally {
        await blog.close();
      }
    },
  );
}

userTest(
  'a frame and a saved page have a picture as high as the page has, and the frame covers nothing of it',
  {fresh: true, permissions: ['clipboard-read', 'clipboard-write']},
  async (page) => {
    await headline(page).waitFor();
    const pictureHeight = (/** @type {Page | Frame} */ place) =>
      place.locator('.scroller').evaluate(({clientHeight}) => clientHeight);
    const height = await pictureHeight(page);
    const {path} = await download(page, 'HTML file');
    await page.getByRole('button', {name: 'Copy HTML frame'}).click();
    await page.locator('dialog.export').getByText('Copied.').waitFor();
    const frame = await page.evaluate(() => navigator.clipboard.readText());
    const blog = await openBlog();
    try {
      const post = await blog.write('frame.html', frame);
      // Columns of posts are as wide as this.
      for (const width of [390, 760, 1000]) {
        await page.setViewportSize({width, height: 900});
        await page.goto(post);
        const framed = frameIn(page);
        await framed.locator('.inspected .place').waitFor();
        await framed.locator('.query .piece', {hasText: 'children'}).waitFor();
        const {whole, shown} = await framed.locator('html').evaluate((root) => ({
          whole: root.scrollHeight,
          shown: innerHeight,
        }));
        assert(whole <= shown, `at ${width}: ${whole} pixels in ${shown}`);
        assert.equal(await pictureHeight(framed), height);
      }
    } finally {
      await blog.close();
    }
    await rename(path, `${path}.html`);
    await page.goto(`file://${path}.html`);
    await page.locator('.query .piece', {hasText: 'children'}).waitFor();
    assert.equal(await pictureHeight(page), height);
  },
);

userTest(
  'one click shows the special tokens, and another hides them',
  {fresh: true},
  async (page) => {
    await headline(page).waitFor();
    assert.equal(await page.locator('.query .piece', {hasText: '[CLS]'}).count(), 0);
    await page.getByRole('button', {name: 'Show [CLS], [SEP]'}).click();
    await page.locator('.query .piece', {hasText: '[CLS]'}).waitFor();
    await page.waitForURL((url) => !/special=/.test(url.hash));
    await page.getByRole('button', {name: 'Hide [CLS], [SEP]'}).click();
    await page.waitForURL(/special=hide/);
  },
);

userTest(
  'the researcher view has every control beside the picture, and its address says so',
  {fresh: true},
  async (page) => {
    await page.locator('#preferences > summary').click();
    await page.getByLabel('Researcher view').check();
    await page.waitForURL(/panel=all/);
    await page.getByRole('radiogroup', {name: 'Layer'}).waitFor();
    await page.getByRole('complementary', {name: 'What the picture shows'}).waitFor();
    await page.getByRole('button', {name: 'Predict words'}).waitFor();
    await page.reload();
    await page.getByRole('radiogroup', {name: 'Layer'}).waitFor();
    await page.getByLabel('Researcher view').uncheck();
    await page.getByRole('radiogroup', {name: 'Layer'}).waitFor({state: 'detached'});
    await headline(page).waitFor();
  },
);

userTest(
  'the guess stands beside the picture again when Back leads there from the researcher view',
  {hash: '#text=the+cat+sat+on+the+mat.&layer=1&heads=1&token=q2&panel=whatif', fresh: true},
  async (page) => {
    const guess = page.getByText('If “cat” were replaced by [MASK], the model would guess');
    await guess.waitFor();
    await page.locator('#preferences > summary').click();
    await page.getByLabel('Researcher view').check();
    await guess.waitFor({state: 'detached'});
    await page.goBack();
    await guess.waitFor();
  },
);

userTest(
  'every panel opens beside the picture, passes axe, and closes',
  {hash: '#text=the+cat+sat+on+the+mat&pair=so+it+slept&layer=1&heads=1&token=q2'},
  async (page) => {
    for (const name of ['How', 'What if', 'Numbers', 'Settings']) {
      await page.getByRole('radio', {name}).check();
      const panel = page.getByRole('complementary', {name});
      await panel.waitFor();
      await assertAccessible(page);
      await panel.getByRole('button', {name: 'Close'}).click();
      await panel.waitFor({state: 'detached'});
    }
  },
);

userTest(
  'an example shows the head that it is about, and the text after it has its own finding',
  {fresh: true},
  async (page) => {
    await pressInMore(page, 'two banks');
    await page.mouse.move(0, 0); // or the headline is about the word under the pointer
    const banks = examples.find(({name}) => name === 'banks');
    assert.ok(banks);
    const {layer, heads, token: query} = banks.shown;
    await headline(page).filter({hasText: 'bank looks at '}).waitFor();
    await waitForPlace(page, {layer, head: heads[0], query});
    await page.getByText(`Layer ${layer}, head ${heads[0]}`, {exact: true}).waitFor();
    const text = 'The old dog slept because he was tired.';
    await page.locator('#text').fill(text);
    const [first] = await findingsIn(page, text);
    await waitForPlace(page, first);
    await page.locator('#text').fill('');
    await page.getByRole('button', {name: 'Next finding'}).waitFor({state: 'detached'});
  },
);

userTest(
  'lessons have the choice of the model in the header, and the viewer behind “+”',
  {fresh: true},
  async (page) => {
    const models = page.getByRole('button', {name: 'Models…'});
    assert.equal(await models.isVisible(), false);
    await page.getByRole('link', {name: 'Lessons'}).click();
    await models.click();
    await page.getByRole('dialog', {name: 'Models'}).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', {name: 'Explore'}).click();
    await models.waitFor({state: 'hidden'});
    await pressInMore(page, 'Models…');
    await page.getByRole('dialog', {name: 'Models'}).waitFor();
  },
);

userTest(
  'the strongest line is wider than a faint one, where rows are high',
  {fresh: true},
  async (page) => {
    await headline(page).waitFor();
    const look = await findLook(
      page,
      'a token gives nine tenths to another one',
      ({isToText, weight, query, key}) => isToText && weight > 0.9 && query !== key,
    );
    const hash = `#${new URLSearchParams({text: firstState.text, special: 'hide'})}&${placeOf(look)}`;
    await page.evaluate((hash) => (location.hash = hash), hash);
    await waitForLook(page, look);
    const strongest = () =>
      page.evaluate(() => {
        const root = /** @type {any} */ (document.querySelector('bert-scope')).renderRoot;
        const canvas = root.querySelector('.lines canvas');
        const x = Math.round(canvas.width / 4);
        const {data} = canvas.getContext('2d').getImageData(x, 0, 1, canvas.height);
        let rows = 0;
        for (let at = 3; at < data.length; at += 4) rows += Number(data[at] > 200);
        return rows;
      });
    await eventually('a wide line', async () => {
      const width = await strongest();
      assert.ok(width >= 3, `the strongest line is ${width} pixels wide`);
    });
  },
);

userTest(
  'another first sentence in place of an example’s drops its second one, and an edit keeps it',
  {fresh: true},
  async (page) => {
    await pressInMore(page, 'mat and rug');
    await page.locator('#pair').waitFor();
    await page.locator('#text').fill('the dog sat on the mat');
    assert.equal(await page.locator('#pair').inputValue(), 'the cat lay on the rug');
    await page.locator('#text').fill('Alice lost her keys.');
    await page.locator('#pair').waitFor({state: 'hidden'});
  },
);

userTest(
  'a text that the model cannot read has a banner that offers other models',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    assert.equal(await page.locator('#unreadable').isVisible(), false);
    await page.locator('#text').fill('我喜欢你');
    await page.waitForFunction(
      () => /** @type {any} */ (document.querySelector('bert-scope')).result?.text === '我喜欢你',
    );
    // A model may know one of the characters.
    const {tokens} = await shown(page);
    const unknown = tokens.filter((/** @type {string} */ token) => token === '[UNK]').length;
    assert.ok(unknown > 2 && tokens.length === 6, tokens.join(' '));
    await page.getByText(`${unknown} of 4 tokens are [UNK]`).waitFor();
    await page.getByRole('button', {name: 'Choose a model that can'}).click();
    await page.getByRole('dialog', {name: 'Models'}).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#text').fill('the cat');
    await page.locator('#unreadable').waitFor({state: 'hidden'});
  },
);

for (const view of viewNames)
  userTest(
    `the ${view} view says which piece of the text an [UNK] stands for`,
    {hash: `#text=the+%E2%98%83+sat&pair=on+%F0%9F%98%80&view=${view}`},
    async (page) => {
      const said = page.getByRole('status').filter({hasText: '[UNK] stands here for'});
      await said.getByText('“☃”, “😀”').waitFor();
      assert.equal(await said.getByRole('button').count(), 0);
      await page.locator('#text').fill('the cat sat');
      await said.getByText('[UNK] stands here for “😀”:').waitFor();
    },
  );

userTest(
  'an empty field keeps no list of what heads did in the text before',
  {hash: '#text=the+cat+sat&layer=1&heads=4&panel=numbers'},
  async (page) => {
    const list = page.getByRole('heading', {name: 'What heads look at'});
    await list.waitFor();
    await page.locator('#text').fill('');
    await page.getByText('Type a sentence to see what its tokens attend to.').waitFor();
    await list.waitFor({state: 'detached'});
    await page.locator('#text').fill('the dog sat');
    await list.waitFor();
  },
);

userTest(
  'a kept picture stays alone until something differs',
  {hash: inResearcherView('#text=the+cat+sat')},
  async (page) => {
    await page.getByRole('button', {name: 'Keep for comparison'}).click();
    await page.getByText('Now change something').waitFor();
    assert.equal(await page.locator('.head-view').count(), 1);
    await page.locator('#text').fill('the cat slept');
    await page.locator('figcaption').nth(1).waitFor();
    assert.equal(await page.getByText('Now change something').count(), 0);
  },
);
