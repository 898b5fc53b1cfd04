/** Finds heads of the model that do in the shown text what a test needs: which ones do so is up to the model's weights. */

import {kindOfLink, kindsOfLinks} from '../../web/attention/findings.js';
import {createSnapshot} from '../../web/attention/snapshot.js';
import {textTokens} from '../../web/attention/text-tokens.js';
import {clearShare} from '../../web/engine/link-kinds.js';
import {embedded} from '../support/embedded-model.js';
import {engineAttention} from './support.js';

/** @import {Page} from 'playwright-core' */

/**
 * What a token of the text gives most to in a head.
 *
 * @typedef {object} Look
 * @property {number} layer
 * @property {number} head
 * @property {number} query
 * @property {number} key
 * @property {string} from
 * @property {string} to
 * @property {number} weight
 * @property {ReturnType<typeof kindOfLink>} kind
 * @property {boolean} isToText  whether it is no special token that gets most
 * @property {number} toText  the most that a token of the text gets
 */

/** What is known of the tokens of the shown text. @param {Page} page */
async function textOf(page) {
  const {tokens, types, special} = await page.evaluate(() => {
    const {result} = /** @type {any} */ (document.querySelector('bert-scope'));
    const {tokens, sentences: types, specialTokens: special} = result;
    return {tokens, types, special};
  });
  const attention = () => undefined;
  const shape = {layers: 1, heads: 1};
  const words = textTokens(createSnapshot({tokens, tokenTypeIds: types, ...shape, attention}));
  return {tokens: /** @type {string[]} */ (tokens), special, words};
}

/**
 * Lists where each token of the text looks in each head of the layers, the strongest first.
 *
 * @param {Page} page
 * @param {readonly number[]} [layers]
 * @returns {Promise<Look[]>}
 */
export async function looksIn(page, layers = [...Array(embedded.layers).keys()]) {
  const {tokens, special, words} = await textOf(page);
  /** @type {Look[]} */
  const looks = [];
  for (const layer of layers) {
    for (const [head, rows] of (await engineAttention(page, layer)).entries()) {
      for (const [query, row] of rows.entries()) {
        if (special[query]) continue;
        const weight = Math.max(...row);
        const key = row.indexOf(weight);
        looks.push({
          ...{layer, head, query, key, weight},
          from: tokens[query],
          to: tokens[key],
          kind: kindOfLink(words, query, key, weight),
          isToText: !special[key],
          toText: Math.max(...row.filter((_, at) => !special[at])),
        });
      }
    }
  }
  return looks.sort((a, b) => b.weight - a.weight);
}

/** Where a token looks in a head. @param {Page} page @param {{layer: number, head: number, query: number}} place */
export async function lookAt(page, {layer, head, query}) {
  const looks = await looksIn(page, [layer]);
  const look = looks.find((each) => each.head === head && each.query === query);
  if (!look) throw new Error(`layer ${layer}, head ${head} has no row ${query} of the text`);
  return look;
}

/**
 * Finds the strongest look that is as a test needs it.
 *
 * @param {Page} page
 * @param {string} wanted  says it where no head has one
 * @param {(look: Look) => boolean} isWanted
 */
export async function findLook(page, wanted, isWanted) {
  const look = (await looksIn(page)).find(isWanted);
  if (!look) throw new Error(`in no head of the embedded model ${wanted}`);
  return look;
}

/**
 * Finds a head in which one word gives most to a special token, and another one to the text. Of those, it is the one of
 * the strongest look at the text.
 *
 * @param {Page} page
 * @param {'clearly' | 'hardly'} how  the first one looks at the text besides
 */
export async function findDividedHead(page, how) {
  const looks = await looksIn(page);
  const isDivided = (/** @type {Look} */ {from, isToText, toText}) =>
    !isToText &&
    /^\w/.test(from) &&
    (how === 'clearly' ? toText > 1.1 * clearShare : toText < 0.9 * clearShare);
  for (const word of looks.filter(({isToText, weight}) => isToText && weight > 0.3)) {
    const special = looks.find(
      (look) =>
        look.layer === word.layer && look.head === word.head && look.query > 1 && isDivided(look),
    );
    if (special) return {word, special};
  }
  throw new Error(
    `in no head of the embedded model one token looks at the text and another at a special token, and ${how} at the text`,
  );
}

/** The part of an address that shows a look. @param {{layer: number, head: number, query: number}} look */
export const placeOf = ({layer, head, query}) => `layer=${layer}&heads=${head}&token=q${query}`;

/**
 * Lists what the engine finds worth telling of a text, once the page has run it; the most telling finding comes first.
 *
 * @param {Page} page
 * @param {string} text
 * @returns {Promise<{layer: number, head: number, query: number, key: number, kind: string}[]>}
 */
export async function findingsIn(page, text) {
  await page.waitForFunction(
    (text) => /** @type {any} */ (document.querySelector('bert-scope'))?.result?.text === text,
    text,
  );
  const {words} = await textOf(page);
  const kinds = await kindsOfLinks(words, new AbortController().signal);
  return page.evaluate(
    (kinds) =>
      /** @type {any} */ (document.querySelector('bert-scope')).result.strongestLinks(
        Uint8Array.from(kinds),
      ),
    [...kinds],
  );
}
