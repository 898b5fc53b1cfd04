import assert from 'node:assert/strict';
import {openPage, server, token, userTest, waitForInput, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */

/** @param {Page} page */
const notice = (page) => page.locator('.notice');

/** Its address, once it says this. @param {Page} page @param {RegExp} pattern */
const address = (page, pattern) => page.waitForURL(pattern);

/** @param {Page} page */
const drawnTokens = (page) => page.locator('.query .piece').allTextContents();

/** What the engine makes of a text. @param {Page} page */
const engineTokens = (page) =>
  page.evaluate(() => /** @type {any} */ (document.querySelector('bert-scope')).result.tokens);

userTest(
  'the page opens on a pair of sentences, with the cursor in the first',
  {fresh: true},
  async (page) => {
    assert.equal(await page.locator('#text').inputValue(), 'time flies like an arrow');
    assert.equal(await page.locator('#pair').inputValue(), 'fruit flies like a banana');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'text');
    const status = (await page.locator('#status').textContent()) ?? '';
    assert.match(status, /MB · 6 layers × 8 heads · computed here in [\d.]+ ms$/);
  },
);

userTest(
  'what is typed is drawn, and never an empty picture in between',
  {fresh: true, hash: '#text=the+cat'},
  async (page) => {
    await page.evaluate(() => {
      const root = /** @type {any} */ (document.querySelector('bert-scope')).shadowRoot;
      const canvas = root.querySelector('canvas');
      const state = {frames: 0, blank: 0};
      const look = () => {
        state.frames++;
        const shown = canvas.isConnected && root.querySelectorAll('.query .token').length > 2;
        const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        if (!shown || !data.some((/** @type {number} */ value) => value > 0)) state.blank++;
        requestAnimationFrame(look);
      };
      Object.assign(window, {watched: state});
      look();
    });
    await page.locator('#text').press('End');
    await page.keyboard.type(' sat on the mat', {delay: 60});
    await waitForTokens(page, ['[CLS]', 'the', 'cat', 'sat', 'on', 'the', 'mat', '[SEP]']);
    const {frames, blank} = await page.evaluate(() => /** @type {any} */ (window).watched);
    assert.ok(frames > 5);
    assert.equal(blank, 0, `${blank} of ${frames} frames were empty`);
  },
);

userTest('of many texts in a row the latest wins', {hash: '#text=a'}, async (page) => {
  await page.locator('#text').fill('');
  await page.keyboard.type('she put her money in the bank of the old river', {delay: 0});
  await page.waitForFunction(() => {
    const scope = /** @type {any} */ (document.querySelector('bert-scope'));
    return scope.result?.tokens.at(-2) === 'river';
  });
  assert.deepEqual(await drawnTokens(page), await engineTokens(page));
});

userTest(
  'without a text the page says what to do, and goes on with the next one',
  {hash: '#text=hello'},
  async (page) => {
    await page.locator('#text').fill('  ');
    await page.getByText('Type a sentence').waitFor();
    // Nothing of the text before is left beside the picture.
    await page.getByRole('gridcell', {name: 'Layer 1, head 1', exact: true}).waitFor();
    assert.doesNotMatch((await page.locator('#status').textContent()) ?? '', /computed/);
    await page.locator('#text').press('Escape');
    assert.equal(await page.evaluate(() => document.activeElement), await page.evaluate(() => document.body)); // prettier-ignore
    await page.locator('#text').fill('the cat');
    await waitForTokens(page, ['[CLS]', 'the', 'cat', '[SEP]']);
  },
);

userTest('a second sentence can be added and taken away', {hash: '#text=the+cat'}, async (page) => {
  await page.getByRole('button', {name: '+ second sentence'}).click();
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'pair');
  await page.keyboard.type('the mat');
  await waitForTokens(page, ['[CLS]', 'the', 'cat', '[SEP]', 'the', 'mat', '[SEP]']);
  await page.getByRole('radio', {name: 'B→B'}).waitFor();
  await page.getByRole('button', {name: 'Remove'}).click();
  await waitForTokens(page, ['[CLS]', 'the', 'cat', '[SEP]']);
  assert.equal(await page.locator('#pair').isVisible(), false);
});

