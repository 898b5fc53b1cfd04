import {html, nothing} from 'lit';
import {scoreTreebank} from '../../engine/syntax/score-treebank.js';
import {sentencesOfPairs} from '../../engine/syntax/word-pairs.js';
import {grammarStrings} from '../../strings/grammar.js';
import {fewest} from '../../workbench/grammar-report.js';
import {pairChips, wordButtons} from '../../workbench/word-buttons.js';
import {linesIn, refusingLongLines} from '../../workbench/word-pairs.js';
import {onePart} from '../parts/step-parts.js';
import {step} from '../step.js';
import {isBetter} from './measurement.js';
import {shareIntervals} from './share-intervals.js';
import {markOf, pairsIn, withPair, withoutPair, wordOf} from './typed-pairs.js';

/** @import {RelationScore} from '../../engine/syntax/relation-counts.js' */
/** @import {Line} from '../../engine/syntax/word-pairs.js' */
/** @import {StepContext} from '../step.js' */

const {pairs: words} = grammarStrings;

/** The workbench with the panel that takes any number of sentences. */
const workbench = '#text=The+cat+slept.&panel=whatif&workbench=grammar';

/** The second of two things that “and” joins, and the first. */
const given = {
  sentences: [
    'The cook washed the plates and the big pots.',
    'My sister sings and dances, and her friends clap and laugh.',
  ],
  pairs: '1:pots:0>1:plates:0,2:dances:0>2:sings:0,2:laugh:0>2:clap:0',
};

export const ownPairs = step({
  sentences: given.sentences,
  choices: {pairs: given.pairs, from: ''},
  async compute({model, signal}, {sentences, choices}) {
    // A sentence is a line, also if it was pasted with a break in it.
    const lines = linesIn(sentences.map((text) => text.replaceAll(/\s+/g, ' ')).join('\n'));
    const marked = lines.map((line) => ({line, pairs: pairsIn(String(choices.pairs), line)}));
    const annotated = sentencesOfPairs(
      lines,
      (text) => marked.find(({line}) => line.text === text)?.pairs ?? new Map(),
    );
    if (!annotated.length) return {marked, score: null, alike: 0, heads: 0};
    const report = await scoreTreebank(refusingLongLines(model, annotated), annotated, {signal});
    // Words without a pair have no head, so there is one relation.
    const [score] = report.relations;
    const counts = [...score.right.to, ...score.right.from];
    const alike = counts.filter((right) => right === score.best.right).length;
    return {marked, score, alike, heads: counts.length};
  },
  asked: {
    kind: 'choice',
    find(_, __, {score}) {
      if (!score) return null;
      const {best, position} = score;
      if (best.right === position.right) return 'same';
      return best.right > position.right ? 'more' : 'less';
    },
  },
  widget({marked, score, alike, heads}, context) {
    const {labels} = context;
    const isSaying = score !== null && score.links >= fewest;
    const row = (/** @type {RelationScore} */ measured) => ({
      ...{name: words.found, score: measured, isBetter: isBetter(measured)},
    });
    return html`<div class="own-pairs">
        ${marked.map(({line, pairs}) => sentenceOf(line, pairs, context))}
        <p class="hint" role="status">${statusOf(marked, context)}</p>
      </div>
      ${
        score
          ? html`<p class="finding">${labels.finding(score, alike, heads)}</p>
              ${
                isSaying
                  ? onePart(shareIntervals(labels, [row(score)]))
                  : html`<p class="hint">${words.few(fewest)}</p>`
              }`
          : nothing
      }
      <p class="explore"><a href=${workbench}>${labels.more}</a></p>`;
  },
});

/**
 * A sentence whose words can be marked, with its pairs.
 *
 * @param {Line} line
 * @param {ReadonlyMap<number, number>} pairs
 * @param {StepContext} context
 */
function sentenceOf(line, pairs, {choices, choose}) {
  const written = String(choices.pairs);
  const from = wordOf(line, String(choices.from));
  const mark = (/** @type {number} */ word) => {
    if (from === null) choose({from: markOf(line, word)});
    else if (from === word) choose({from: ''});
    else choose({from: '', pairs: withPair(written, line, from, word)});
  };
  const remove = (/** @type {number} */ first) =>
    choose({pairs: withoutPair(written, line, first)});
  return html`<div>
    ${wordButtons(line.words, from, pairs, mark)} ${pairChips(line.words, pairs, remove)}
  </div>`;
}

/** Says which word comes next. @param {{line: Line}[]} marked @param {StepContext} context */
function statusOf(marked, {choices}) {
  for (const {line} of marked) {
    const word = wordOf(line, String(choices.from));
    if (word !== null) return words.second(line.words[word].form);
  }
  return words.first;
}
