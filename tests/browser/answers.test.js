/** Tests the questions of lessons: a student predicts, and hands in a link that the teacher opens. */

import assert from 'node:assert/strict';
import {assertAccessible} from './axe.js';
import {eventually} from '../support/eventually.js';
import {blank} from '../../web/lessons/example-sentences.js';
import {embedded} from '../support/embedded-model.js';
import {computed, firstGuess, goTo, headIn, neededWord, tabTo, verdict} from './lesson-rows.js';
import {openTab, server, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

const lesson = 'guess-the-word';

/** The words of a sentence that a step offers as predictions. @param {string} text @returns {string[]} */
const wordsOf = (text) => text.match(/(?<!\[)\b\p{L}+\b/gu) ?? [];

/** A prediction that is not right. @param {string} text @param {string} needed */
const wrongWord = (text, needed) =>
  wordsOf(text).find((word) => word.toLowerCase() !== needed.toLowerCase()) ?? assert.fail(text);

/** @param {Page} page @param {string} word */
const predict = (page, word) =>
  page.locator('.predictions').getByRole('button', {name: word, exact: true}).click();

userTest(
  'a student answers a lesson with the keyboard alone and copies a link that holds the answers',
  {open: false, permissions: ['clipboard-read', 'clipboard-write']},
  async (page) => {
    await page.goto(`${server.url}#/lessons/${lesson}/missing`);
    await computed(page, `${lesson}/missing`);
    // The focus is at the heading of the step, and the first choice is not far.
    const needed = await neededWord(page, blank);
    const wrong = wrongWord(blank, needed);
    await tabTo(page, `.predictions button:nth-of-type(${wordsOf(blank).indexOf(wrong) + 1})`);
    await page.keyboard.press('Enter');
    await verdict(page, new RegExp(`Not quite. You said: ${wrong} · Found: ${needed}`));
    await assertAccessible(page);
    // The focus is at the answer, so Space goes on.
    await page.keyboard.press('Space');
    await computed(page, `${lesson}/looking`);
    await page.keyboard.press('Space');
    await computed(page, `${lesson}/without`);
    const {layer} = headIn(await page.locator('.widget .controls legend').textContent());
    const off = Array.from({length: embedded.heads}, (_, head) => ({layer, head}));
    const [first, now] = [await firstGuess(page, blank), await firstGuess(page, blank, off)];
    const isSame = first.token === now.token;
    await tabTo(page, `.predictions button:nth-of-type(${isSame ? 1 : 2})`);
    await page.keyboard.press('Space');
    await verdict(page, isSame ? /Right: yes, the same word/ : /Right: no, another word/);
    await page.keyboard.press('ArrowRight');
    await computed(page, `${lesson}/swapped`);
    await tabTo(page, '.predictions input');
    await page.keyboard.type('no, & it "guesses" <b>');
    await page.keyboard.press('Enter');
    await verdict(page, /You said: no, & it "guesses" <b>$/);

    await page.getByRole('button', {name: 'My answers (3)'}).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your name').fill('Ana María');
    await assertAccessible(page);
    await dialog.getByRole('button', {name: 'Copy link with my answers'}).click();
    await dialog.locator('button[data-said=Copied]').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const fields = new URLSearchParams(link.split('?').at(-1));
    assert.deepEqual(Object.fromEntries(fields), {
      name: 'Ana María',
      'a-missing': `${wrong}.w`,
      'a-without': isSame ? 'same.r' : 'other.r',
      'a-swapped': 'no, & it "guesses" <b>.o',
    });
    await page.keyboard.press('Escape');

    // Back and a reload show the answers, and no address of a step tells them to others.
    await page.goBack();
    await computed(page, `${lesson}/without`);
    await verdict(page, /Right/);
    await page.reload();
    await verdict(page, /Right/);
    await page.getByRole('button', {name: 'My answers (3)'}).waitFor();
    assert.doesNotMatch(page.url(), /[?&](name|a-)/);
    assert.equal(await page.locator('a[href*="a-missing"], a[href*="name="]').count(), 0);
    const {page: fresh} = await openTab();
    await fresh.goto(page.url());
    await computed(fresh, `${lesson}/without`);
    assert.equal(await fresh.getByRole('button', {name: /My answers/}).count(), 0);
    const other = await page.context().newPage();
    await other.goto(link);
    await verdict(other, /guesses/);
    await other.reload();
    await verdict(other, /guesses/);
    await other.getByRole('button', {name: 'My answers (3)'}).waitFor();
  },
);

userTest(
  'a student hands in the answers of two lessons by one link, and the list of the class shows both',
  {open: false, permissions: ['clipboard-read', 'clipboard-write']},
  async (page) => {
    await page.goto(`${server.url}#/lessons/${lesson}/missing`);
    await computed(page, `${lesson}/missing`);
    const needed = await neededWord(page, blank);
    await predict(page, needed);
    await verdict(page, new RegExp(`Right: ${needed}`));
    await goTo(page, 'does-it-matter/without');
    await page.locator('.predictions button').first().click();
    await page.getByRole('button', {name: 'My answers (1)'}).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('You also have answers in: A word is missing (1)').waitFor();
    await dialog.getByLabel('Your name').fill('Ana');
    await assertAccessible(page);
    await dialog.getByRole('button', {name: 'Copy link with all my answers'}).click();
    await dialog.locator('button[data-said=Copied]').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await dialog.getByRole('button', {name: 'Copy link of this lesson alone'}).waitFor();

    const {page: teacher} = await openTab();
    await teacher.goto(link);
    const lists = teacher.locator('.class-list');
    await lists.nth(1).waitFor();
    assert.deepEqual(await lists.locator('h3').allInnerTexts(), [
      'A word is missing',
      'Does it matter?',
    ]);
    assert.deepEqual(await lists.locator('tbody th').allInnerTexts(), ['Ana', 'Ana']);
    assert.match(teacher.url(), /#\/lessons\/answers$/);
    // Another link is added to those that are there.
    await teacher.goto(`${server.url}#/lessons/answers?name=Bo&a-${lesson}.missing=girl.r`);
    await teacher.locator('.class-list th', {hasText: 'Bo'}).waitFor();
    assert.equal(await lists.locator('tbody th').count(), 3);
    // So is one that is the beginning of another.
    const short = `${server.url}#/lessons/answers?a-${lesson}.missing=girl.r`;
    for (const address of [`${short}&a-${lesson}.looking=one.w`, short]) {
      const field = teacher.locator('.links textarea');
      await teacher.goto(address);
      await eventually('the link', async () =>
        assert.equal((await field.inputValue()).split('\n').at(-1), address),
      );
    }
    assert.equal(await lists.locator('tbody th').count(), 5);
  },
);

userTest(
  'without a clipboard, as over plain HTTP, the link is copied all the same, or shown to be copied by hand',
  {open: false, permissions: ['clipboard-read', 'clipboard-write']},
  async (page) => {
    await page.addInitScript(() => {
      const {clipboard} = navigator;
      Object.assign(window, {readCopied: () => clipboard.readText()});
      Object.defineProperty(navigator, 'clipboard', {value: undefined});
    });
    const at = 'guess-the-word/missing';
    await page.goto(`${server.url}#/lessons/${at}`);
    await computed(page, at);
    const needed = await neededWord(page, blank);
    await predict(page, wrongWord(blank, needed));
    // Before the model has answered, the link holds what is only said.
    await verdict(page, new RegExp(`Found: ${needed}`));
    await page.getByRole('button', {name: /^My answers/}).click();
    const copy = page.getByRole('button', {name: 'Copy link with my answers'});
    await copy.click();
    await page.locator('[data-said="Copied"]').waitFor();
    const copied = await page.evaluate(() => /** @type {any} */ (window).readCopied());
    assert.match(copied, /a-missing=/);
    await page.evaluate(() => (document.execCommand = () => false));
    await copy.click();
    const link = page.getByRole('textbox', {name: 'Copy link with my answers'});
    await link.waitFor();
    assert.equal(await link.inputValue(), copied);
    assert.equal(await page.evaluate(() => String(getSelection())), copied);
  },
);

userTest(
  'an answer follows the sentence, and the question can be asked again or passed over',
  {open: false},
  async (page) => {
    await page.goto(`${server.url}#/lessons/${lesson}/missing`);
    await computed(page, `${lesson}/missing`);
    await page.getByRole('button', {name: 'Show the answer'}).click();
    const own = 'The cat sat on the [MASK] and my aunt slept.';
    const [ofBlank, ofOwn] = [await neededWord(page, blank), await neededWord(page, own)];
    const wrong = wrongWord(own, ofOwn);
    await verdict(page, new RegExp(`^\\s*Found: ${ofBlank}\\s*$`));
    assert.equal(await page.getByRole('button', {name: /My answers/}).count(), 0);
    const sentence = page.getByLabel(/Sentence: change it/);
    await sentence.fill(own);
    await verdict(page, new RegExp(`^\\s*Found: ${ofOwn}\\s*$`));
    await page.getByRole('button', {name: 'Your prediction'}).click();
    await predict(page, wrong);
    await verdict(page, new RegExp(`You said: ${wrong} · Found: ${ofOwn}`));
    await page.getByRole('button', {name: 'Predict again'}).click();
    await predict(page, ofOwn);
    await verdict(page, new RegExp(`Right: ${ofOwn}`));
    // About another sentence, what was said is neither right nor wrong; the answer that counts stays.
    await sentence.fill(blank);
    const apart = new RegExp(`^\\s*You said: ${ofOwn} · Found: ${ofBlank}\\s*$`);
    await verdict(page, apart);
    assert.equal(await page.locator('.verdict.right, .verdict.wrong').count(), 0);
    await page.waitForURL((url) => !url.hash.includes('text='));
    await page.reload();
    await verdict(page, apart);
    assert.equal(await page.locator('.verdict.right, .verdict.wrong').count(), 0);

    // An answer that takes its time is not waited for by the lesson.
    const isSame = await hasSameMethod(page);
    const [said, found] = isSame
      ? ['no, another one', 'yes, the same']
      : ['yes, the same', 'no, another one'];
    await page.getByRole('button', {name: said}).click();
    await verdict(page, new RegExp(`^\\s*You said: ${said} …\\s*$`));
    await page.keyboard.press('Space');
    await computed(page, 'does-it-matter/deciding');
    await page.keyboard.press('ArrowLeft');
    await verdict(page, new RegExp(`Not quite. You said: ${said} · Found: ${found}`));

    // A head has three layers from the hidden states to its vectors, with biases.
    const {hidden, headWidth} = embedded;
    const parameters = (3 * (hidden + 1) * headWidth).toLocaleString('en');
    await goTo(page, 'encoder-by-hand/attention-head');
    await page.getByPlaceholder('Your prediction').fill(parameters);
    await page.keyboard.press('Enter');
    await verdict(page, new RegExp(`Right: ${parameters}`));
  },
);

/**
 * Goes to the step that tests methods by masking, and reads whether the longest bar is that of the same method with
 * “boy” in place of the word that the guess needs.
 *
 * @param {Page} page
 */
async function hasSameMethod(page) {
  const finding = page.locator('.widget .finding');
  await goTo(page, `${lesson}/looking`);
  const [, word] = /to “(\p{L}+)”/u.exec((await finding.textContent()) ?? '') ?? assert.fail();
  await goTo(page, 'does-it-matter/masking');
  const longest = page.locator('.widget .bars tbody th').first();
  const [method, before] = [await longest.textContent(), await finding.textContent()];
  const sentence = page.getByLabel(/Sentence: change it/);
  await sentence.fill(blank.replace(word, 'boy'));
  await eventually('the guess of the other sentence', async () =>
    assert.notEqual(await finding.textContent(), before),
  );
  const isSame = (await longest.textContent()) === method;
  await sentence.fill(blank);
  await eventually('the guess of the sentence', async () =>
    assert.equal(await finding.textContent(), before),
  );
  return isSame;
}

userTest(
  'in Chinese, the lessons that have answers are listed with a Chinese comma',
  {open: false},
  async (page) => {
    await page.goto(`${server.url}?lang=zh#/lessons/${lesson}/missing`);
    for (const step of [`${lesson}/missing`, 'does-it-matter/resting', 'reading-heads/ids']) {
      await page.evaluate((to) => (location.hash = `#/lessons/${to}`), step);
      await page.locator('.predictions .uncompared').waitFor();
      const choice = page.locator('.predictions button:not(.uncompared)').first();
      const field = page.locator('.predictions input');
      if (await field.count()) await field.fill('7');
      await choice.click();
      await page.locator('.question .verdict').waitFor();
    }
    await page.getByRole('button', {name: '我的回答'}).click();
    await page
      .getByRole('dialog')
      .getByText(/（1）、.*（1）/)
      .waitFor();
  },
);

userTest(
  'a choice that is not compared yet is not called own words',
  {open: false},
  async (page) => {
    await page.goto(`${server.url}#/lessons/does-it-matter/resting?a-masking=same.o`);
    await page.getByRole('button', {name: 'My answers (1)'}).click();
    const said = page.locator('.said .verdict');
    await said.filter({hasText: 'yes, the same'}).filter({hasText: 'not compared'}).waitFor();
  },
);

userTest(
  'a lesson that switches a head off tells the guess with the head while it is on',
  {open: false},
  async (page) => {
    await page.goto(`${server.url}#/lessons/guess-the-word/without`);
    await computed(page, 'guess-the-word/without');
    const head = headIn(await page.locator('.widget .controls legend').textContent());
    const first = await firstGuess(page, blank);
    const now = await firstGuess(page, blank, [head]);
    const [before, after] = [first, now].map(
      ({probability}) => `${(probability * 100).toFixed(0)}%`,
    );
    const change =
      now.token === first.token
        ? `Still “${first.token}”, but ${before} has become ${after}.`
        : `“${first.token}” (${before}) has become “${now.token}” (${after}).`;
    await page.locator('.finding', {hasText: change}).waitFor();
    await page.getByRole('radio', {name: 'on', exact: true}).check();
    const withHead = `With the head: “${first.token}”, ${before}.`;
    await page.locator('.finding', {hasText: withHead}).waitFor();
  },
);

userTest('bars below 0 point the other way, from the same line', {open: false}, async (page) => {
  await page.goto(`${server.url}#/lessons/does-it-matter/contributions`);
  await computed(page, 'does-it-matter/contributions');
  const ends = await page.locator('table.bars').first().locator('.length span').evaluateAll((all) =>
      all.map((each) => {
        const {left, right} = each.getBoundingClientRect();
        return each.classList.contains('minus') ? {below: right} : {above: left};
      }),
    ); // prettier-ignore
  const below = ends.flatMap((end) => end.below ?? []);
  const above = ends.flatMap((end) => end.above ?? []);
  assert.ok(below.length > 0 && above.length > 0);
  assert.ok(Math.max(...below) <= Math.min(...above) + 2, `${below} ${above}`);
});

userTest(
  'a lesson about guessed words says that a model guesses none, and has a button back',
  {open: false},
  async (page) => {
    await page.goto(`${server.url}#/lessons/does-it-matter/masking?model=given:dates`);
    const said = page.getByRole('alert').filter({hasText: 'needs a model that guesses words'});
    await said.waitFor();
    await said.getByRole('button', {name: 'Use the small teaching model'}).click();
    await computed(page, 'does-it-matter/masking');
    await page.getByText('Before anything is masked, “she” has').waitFor();
    await page.waitForURL((url) => !url.hash.includes('model='));
  },
);

userTest(
  'a sentence without a blank gets a hint in place of picture and prediction, and the lesson goes on',
  {open: false},
  async (page) => {
    await page.goto(`${server.url}#/lessons/does-it-matter/resting?text=There+is+none`);
    const hint = 'Write [MASK] in the sentence, in place of a word.';
    await page.locator('.widget', {hasText: hint}).waitFor();
    await computed(page, 'does-it-matter/resting');
    await page.getByRole('button', {name: 'no other'}).and(page.locator(':disabled')).waitFor();
    await page.getByRole('button', {name: 'Show the answer'}).click();
    await page.locator('.explained', {hasText: 'Its weights must sum to 1'}).waitFor();
    await page.keyboard.press('Space');
    await computed(page, 'does-it-matter/without');
  },
);
