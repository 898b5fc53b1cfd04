/** Says in a sentence or two what an explanation found. */

import {html, nothing} from 'lit';
import {namedToken, namingOfModel} from '../attention/byte-level-tokens.js';
import {isSigned, sumOf, summaryOf} from '../attention/contributions.js';
import {explanationStrings as words} from '../strings/explanation.js';
import {formatNumber} from '../views/parts/number-format.js';
import {amountOf} from './contribution-list.js';
import {answerName} from './explained-answers.js';

/** @import {Model} from '../session/shared-models.js' */
/** @import {Contributions} from './contribution-list.js' */
/** @import {Explanation} from './explained-answers.js' */

/**
 * The question that an explanation answers.
 *
 * @param {Model | null} model
 * @param {Explanation} explanation
 * @param {string} masked  the token in whose place the answer stands; empty for a mask
 */
export function titleOf(model, {target, instead, tokens}, masked) {
  if (target === 'vector') return words.title.vector;
  const name = namingOfModel(model);
  if (instead) return words.title.contrast(answerName(target, name), answerName(instead, name));
  if ('label' in target) {
    const {token} = target;
    return token === undefined
      ? words.title.class(target.name)
      : words.title.tokenClass(target.name, name(tokens[token]));
  }
  return words.title.word(name(target.word), masked && name(masked), model?.maskToken ?? '');
}

/**
 * @param {Model | null} model
 * @param {Pick<Explanation, 'method' | 'target' | 'instead'>} explanation
 * @param {Contributions} shown
 */
export function summaryTemplate(model, {method, target, instead}, shown) {
  const {most, against, special} = summaryOf(shown.amounts, shown.special);
  const named = (/** @type {typeof most} */ list) =>
    list.map(({index, amount}) => ({
      token: namedToken(shown.names[index]),
      amount: amountOf(method, amount),
      isOfAnswer: index >= (shown.answerBegin ?? Infinity),
    }));
  const names = [...new Set(shown.names.filter((_, index) => shown.special[index]))].join(', ');
  const total = shown.amounts.reduce((sum, amount) => sum + amount, 0);
  const said = saidOf(sumOf(method), {target, instead}, model);
  return html`<p class="summary" role="status">
    ${isSigned(method) ? words.signed(named(most), named(against)) : words.shares(named(most))}
    ${names ? words.special(names, amountOf(method, special)) : nothing}
    ${said ? words.sums[said](formatNumber(total, 2)) : nothing}
  </p>`;
}

/**
 * What is said of the sum of contributions.
 *
 * @param {ReturnType<typeof sumOf>} sum
 * @param {Pick<Explanation, 'target' | 'instead'>} answer
 * @param {Model | null} model
 * @returns {keyof typeof words.sums | null}
 */
function saidOf(sum, {target, instead}, model) {
  if (sum === 'attention') return instead ? 'attentionContrast' : 'attention';
  if (sum === 'value') return target === 'vector' ? 'length' : instead ? 'contrast' : 'logit';
  if (sum !== 'difference' || instead) return null;
  const isOfDecoder = model?.predictionHeads.nextToken || model?.decoderShape;
  return isOfDecoder ? 'differenceFromEnds' : 'difference';
}