userTest('an example fills both sentences', {}, async (page) => {
  await page.getByRole('button', {name: 'mat and rug'}).click();
  assert.equal(await page.locator('#pair').inputValue(), 'the cat lay on the rug');
  await page.waitForFunction(() => {
    const scope = /** @type {any} */ (document.querySelector('bert-scope'));
    return scope.result.tokens.includes('mat');
  });
  await page.getByRole('button', {name: 'what was too tired?'}).click();
  assert.equal(await page.locator('#pair').isVisible(), false);
  await address(page, /text=The\+animal/);
  await page.locator('.reading', {hasText: /^it attends \d+\s% to animal, /}).waitFor();
  await page.getByRole('button', {name: 'two banks'}).click();
  await page.locator('.reading', {hasText: /^bank \(A\) attends \d+\s% to river, /}).waitFor();
  await page.getByRole('button', {name: 'mat and rug'}).click();
  await page.locator('.reading', {hasText: /^mat attends \d+\s% to rug, /}).waitFor();
  await page.getByRole('button', {name: 'flies and flies'}).click();
  await page.locator('.reading', {hasText: /^flies \(A\) attends \d+\s% to flies \(B\)/}).waitFor(); // prettier-ignore
});

userTest(
  'the address carries the whole state, and a reload shows the same',
  {hash: '#text=the+cat+sat&pair=the+mat'},
  async (page) => {
    await page.getByRole('radio', {name: '3'}).check();
    await page.locator('.square').nth(2).dblclick();
    await page.locator('.square').nth(5).click();
    await page.getByRole('radio', {name: 'A→B'}).check();
    await token(page, 'query', 2).click();
    await page.locator('#theme').selectOption('dark');
    await address(
      page,
      /#text=the\+cat\+sat&pair=the\+mat&view=head&layer=3&heads=2\.5&filter=ab&token=q2&theme=dark$/,
    );
    const state = () =>
      page.evaluate(() => {
        const scope = /** @type {any} */ (document.querySelector('bert-scope'));
        const root = scope.shadowRoot;
        return {
          selection: scope.selection,
          tokens: scope.result.tokens,
          values: [...root.querySelectorAll('.value')].map((value) => value.textContent),
          background: getComputedStyle(document.documentElement).backgroundColor,
        };
      });
    const before = await state();
    assert.deepEqual(before.selection.heads, [2, 5]);
    await page.reload();
    await page.waitForFunction(
      () => performance.getEntriesByName('bertscope:first-attention').length,
    );
    assert.deepEqual(await state(), before);
  },
);

userTest(
  'back and forward go through what was chosen',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    await page.getByRole('radio', {name: '2'}).check();
    await page.getByRole('button', {name: 'mat and rug'}).click();
    await address(page, /text=the\+cat\+sat/);
    await page.goBack();
    await waitForInput(page, '#text', 'the cat');
    await waitForTokens(page, ['[CLS]', 'the', 'cat', '[SEP]']);
    assert.ok(await page.getByRole('radio', {name: '2'}).isChecked());
    await page.goBack();
    await page.waitForFunction(
      () => /** @type {any} */ (document.querySelector('bert-scope')).selection.layer === 0,
    );
    await page.goForward();
    await page.goForward();
    await waitForInput(page, '#text', 'the cat sat on the mat');
  },
);

