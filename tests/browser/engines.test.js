import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {after, before, describe, test} from 'node:test';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {inline, openBlog, snapshot} from './blog.js';
import {deckOf} from './deck.js';
import {drivers} from './drivers.js';
import {frameCode} from '../../web/export/embed-markup.js';
import {eventually} from '../support/eventually.js';
import {openComparison, serveComparison} from './kernels.js';
import {freePort, serve} from './server.js';
import {serveHub} from '../support/hub-server.js';

/** @import {Driver} from './drivers.js' */

const site = fileURLToPath(new URL('../../dist/site', import.meta.url));
const golden = fileURLToPath(new URL('../golden', import.meta.url));
const offline = fileURLToPath(new URL('../../dist/offline/bertscope.html', import.meta.url));

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
/** @type {Awaited<ReturnType<typeof openBlog>>} */
let blog;
/** @type {Awaited<ReturnType<typeof serveHub>>} */
let hub;
/** @type {Awaited<ReturnType<typeof serveComparison>>} */
let comparison;

before(async () => {
  if (!existsSync(offline)) throw new Error(`${offline} is missing: run npm run build first`);
  server = await serve(site);
  blog = await openBlog();
  hub = await serveHub(golden);
  comparison = await serveComparison();
});

after(async () => {
  server?.close();
  await blog?.close();
  hub?.close();
  comparison?.close();
});

const inScope = (/** @type {string} */ selector) =>
  `document.querySelector('bert-scope').shadowRoot.querySelectorAll(${JSON.stringify(selector)})`;

/** Waits until an expression is true. @param {Driver} driver @param {string} expression */
async function until(driver, expression) {
  await eventually(
    expression,
    async () => {
      const value = await driver.evaluate(`Boolean(${expression})`);
      if (value === true) return;
      const alert = await driver.evaluate(
        `[...${inScope('[role=alert]')}].map((box) => box.textContent).join()`,
      );
      throw new Error(`found ${value}, the page says “${alert}”`);
    },
    60_000,
  );
}

/** Finds the middle of an element. @param {Driver} driver @param {string} element  an expression */
async function middle(driver, element) {
  return /** @type {{x: number, y: number}} */ (
    await driver.evaluate(`(() => {
      const element = ${element};
      element.scrollIntoView({block: 'center', behavior: 'instant'});
      const {left, top, width, height} = element.getBoundingClientRect();
      return {x: left + width / 2, y: top + height / 2};
    })()`)
  );
}

/** @param {Driver} driver @param {string} element */
async function click(driver, element) {
  const {x, y} = await middle(driver, element);
  await driver.click(x, y);
}

/** Counts the weights that differ between engines of one and of two workers. */
const twoWorkers = `(async () => {
  const {createEngine} = await import('./lib/bertscope.js');
  const engines = [await createEngine(), await createEngine({threads: 2})];
  const [one, two] = await Promise.all(
    engines.map((engine) => engine.load('./lib/bertscope-default.safetensors')),
  );
  let result;
  for (let i = 0; result?.threads !== 2; i++) {
    if (i === 2000) throw new Error('expected two workers, found ' + result.threads);
    result = await two.attend(i + ' time flies like an arrow'.repeat(30));
  }
  const expected = await one.attend(result.text);
  let different = 0;
  for (let layer = 0; layer < one.shape.layers; layer++) {
    const [a, b] = [await expected.layerAttention(layer), await result.layerAttention(layer)];
    different += a.filter((weight, at) => weight !== b[at]).length;
  }
  for (const engine of engines) engine.dispose();
  return {isolated: crossOriginIsolated, different};
})()`;

const tokens = `[...${inScope('.query .piece')}].map((piece) => piece.textContent).join(' ')`;
const weights = `[...${inScope('.key .value')}].map((value) => Number(value.textContent))`;

