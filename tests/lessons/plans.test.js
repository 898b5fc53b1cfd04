/** Tests the plans of a class: what the documentation says of them, and the minutes of their steps. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {lessons} from '../../web/lessons/index.js';
import {plans} from '../../web/lessons/sheets/plans.js';
import {languageNames} from '../../web/strings/language.js';

/** @import {Block} from '../../web/strings/en/docs.js' */
/** @import {PlanId} from '../../web/lessons/sheets/plans.js' */

const known = lessons.flatMap(({id, steps}) => steps.map((step) => `${id}/${step.id}`));

test('each plan has steps that exist, in minutes that it has', () => {
  for (const [id, {minutes, steps}] of Object.entries(plans)) {
    for (const step of Object.keys(steps)) assert(known.includes(step), `${id}: ${step}`);
    const sum = Object.values(steps).reduce((a, b) => a + b);
    assert(sum <= minutes && sum > 0.8 * minutes, `${id}: ${sum} of ${minutes} minutes`);
  }
});

for (const language of Object.keys(languageNames)) {
  test(`the “${language}” page for teachers gives each plan its minutes, and links to its steps`, async () => {
    const {docs} = await import(`../../web/strings/${language}/docs.js`);
    const {course} = await import(`../../web/strings/${language}/lessons/index.js`);
    /** @type {readonly any[]} */
    const blocks = docs.pages.teaching.blocks;
    for (const [id, {minutes, steps}] of Object.entries(plans)) {
      const title = course.frame.sheets.plans[id];
      assert(title.startsWith(String(minutes)), title);
      const from = blocks.findIndex(({heading}) => heading === title);
      const at = blocks.findIndex(({list}, i) => i > from && list);
      /** @type {readonly string[]} */
      const items = blocks[at].list;
      const sum = items.reduce((total, item) => total + Number.parseInt(item), 0);
      assert.equal(sum, minutes, `${language}: ${title}`);
      const linked = [...items.join().matchAll(/\(#\/lessons\/([^)]+)\)/g)].map(([, step]) => step);
      for (const step of linked) assert(step in steps, `${id}: ${step}`);
      assert(blocks[at + 1].endsWith(`(#/lessons/plan/${id})`), blocks[at + 1]);
    }
  });

  test(`the “${language}” page for teachers names each file, which has no link in the page in one file`, async () => {
    const {docs} = await import(`../../web/strings/${language}/docs.js`);
    /** @type {readonly any[]} */
    const blocks = docs.pages.teaching.blocks;
    const texts = blocks.flatMap(({download}, i) => (download ? [[download, blocks[i + 1]]] : []));
    assert.equal(texts.length, 2);
    for (const [file, text] of texts) assert(text.startsWith(`\`${file}\``), text);
  });
}