userTest(
  'typing ten characters a second at 32 tokens shifts nothing and loses nothing',
  {fresh: true, hash: `#text=${'the+cat+sat+on+a+mat+'.repeat(4)}the+cat+sat+on+a`},
  async (page) => {
    await page.evaluate(() => {
      const root = /** @type {any} */ (document.querySelector('bert-scope')).shadowRoot;
      const state = {shift: 0, places: new Set()};
      new PerformanceObserver((list) => {
        for (const entry of /** @type {any[]} */ (list.getEntries())) {
          if (!entry.hadRecentInput) state.shift += entry.value;
        }
      }).observe({type: 'layout-shift'});
      const look = () => {
        const {left, top, width} = root.querySelector('.query .token').getBoundingClientRect();
        state.places.add(`${left} ${top} ${width}`);
        requestAnimationFrame(look);
      };
      look();
      Object.assign(window, {watched: state});
    });
    await page.locator('#text').press('End');
    await page.keyboard.type(' mat by the sea', {delay: 100});
    await page.waitForFunction(
      () =>
        /** @type {any} */ (document.querySelector('bert-scope')).result.tokens.at(-2) === 'sea',
    );
    assert.match(await page.locator('#text').inputValue(), /on a mat by the sea$/);
    assert.deepEqual(await drawnTokens(page), await engineTokens(page));
    const {shift, places} = await page.evaluate(() => {
      const {shift, places} = /** @type {any} */ (window).watched;
      return {shift, places: [...places]};
    });
    assert.equal(shift, 0);
    assert.equal(places.length, 1, `the first token stood at ${places.join(', ')}`);
  },
);

userTest('the first picture shows one head with strong lines', {}, async (page) => {
  const strong = await page.evaluate(() => {
    const root = /** @type {any} */ (document.querySelector('bert-scope')).shadowRoot;
    const canvas = root.querySelector('.lines canvas');
    const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 3; i < data.length; i += 4) count += Number(data[i] > 100);
    return count / (data.length / 4);
  });
  assert.ok(strong > 0.005, `${strong} of the picture is dark`);
});

userTest(
  'a text that does not fit says how much was cut',
  {hash: '#text=the+cat'},
  async (page) => {
    assert.equal(await notice(page).count(), 0);
    await page.locator('#text').fill('the cat sat '.repeat(100));
    await notice(page).waitFor();
    assert.equal(
      await notice(page).textContent(),
      'Only the first 256 tokens fit this model: 46 were cut.',
    );
    await page.getByRole('button', {name: '+ second sentence'}).click();
    await page.keyboard.type('the');
    await notice(page).filter({hasText: '48 were cut, longest sentence first.'}).waitFor();
    await page.getByRole('button', {name: 'Remove'}).click();
    await page.locator('#text').fill('the cat');
    await notice(page).waitFor({state: 'detached'});
  },
);

userTest('while the model loads a bar shows how far it is', {open: false}, async (page) => {
  let release = () => {};
  server.faults.gate = new Promise((resolve) => (release = () => resolve(undefined)));
  try {
    await page.goto(server.url);
    await page.getByText(/^[0-3]\.\d of 7\.5 MB$/).waitFor();
    assert.ok(await page.getByRole('progressbar', {name: 'Loading the model'}).isVisible());
  } finally {
    release();
    server.faults.gate = Promise.resolve();
  }
  await token(page, 'query', 1).waitFor();
});

userTest(
  'a model that does not come is said to, and can be tried again',
  {open: false, errors: /404/},
  async (page) => {
    server.faults.missingModel = true;
    try {
      await page.goto(server.url);
      await page.getByRole('alert').filter({hasText: 'could not be loaded'}).waitFor();
    } finally {
      server.faults.missingModel = false;
    }
    await page.getByRole('button', {name: 'Try again'}).click();
    await token(page, 'query', 1).waitFor();
  },
);

userTest('a browser without WebAssembly SIMD is told so', {open: false}, async (page) => {
  server.faults.workerPrelude = 'WebAssembly.validate = () => false;\n';
  try {
    await page.goto(server.url);
    await page.getByRole('alert').filter({hasText: 'lacks WebAssembly SIMD'}).waitFor();
  } finally {
    server.faults.workerPrelude = '';
  }
});

userTest(
  'an address with an unknown view opens the head view; an element names it',
  {hash: '#text=a&view=spiral'},
  async (page) => {
    await page.locator('.head-view').waitFor();
    await page.evaluate(() => document.querySelector('bert-scope')?.setAttribute('view', 'spiral'));
    await page.getByText('no view called “spiral”').waitFor();
  },
);