/** Loads, types, hovers, goes through the views and exports, as a reader does. @param {Driver} driver */
async function use(driver) {
  await until(driver, `${tokens}.includes('they were')`);
  await until(driver, `${inScope('.headline .told')}[0]?.textContent.includes('children')`);
  await driver.evaluate(`document.querySelector('#text').select()`);
  await driver.type('the cat sat');
  await until(driver, `${tokens} === 'the cat sat'`);
  await driver.evaluate(`${inScope('.special-switch')}[0].click()`);
  await until(driver, `${tokens}.startsWith('[CLS] the cat sat [SEP]')`);
  const {x, y} = await middle(driver, `${inScope('.query .token')}[2]`);
  // The pointer may be there already, so it moves away first.
  await driver.hover(5, 5);
  await driver.hover(x, y);
  await until(driver, `${weights}.reduce((sum, weight) => sum + weight, 0) > 0.9`);
  const sum = (await driver.evaluate(weights)).reduce(
    (/** @type {number} */ a, /** @type {number} */ b) => a + b,
  );
  assert(Math.abs(sum - 1) < 0.01, `the weights of a token sum to ${sum}`);
  for (const [view, part] of [
    ['Model', '.thumbnail'],
    ['Neuron', '.neuron-view canvas'],
    ['Matrix', '.matrix-view canvas'],
    ['Head', '.head-view canvas'],
  ]) {
    await click(driver, `[...${inScope('.views .segment')}].find((label) => label.textContent.trim() === '${view}')`); // prettier-ignore
    await until(driver, `${inScope(part)}.length`);
  }
  // Browsers download to different folders, so the test looks at what would be downloaded.
  await driver.evaluate(`(() => {
    window.saved = [];
    HTMLAnchorElement.prototype.click = function () {
      const name = this.download;
      fetch(this.href).then((file) => file.blob()).then((blob) => saved.push([name, blob.size]));
    };
    return document.querySelector('bert-scope').openExport();
  })()`);
  await until(driver, `${inScope('dialog.export[open]')}.length`);
  for (const name of ['SVG', 'PNG', 'HTML file']) {
    await driver.evaluate(`[...${inScope('dialog.export button')}].find((button) => button.textContent === '${name}').click()`); // prettier-ignore
    await until(driver, `saved.length === 1`);
    const [[file, bytes]] = await driver.evaluate('saved.splice(0)');
    assert.match(file, /^bertscope-.*the-cat-sat.*\.(svg|png|html)$/);
    assert(bytes > 5000, `${file} has ${bytes} bytes`);
  }
  await driver.evaluate(`${inScope('dialog.export')}[0].close()`);
}

/** Lets the encoder-decoder that comes with the page write a date. @param {Driver} driver */
async function translate(driver) {
  const state = {src: 'given:dates', text: 'in May 1999', filter: 'cross', layer: 1, heads: [0]};
  await driver.evaluate(`document.querySelector('bert-scope').change(${JSON.stringify(state)})`);
  await until(driver, `${tokens} === '1 9 9 9 - 0 5 - X X </s>'`);
}

/** Cuts, in the lesson about it, what the decoder looks at. @param {Driver} driver */
async function learn(driver) {
  await driver.evaluate(`(location.hash = '#/lessons/encoder-and-decoder/cut-edge')`);
  await until(driver, `/\\d{4}-\\d\\d-\\d\\d/.test(document.querySelector('#place').innerText)`);
}

/** Asks why the model guesses a word, and where it decides. @param {Driver} driver */
async function explain(driver) {
  const inPanel = (/** @type {string} */ selector) =>
    `${explanation}?.querySelectorAll('${selector}') ?? []`;
  await driver.evaluate(`document.querySelector('#text').select()`);
  await driver.type('the cat sat on the [MASK].');
  await until(driver, `${tokens}.includes('[MASK]')`);
  await driver.evaluate(
    `document.querySelector('bert-scope').choose({panel: 'whatif', workbench: 'why'})`,
  );
  await until(driver, `(${inPanel('.contribution')}).length === 9`);
  const sum = await driver.evaluate(
    `[...${inPanel('.contribution small')}].reduce((sum, {textContent}) => sum + Number(textContent.replace('−', '-')), 0)`,
  );
  const {value} = await driver.evaluate(
    `document.querySelector('bert-scope').result.explain({method: 'decompx'}).then(({value}) => ({value}))`,
  );
  assert(Math.abs(sum - value) < 0.05, `${sum}, ${value}`);
  await until(
    driver,
    `${explanation}.querySelector('workbench-deletion').shadowRoot.querySelector('polyline')`,
  );
  await driver.evaluate(`document.querySelector('bert-scope').choose({panel: '', workbench: ''})`);
}

