import assert from 'node:assert/strict';
import {
  distanceBetween,
  download,
  drawn,
  hash,
  importFixed,
  importJson,
  readPng,
  readSvg,
} from './exported.js';
import {engineAttention, researcherTest, userTest, waitForTokens} from './support.js';

userTest(
  'the head view as SVG has a caption, and a line for each weight with its opacity',
  {hash},
  async (page) => {
    const file = await download(page, 'SVG');
    assert.equal(file.name, 'bertscope-head-layer-2-heads-1-2-the-cat-sat-the-mat.svg');
    const svg = await readSvg(page, file.bytes.toString());
    assert.equal(svg.name, 'svg');
    assert.equal(svg.others, 0);
    assert.equal(svg.letters, 0, 'all text is outlines');
    for (const text of [...drawn, 'query', 'key'])
      assert(svg.texts.includes(text), `${text} in ${svg.texts}`);
    const caption = svg.texts.join(' ');
    assert.match(caption, /the cat sat \/ the mat/);
    assert.match(
      caption,
      /bertscope-default · layer 2, heads 1, 2 · mean of these heads · query → key/,
    );
    const attention = await engineAttention(page, 2);
    const halves = [1, 2].map((head) => attention[head].flat().map((weight) => weight / 2));
    const seen = (/** @type {number} */ half) => (half < 1 / 255 ? 0 : half);
    // The opacity of both lines together is lifted to its square root.
    const expected = halves[0].flatMap((first, at) => {
      const both = 1 - (1 - seen(first)) * (1 - seen(halves[1][at]));
      return [first, halves[1][at]].map((half) => seen(half) && half / Math.sqrt(both));
    });
    const strongest = (/** @type {number[]} */ opacities) =>
      opacities.sort((a, b) => b - a).slice(0, 60);
    const found = strongest(svg.lines);
    strongest(expected).forEach((opacity, i) => {
      assert(Math.abs(found[i] - opacity) < 1e-4, `line ${i}: ${found[i]} and ${opacity}`);
    });
  },
);

userTest(
  'text in an SVG looks like its outlines, because the font is in the file',
  {hash},
  async (page) => {
    const outlines = String((await download(page, 'SVG')).bytes);
    await page.getByLabel('Text in the SVG').selectOption('text, to be edited and searched');
    const text = String((await download(page, 'SVG')).bytes);
    const {texts, letters} = await readSvg(page, text);
    assert.equal(letters, texts.length);
    assert(texts.includes('cat'));
    const without = text.replace(/<style>.*<\/style>/, '');
    assert(text.length > without.length + 50_000, 'both weights are in the file');
    const [near, far] = [
      await distanceBetween(page, [outlines, text]),
      await distanceBetween(page, [outlines, without]),
    ];
    assert(near < far / 3, `${near} and, without the font, ${far}`);
  },
);
for (const [view, texts, images] of /** @type {[string, string[], number][]} */ ([
  ['head', drawn, 0],
  ['matrix', ['[CLS]', 'cat', 'query (row) → key (column)', 'sum', '1.000'], 0],
  ['model', ['0', '5', '7'], 48],
  ['neuron', ['q·k / √d', 'softmax', 'α · v', 'cat'], 0],
])) {
  userTest(
    `the ${view} view is saved as SVG in the dark, and as PNG three times as large`,
    {hash: `${hash}&view=${view}`},
    async (page) => {
      // Its bytes are counted, and how many lines there are is the model's affair.
      if (view === 'model') await importFixed(page);
      await page.getByRole('button', {name: 'Export'}).click();
      await page.locator('dialog.export').getByLabel('Colours').selectOption('dark');
      await page.getByLabel('Size of the PNG').selectOption('3×');
      const {bytes} = await download(page, 'SVG');
      const svg = await readSvg(page, bytes.toString());
      for (const text of texts) assert(svg.texts.includes(text), `${text} in ${svg.texts}`);
      assert.equal(svg.images, images);
      // The output of the neuron view and the strip below it have canvases of their own.
      assert.equal(svg.drawings, view === 'neuron' ? 3 : 1);
      // Neighbours of one colour are one.
      assert.equal(svg.cells > drawn.length ** 2 / 2, view === 'matrix');
      assert.equal(svg.ground, 'rgb(22,24,28)');
      const [, width] = bytes.toString().match(/width="(\d+)"/) ?? [];
      const png = readPng((await download(page, 'PNG')).bytes);
      assert.equal(png.width, 3 * Number(width));
      assert(png.values > 20, 'more than a blank sheet');
      // Few tokens and heads leave room beside these two on the page, which is 1440 wide.
      if (view === 'matrix' || view === 'model') assert(Number(width) < 900, `${width} wide`);
      if (view !== 'model') return;
      assert(bytes.length < 1.8e6, `${bytes.length} bytes of images`);
      await page.locator('dialog.export').getByLabel('Colours').selectOption('light');
      const light = (await download(page, 'SVG')).bytes.toString();
      assert.equal((await readSvg(page, light)).images, 0, 'lines where none is lifted');
      assert(light.length < 300_000, `${light.length} bytes of lines`);
    },
  );
}

