/** Finds what a page says, and which of it is in another language than the reader's. */

import {catalogues, entriesOf, saidBy} from '../strings/catalogue.js';

/** @import {Page} from 'playwright-core' */

/** Sentences, or parts of them between numbers and words, which have three words at least. @param {string} language */
function sentencesOf(language) {
  const parts = entriesOf(catalogues[language]).flatMap(([, entry]) =>
    saidBy(entry).split(/‹[^›]+›|["[\]{}`*]+/),
  );
  return new Set(parts.map((part) => part.trim()).filter((part) => /\w+ \w+ \w+/.test(part)));
}

const spanish = sentencesOf('es');
const english = [...sentencesOf('en')].filter((sentence) => !spanish.has(sentence));

/** Everything in sight that a reader reads or hears: texts, labels, titles and hints in fields. @param {Page} page */
const saidIn = (page) =>
  page.evaluate(() => {
    /** @type {string[]} */
    const said = [document.title];
    const look = (/** @type {ParentNode} */ root) => {
      for (const each of root.querySelectorAll('*')) {
        if (!each.checkVisibility({visibilityProperty: true})) continue;
        // The model reads English sentences, and code is written in English.
        if (each.matches('pre, code, textarea, script, style')) continue;
        for (const name of ['aria-label', 'title', 'placeholder']) {
          said.push(each.getAttribute(name) ?? '');
        }
        for (const node of each.childNodes) {
          if (node.nodeType === Node.TEXT_NODE) said.push(node.textContent ?? '');
        }
        if (each.shadowRoot) look(each.shadowRoot);
      }
    };
    look(document);
    return said.join('\n').replace(/[ \n]*\n[ \n]*/g, '\n');
  });

/** Lists the English sentences of the catalogue that a page shows. @param {Page} page */
export async function englishIn(page) {
  const said = await saidIn(page);
  return english.filter((sentence) => said.includes(sentence));
}