const explanation =
  "document.querySelector('bert-workbench').shadowRoot.querySelector('workbench-explanation')?.shadowRoot";

/** Drops a file with attention, which a worker reads. @param {Driver} driver */
async function drop(driver) {
  await driver.evaluate(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(JSON.stringify(snapshot))}], 'saved.json'));
    document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: transfer, bubbles: true}));
  })()`);
  await until(driver, `${tokens} === '${snapshot.tokens.join(' ')}'`);
}

const status = `document.querySelector('#status').textContent`;
const kept = `[...document.querySelectorAll('section[aria-labelledby=models-kept] li')].map((row) => row.textContent).join()`;

/** Presses a button of the page, wherever it is. @param {Driver} driver @param {string} name */
const press = (driver, name) =>
  driver.evaluate(
    `[...document.querySelectorAll('button')].find((button) => button.textContent.trim() === '${name}').click()`,
  );

/**
 * Loads a model from a hub, opens it again without the hub, and removes it. Its vocabulary is read by a script of its
 * own, which the worker loads.
 *
 * @param {Driver} driver
 */
async function keep(driver) {
  await driver.evaluate(`(location.hash = '#text=the+cat+sat&layer=0')`);
  await until(driver, `${tokens} === '[CLS] the cat sat [SEP]'`);
  await press(driver, 'Models…');
  await until(driver, `document.querySelector('#models-endpoint')`);
  await driver.evaluate(`(() => {
    document.querySelector('#models-endpoint').value = '${hub.url}';
    document.querySelector('#models-name').value = 'someone/marian';
  })()`);
  await press(driver, 'Load');
  await until(driver, `${status}.startsWith('marian') && ${tokens} === '▁the ▁ca t ▁s at </s>'`);
  await press(driver, 'Models…');
  await until(driver, `${kept}.includes('marian')`);
  hub.requests.length = 0;
  hub.faults.status = 503;
  try {
    await until(driver, `location.hash.includes('marian')`);
    await driver.evaluate(`((window.isFirstVisit = true), location.reload(), 0)`);
    await until(driver, `!window.isFirstVisit && ${status}.startsWith('marian')`);
    await until(driver, `${tokens} === '▁the ▁ca t ▁s at </s>'`);
    assert.deepEqual(hub.requests, []);
  } finally {
    hub.faults.status = 200;
  }
  await press(driver, 'Models…');
  await until(driver, `${kept}.includes('marian')`);
  await driver.evaluate(
    `document.querySelector('section[aria-labelledby=models-kept] li button:last-of-type').click()`,
  );
  await until(driver, `!${kept}.includes('marian')`);
}

for (const {engine, drive} of drivers) {
  describe(engine.name, () => {
    /** @type {Driver} */
    let driver;
    before(async () => {
      driver = await drive();
    });
    after(() => driver?.close());

    test('the page loads, follows typing and pointing, draws every view, exports, and opens a file', async () => {
      await driver.open(server.url);
      await use(driver);
      await explain(driver);
      await translate(driver);
      await drop(driver);
      await learn(driver);
    });

    test('a model is kept for the next visit, which opens it without a request, and can be removed', async () => {
      await driver.open(server.url);
      await keep(driver);
    });

    test('the offline file draws every view, exports, and opens a file, from a folder, without any request', async () => {
      await driver.open(pathToFileURL(offline).href);
      await use(driver);
      await translate(driver);
      await drop(driver);
      const asked = await driver.evaluate(
        `performance.getEntriesByType('resource').map(({name}) => name).filter((name) => !/^(data|blob):/.test(name))`,
      );
      assert.deepEqual(asked, []);
      await driver.evaluate(`(location.hash = '#/lessons/reading-heads')`);
      await until(
        driver,
        `document.body.innerText.length > 500 && !document.querySelector('#viewer:not([hidden])')`,
      );
      await learn(driver);
    });

    test('a blog post has a live view and a frozen one', async () => {
      const live = '<bert-scope text="the cat"></bert-scope>';
      await driver.open(await blog.write('live.html', live));
      await until(driver, `${tokens} === '[CLS] the cat [SEP]'`);
      const date =
        '<bert-scope src="given:dates" text="in May 1999" filter="cross" layer="1" heads="0"></bert-scope>';
      await driver.open(await blog.write('date.html', date));
      await until(driver, `${tokens} === '1 9 9 9 - 0 5 - X X </s>'`);
      await driver.open(
        await blog.write('frozen.html', `<bert-scope heads="0">${inline(snapshot)}</bert-scope>`),
      );
      await until(driver, `${tokens} === 'le chat dort'`);
      const {x, y} = await middle(driver, `${inScope('.query .token')}[0]`);
      await driver.hover(x, y);
      await until(driver, `${weights}.includes(0.75)`);
    });

    test('a frame that cannot be loaded shows its words and a link', async () => {
      const nowhere = `http://127.0.0.1:${await freePort()}/embed.html#text=a`;
      const code = frameCode(nowhere, {lines: ['le chat dort', 'layer 0'], address: nowhere});
      await driver.open(await blog.write('framed.html', code, 'data:text/javascript,'));
      await until(driver, `document.querySelector('object a').checkVisibility()`);
      assert.equal(
        await driver.evaluate(
          `document.querySelector('object').innerText.replace(/\\s+/g, ' ').trim()`,
        ),
        'le chat dort layer 0',
      );
    });

    test('on a scaled slide the pointer reads what is under it, and keys go to the deck', async () => {
      const picture = `<bert-scope controls heads="0">${inline(snapshot)}</bert-scope>`;
      await driver.open(await blog.write('slide.html', deckOf([picture, 'second'], 1.5)));
      await until(driver, `${inScope('.head-view canvas')}[0]?.style.width`);
      const {left, top, width, height} = await driver.evaluate(
        `${inScope('.head-view canvas')}[0].getBoundingClientRect().toJSON()`,
      );
      await driver.hover(left + width / 4, top + height / 4);
      await until(driver, `/le → chat.*0.750/.test(${inScope('.head-view .tooltip')}[0].textContent)`); // prettier-ignore
      await driver.type(' ');
      await until(driver, `deck.at === 1`);
    });

    test('a presentation goes through the findings by a key', async () => {
      await driver.open(`${server.url}#present=1`);
      const position = `${inScope('.presented .position')}[0]?.textContent`;
      await until(driver, `${position}.startsWith('1 of')`);
      await driver.type(' ');
      await until(driver, `${position}.startsWith('2 of')`);
    });

    test('two workers compute what one computes, on a page without special headers', async () => {
      await driver.open(`${server.url}embed.html`);
      assert.deepEqual(await driver.evaluate(twoWorkers), {isolated: false, different: 0});
    });

    test('every kernel computes the values of native builds, bit for bit', async () => {
      const {expected, compare} = await openComparison(driver, comparison.url);
      const {cases, digest} = await expected();
      const report = await compare(0, cases);
      assert.equal(report.difference, '');
      assert.equal(report.digest, digest);
      for (const {name, values} of report.sets) assert(values > 500_000, `${name}: ${values}`);
      // What the tests of the relaxed kernels emulate is all that browsers do.
      assert.notEqual(report.dot, 'unknown');
    });

    test("the plug-in's float products are those of the main module, but for rounding", async () => {
      const {compare} = await openComparison(driver, comparison.url);
      const {columns_difference} = await compare(0, 0);
      assert(columns_difference < 1e-5, `${columns_difference}`);
    });
  });
}
