/** The page asks the engine once for each text, and draws each picture once. */

import assert from 'node:assert/strict';
import {userTest, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */

/** The methods of the engine that the picture needs, other than those of the map of heads and the workbench. */
const ofPicture = ['attend', 'matrices', 'measure', 'pull'];

/** Lists the calls to the engine and the drawings from now on. @param {Page} page */
async function watchWork(page) {
  await page.evaluate(() => {
    const state = {calls: /** @type {string[]} */ ([]), drawings: 0};
    Object.assign(window, {state});
    const {postMessage} = Worker.prototype;
    Worker.prototype.postMessage = function (/** @type {[any]} */ ...message) {
      const {method, args} = message[0];
      // The guess runs the text, too, and asks for no matrices: it can be before or after the picture's last call.
      const isGuess = method === 'attend' && !args[1]?.matrices?.length;
      if (method) state.calls.push(isGuess ? 'attend for a guess' : method);
      postMessage.apply(this, message);
    };
    const root = /** @type {any} */ (document.querySelector('bert-scope')).shadowRoot;
    const view = root.querySelector('.head-view');
    const {update} = view;
    view.update = (/** @type {unknown} */ data) => {
      state.drawings++;
      update(data);
    };
  });
}

/** @param {Page} page @returns {Promise<{calls: string[], drawings: number}>} */
const workOf = (page) => page.evaluate(() => /** @type {any} */ (window).state);

/** Waits until the map of heads has the text's statistics, the last work for a text. @param {Page} page */
const waitForMap = (page) =>
  page.locator('.head-square[aria-label^="Layer 0, head 0: "]').waitFor();

userTest(
  'a letter is one call for the pass with its picture, which is drawn once',
  {fresh: true, hash: '#text=the+cat&layer=0'},
  async (page) => {
    await watchWork(page);
    await page.locator('#text').press('End');
    await page.keyboard.type('s');
    await waitForTokens(page, ['[CLS]', 'the', 'cats', '[SEP]']);
    await waitForMap(page);
    const {calls, drawings} = await workOf(page);
    assert.deepEqual(
      calls.filter((call) => ofPicture.includes(call)),
      ['attend'],
    );
    assert.equal(drawings, 1);
  },
);

userTest(
  'another layer, head, filter, view or colour runs no text, and one message brings a layer',
  {fresh: true, hash: '#text=the+cat&pair=the+dog&layer=0'},
  async (page) => {
    // The text is searched for findings first.
    await page.getByRole('button', {name: 'Next finding'}).waitFor();
    // So is what the model would guess.
    await page.locator('.guess').getByText('the model would guess').waitFor();
    await watchWork(page);
    const choices = [
      {layer: 3},
      {heads: [1, 2]},
      {filter: 'ab'},
      {words: true},
      {statistic: 'entropy'},
      {theme: 'dark'},
      {measure: 'norm'},
      {view: 'matrix'},
      {view: 'neuron'},
      {view: 'model'},
    ];
    for (const choice of choices) {
      await page.evaluate(async (choice) => {
        const scope = /** @type {any} */ (document.querySelector('bert-scope'));
        scope.choose(choice);
        await scope.updateComplete;
      }, choice);
    }
    await page.locator('.model-view').waitFor();
    const {calls} = await workOf(page);
    assert.ok(!calls.some((call) => call.startsWith('attend')), `found a pass: ${calls}`);
    assert.equal(calls[0], 'matrices');
    const pulls = calls.filter((call) => ofPicture.includes(call));
    assert.ok(pulls.length <= choices.length, `expected one message a choice, found ${pulls}`);
  },
);

userTest(
  'larger type draws the same picture again',
  {fresh: true, hash: '#text=the+cat&layer=0'},
  async (page) => {
    await watchWork(page);
    await page.evaluate(() => {
      /** @type {any} */ (document.querySelector('bert-scope')).choose({large: true});
    });
    await page.waitForFunction(() => /** @type {any} */ (window).state.drawings > 0);
  },
);