researcherTest(
  'on a narrow page the neuron view is saved as wide as all its columns',
  {hash: `${hash}&view=neuron`, viewport: {width: 1300, height: 900}},
  async (page) => {
    const scroller = page.locator('.neuron-scroller.more');
    const columns = await scroller.evaluate((element) => element.scrollWidth);
    const svg = (await download(page, 'SVG')).bytes.toString();
    const [, width] = svg.match(/width="(\d+)"/) ?? [];
    assert(Number(width) >= columns, `${width} pixels for columns of ${columns}`);
    assert((await readSvg(page, svg)).texts.includes('output'));
    await page.getByRole('button', {name: 'Close'}).click();
    await scroller.evaluate((element) => element.scrollTo({left: 1e4}));
    await page.locator('.neuron-scroller:not(.more)').waitFor();
  },
);

userTest(
  'the neuron view is saved as it is on the screen, with the dimension and the link that the reader chose',
  {hash: '#text=the+cat+sat+on+the+mat&layer=2&heads=1&view=neuron'},
  async (page) => {
    const view = page.locator('.neuron-view');
    await view.locator('.query .token').nth(3).click();
    await view.locator('.key .token').nth(6).click();
    await view.getByRole('slider', {name: 'Dimension'}).fill('5');
    await view.locator('.zoom-title', {hasText: 'sat → mat, dimension 5'}).waitFor();
    // The headline tells of the same link.
    await page.mouse.move(0, 0);
    await page.locator('.headline .told', {hasText: /^\s*sat\s+looks at\s+mat/}).waitFor();
    const products = await view.locator('.zoom-line').first().innerText();
    const {texts} = await readSvg(page, String((await download(page, 'SVG')).bytes));
    assert.ok(texts.includes(products), `${products} in ${texts}`);
    assert.match(texts.join(' '), /sat → mat .*dimension 5/);
  },
);

userTest(
  'a caption names changes, measure and reading aids, and no model where none was run',
  {hash: '#text=the+cat+sat&layer=2&heads=1&off=1.1&measure=norm&special=hide&keep=50'},
  async (page) => {
    const captionOf = async () =>
      (await readSvg(page, (await download(page, 'SVG')).bytes.toString())).texts.join(' ');
    const changed =
      /bertscope-default · Layer 1, head 1 off · Norm-weighted · layer 2, head 1 · Special tokens: hidden.+ · Showing the strongest 50% .+ ·/;
    assert.match(await captionOf(), changed);
    await page.getByRole('button', {name: 'Close'}).click();

    const weights = [[0.5, 0.5], [1, 0]]; // prettier-ignore
    await importJson(page, 'chat.json', {tokens: ['le', '猫'], attention: [[[weights]]]});
    await waitForTokens(page, ['le', '猫']);
    const foreign = await captionOf();
    assert.match(foreign, /chat\.json layer 0, head 0 · Special .+ · query → key/);
    assert.doesNotMatch(foreign, /bertscope-default|changed|Norm/);

    // What the figure's font lacks looks the same elsewhere, or the dialog says that it may not.
    const dialog = page.locator('dialog.export');
    const outlines = await readSvg(page, String((await download(page, 'SVG')).bytes));
    assert.deepEqual([outlines.letters, outlines.images], [0, 2], '猫 in both columns');
    await dialog.getByText(/so they are images among the outlines: 猫$/).waitFor();
    await dialog.getByLabel('Text in the SVG').selectOption('text, to be edited and searched');
    const text = await readSvg(page, String((await download(page, 'SVG')).bytes));
    assert.equal(text.images, 0);
    await dialog.getByText(/as each reader’s own fonts have them: 猫$/).waitFor();
  },
);

userTest(
  'the caption of a saved picture says which piece of the text an [UNK] stands for',
  {hash: '#text=the+%E2%98%83+sat&pair=on+%F0%9F%98%80'},
  async (page) => {
    await waitForTokens(page, '[CLS] the [UNK] sat [SEP] on [UNK] [SEP]'.split(' '));
    const {texts} = await readSvg(page, String((await download(page, 'SVG')).bytes));
    assert.match(
      texts.join(' '),
      /\[UNK\] stands here for “☃”, “😀”: this is not in the vocabulary/,
    );
  },
);