userTest(
  'a filter leaves the address with the sentence it filtered',
  {hash: '#text=the+cat&pair=the+mat&filter=ab'},
  async (page) => {
    await page.getByRole('button', {name: 'Remove'}).click();
    await waitForTokens(page, ['[CLS]', 'the', 'cat', '[SEP]']);
    await address(page, /#text=the\+cat&view=head&layer=0$/);
  },
);

userTest(
  'the theme follows the system until one is chosen',
  {fresh: true, colorScheme: 'dark'},
  async (page) => {
    const background = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const dark = await background();
    await page.locator('#theme').selectOption('light');
    const light = await background();
    assert.notEqual(light, dark);
    await page.emulateMedia({colorScheme: 'light'});
    await page.locator('#theme').selectOption('dark');
    assert.equal(await background(), dark);
    await page.locator('#theme').selectOption('auto');
    assert.equal(await background(), light);
  },
);

userTest(
  'several elements share one engine and one model',
  {fresh: true, hash: '#text=the+cat'},
  async (page) => {
    const tokens = await page.evaluate(async () => {
      const [first] = /** @type {any} */ (document.querySelectorAll('bert-scope'));
      const second = /** @type {any} */ (document.createElement('bert-scope'));
      second.setAttribute('text', 'the mat');
      second.setAttribute('heads', '1');
      const ready = new Promise((resolve) => second.addEventListener('result', resolve));
      document.body.append(second);
      await ready;
      // The first asks for a layer it has not fetched, after the model has seen another text.
      first.layer = 5;
      await first.updateComplete;
      const models = performance
        .getEntriesByType('resource')
        .filter(({name}) => /worker/.test(name)).length;
      return {first: first.result.tokens, second: second.result.tokens, workers: models};
    });
    assert.deepEqual(tokens.first, ['[CLS]', 'the', 'cat', '[SEP]']);
    assert.deepEqual(tokens.second, ['[CLS]', 'the', 'mat', '[SEP]']);
    assert.equal(tokens.workers, 1);
    assert.equal(await page.locator('.head-view').count(), 2);
  },
);

userTest(
  'a layer chosen just as the first picture arrives is drawn',
  {fresh: true, hash: '#text=the+cat'},
  async (page) => {
    await page.evaluate(() => {
      const scope = /** @type {any} */ (document.createElement('bert-scope'));
      scope.text = 'the mat';
      scope.addEventListener('result', () => (scope.layer = 4), {once: true});
      document.querySelector('bert-scope')?.replaceWith(scope);
    });
    await waitForTokens(page, ['[CLS]', 'the', 'mat', '[SEP]']);
  },
);

userTest(
  'attributes that make no sense are taken for the nearest that do',
  {hash: '#text=the+cat'},
  async (page) => {
    await page.evaluate(() => {
      const scope = document.querySelector('bert-scope');
      scope?.setAttribute('layer', 'x');
      scope?.setAttribute('heads', '-1.99.x');
      scope?.setAttribute('filter', 'zz');
    });
    const selection = await page.evaluate(
      () => /** @type {any} */ (document.querySelector('bert-scope')).selection,
    );
    assert.deepEqual(selection, {
      layer: 0,
      heads: [0, 1, 2, 3, 4, 5, 6, 7],
      filter: 'all',
      token: null,
    });
  },
);

userTest('a saved snapshot is drawn without a model', {hash: '#text=the+cat'}, async (page) => {
  const frozen = {
    tokens: ['le', 'chat'],
    token_type_ids: [0, 0],
    attentions: [[[[0.25, 0.75], [1, 0]]]], // prettier-ignore
  };
  await page.route('**/frozen.json', (route) => route.fulfill({json: frozen}));
  await page.evaluate(() =>
    document.querySelector('bert-scope')?.setAttribute('src', 'frozen.json'),
  );
  await waitForTokens(page, frozen.tokens);
  await token(page, 'query', 0).hover();
  await page.locator('.key .value', {hasText: '0.750'}).waitFor();
});

userTest(
  'odd texts are drawn as they are: emoji, right to left, one very long word',
  {hash: '#text=a'},
  async (page) => {
    const long = 'a'.repeat(300);
    for (const text of ['שלום עולם', '😀 👩‍🚀', long, '[MASK] <b>&amp;</b>']) {
      await page.locator('#text').fill(text);
      await page.waitForFunction((text) => {
        const scope = /** @type {any} */ (document.querySelector('bert-scope'));
        const pieces = [...scope.shadowRoot.querySelectorAll('.query .piece')];
        const shown = pieces.map((piece) => piece.textContent).join();
        return scope.text === text && shown === scope.result?.tokens.join();
      }, text);
    }
    // The loop may have seen the text before: its tokens and its result agree as well.
    await page.locator('.query .piece', {hasText: '[MASK]'}).first().waitFor();
  },
);

userTest(
  'nothing overflows at 390 × 844',
  {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true},
  async (page) => {
    const text = 'Donaudampfschifffahrtsgesellschaftskapitän '.repeat(30);
    await openPage(page, `#text=${encodeURIComponent(text)}&pair=b&heads=3`);
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.equal(widths[0], 390);
    assert.equal(widths[1], 390);
    const tops = (/** @type {string} */ selector) =>
      page
        .locator(selector)
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    for (const large of [false, true]) {
      await page.evaluate(async (large) => {
        const scope = /** @type {any} */ (document.querySelector('bert-scope'));
        scope.choose({large});
        await scope.updateComplete;
      }, large);
      assert.equal(new Set(await tops('.views .segment')).size, 1);
      assert.equal(new Set(await tops('.group .square, .group .all')).size, 1);
    }
  },
);

userTest('after a crash of the engine a new one draws the text', {open: false}, async (page) => {
  await page.addInitScript(() => {
    const {Worker} = window;
    window.Worker = class extends Worker {
      /** @param {string | URL} url @param {WorkerOptions} [options] */
      constructor(url, options) {
        super(url, options);
        Object.assign(window, {lastWorker: this});
      }
    };
  });
  await openPage(page, '#text=the+cat');
  await page.evaluate(() => {
    const {lastWorker} = /** @type {any} */ (window);
    lastWorker.dispatchEvent(new ErrorEvent('error', {message: 'out of memory'}));
  });
  await page.locator('#text').fill('the mat');
  await page.getByText('out of memory').waitFor();
  await page.getByRole('button', {name: 'Try again'}).click();
  await waitForTokens(page, ['[CLS]', 'the', 'mat', '[SEP]']);
});

userTest(
  'an address that names what the model has not is mended, and the reader told once',
  {hash: '#text=the+cat&layer=99&heads=77&off=9.9&only-layers=1.44'},
  async (page) => {
    const told = page.getByText('(layer=99, heads=77, only-layers=44, off=9.9)');
    await told.waitFor();
    await page.getByText('It has 6 layers of 8 heads, both counted from 0.').waitFor();
    await page.waitForFunction(() => /layer=5&only-layers=1&off=9.9$/.test(location.hash));
    assert.equal(await page.getByRole('button', {name: 'Undo all changes'}).count(), 0);
    await page.locator('#text').fill('the mat');
    await waitForTokens(page, ['[CLS]', 'the', 'mat', '[SEP]']);
    await told.waitFor({state: 'hidden'});
    await page.goBack();
    await page.evaluate(() => (location.hash = '#text=a+dog&layer=0&heads=1.9'));
    await page.getByText('(heads=9)').waitFor();
    await page.waitForURL(/layer=0&heads=1$/);
  },
);

userTest(
  'what cannot be loaded is said above the picture',
  {open: false, errors: /Failed to load resource|ERR_FAILED/},
  async (page) => {
    await page.route(/\/assets\/(bert-workbench|export-dialog)-[^/]*\.js$/, (route) =>
      route.abort(),
    );
    await openPage(page);
    await notice(page).filter({hasText: 'The workbench could not be loaded.'}).waitFor();
    await page.getByRole('button', {name: 'Export'}).click();
    await notice(page).filter({hasText: 'That did not work: '}).waitFor();
  },
);
