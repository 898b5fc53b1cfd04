/**
 * Tests the package of lessons in a learning platform, whose API is our own strict one, or the one that the file in
 * `SCORM_API` defines.
 */

import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {copyFile, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {after, before} from 'node:test';
import {fileURLToPath} from 'node:url';
import {unzipSync} from 'fflate';
import {lessons} from '../../web/lessons/index.js';
import {eventually} from '../support/eventually.js';
import {serve} from './server.js';
import {userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));
const zip = path('../../dist/scorm/bertscope-lessons.zip');
const api = process.env.SCORM_API ?? path('../support/scorm-api.js');

/** What a platform's page is around a lesson. It records what the lesson asks of the API, and which calls fail. */
const platform = `<!doctype html>
<html lang="en">
<title>A learning platform</title>
<link rel="icon" href="data:,">
<script src="api.js"></script>
<script>
const calls = [];
for (const name of ['LMSInitialize', 'LMSFinish', 'LMSGetValue', 'LMSSetValue', 'LMSCommit']) {
  const call = API[name].bind(API);
  API[name] = (...given) => {
    const answer = call(...given);
    calls.push([name, ...given, API.LMSGetLastError()]);
    sessionStorage.setItem('calls', JSON.stringify(calls));
    return answer;
  };
}
onload = () => document.querySelector('iframe').src = location.search.slice(1);
</script>
<iframe title="A lesson" style="position: fixed; width: 100%; height: 100%; inset: 0"></iframe>
</html>`;

/** @type {string} */
let folder;
/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
  if (!existsSync(zip)) throw new Error(`${zip} is missing: run npm run build first`);
  folder = await mkdtemp(join(tmpdir(), 'bertscope-scorm-'));
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(zip)))) {
    await mkdir(dirname(join(folder, name)), {recursive: true});
    await writeFile(join(folder, name), bytes);
  }
  await copyFile(api, join(folder, 'api.js'));
  await writeFile(join(folder, 'platform.html'), platform);
  server = await serve(folder);
});

after(async () => {
  server?.close();
  if (folder) await rm(folder, {recursive: true});
});

/** The lesson, in the frame of its launcher, in the frame of the platform. @param {Page} page */
const lessonIn = (page) => page.frameLocator('iframe').frameLocator('iframe');

/** @param {Page} page @returns {Promise<string[][]>} */
const callsOf = (page) => page.evaluate(() => JSON.parse(sessionStorage.getItem('calls') ?? '[]'));

/**
 * Waits until the platform was told a value last.
 *
 * @param {Page} page
 * @param {string} element
 * @param {string} value
 */
const told = (page, element, value) =>
  eventually(`${element} to be ${value}`, async () => {
    const values = (await callsOf(page)).filter(
      ([name, of]) => name === 'LMSSetValue' && of === element,
    );
    assert.equal(values.at(-1)?.[2], value);
  });

/** @param {Page} page */
const failedCalls = async (page) => (await callsOf(page)).filter((call) => call.at(-1) !== '0');

userTest(
  'a lesson runs in a learning platform, which learns progress and score, and goes on where the student was',
  {open: false},
  async (page) => {
    const [{id, steps}] = lessons;
    await page.goto(`${server.url}platform.html?${id}.html`);
    const lesson = lessonIn(page);
    await lesson.locator('.time', {hasText: /computed in/}).waitFor();
    await told(page, 'cmi.core.lesson_status', 'incomplete');
    await told(page, 'cmi.core.lesson_location', steps[0].id);
    await told(page, 'cmi.core.score.raw', '0');
    // Nothing in the lesson leads out of the activity.
    const links = await lesson
      .locator('a:visible')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''));
    for (const href of links) assert.match(href, new RegExp(`#/lessons/${id}/`));
    await lesson.getByRole('button', {name: 'girl', exact: true}).click();
    await told(page, 'cmi.core.score.raw', '33');
    await lesson.locator('.verdict', {hasText: 'Right: girl'}).waitFor();
    // The lesson has the focus, so keys lead on without a click.
    for (const step of steps.slice(1)) {
      await page.keyboard.press('ArrowRight');
      await told(page, 'cmi.core.lesson_location', step.id);
    }
    await page.keyboard.press('ArrowRight');
    assert(await lesson.getByRole('button', {name: 'Next'}).isDisabled());
    await lesson.getByPlaceholder('What do you think?').fill('猜'.repeat(500));
    await page.keyboard.press('Enter');
    await lesson.getByRole('button', {name: 'My answers (2)'}).waitFor();
    // Every step was seen; two questions have no answer yet.
    await told(page, 'cmi.core.lesson_status', 'incomplete');
    for (const step of [steps[2], steps[1]]) {
      await page.keyboard.press('ArrowLeft');
      await told(page, 'cmi.core.lesson_location', step.id);
      await lesson.locator('.predictions button').first().click();
    }
    await told(page, 'cmi.core.lesson_status', 'completed');
    for (const step of steps.slice(2)) {
      await page.keyboard.press('ArrowRight');
      await told(page, 'cmi.core.lesson_location', step.id);
    }
    await eventually('the answer to be kept', async () => {
      const kept = (await callsOf(page)).findLast(([, of]) => of === 'cmi.suspend_data')?.[2] ?? '';
      assert(kept.includes('猜'.repeat(120)) && kept.length < 1000, kept);
    });
    assert.deepEqual(await failedCalls(page), []);

    await page.reload();
    await lesson.locator('h2', {hasText: steps[3].title}).waitFor();
    await lesson.getByRole('button', {name: 'My answers (4)'}).waitFor();
    await lesson.getByRole('button', {name: 'Back'}).click();
    await told(page, 'cmi.core.lesson_location', steps[2].id);
    const statuses = (await callsOf(page)).filter(([, of]) => of === 'cmi.core.lesson_status');
    assert(!statuses.some(([, , status]) => status === 'incomplete'), 'a lesson stays completed');

    await page.locator('iframe').evaluate((frame) => frame.remove());
    await eventually('the session to end', async () => {
      const calls = await callsOf(page);
      assert.equal(calls.at(-1)?.[0], 'LMSFinish');
      assert.match(
        calls.find(([, of]) => of === 'cmi.core.session_time')?.[2] ?? '',
        /^\d{4}:\d\d:\d\d$/,
      );
    });
    assert.deepEqual(await failedCalls(page), []);
  },
);

userTest('a lesson of the package runs where there is no platform', {open: false}, async (page) => {
  const {id, steps} = lessons[lessons.length - 1];
  await page.goto(`${server.url}${id}.html`);
  const lesson = page.frameLocator('iframe');
  await lesson.locator('h2', {hasText: steps[0].title}).waitFor();
  await lesson.locator('.time', {hasText: /computed in/}).waitFor();
});
