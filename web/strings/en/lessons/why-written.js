/**
 * A token of the text, the share that is taken from it, and what is written without it.
 *
 * @typedef {readonly [word: string, share: string, written: string]} Hidden
 */

/**
 * A digit that stays when the token that ALTI+ names most is hidden.
 *
 * @typedef {object} Miss
 * @property {string} token
 * @property {string} after  what was written before it
 * @property {string} named
 * @property {string[]} needed  the tokens that change it if they are hidden
 */

/**
 * How many digits change, and which do not.
 *
 * @typedef {object} Counts
 * @property {number} digits
 * @property {number} most
 * @property {number} least
 * @property {number} others
 * @property {Miss[]} misses
 */

const asking = 'Written token';

const parts = {year: 'year', month: 'month', day: 'day', hyphens: 'hyphens', end: 'end'};

/** @param {string[]} words */
const quoted = (words) => words.map((word) => `“${word}”`).join(' or ');

export const whyWritten = {
  title: 'Why did it write that?',
  summary:
    'What a written token comes from: the text that was read, or what was written before it. An explanation says so, you put it to the test, and it does not always pass.',
  beyond:
    'What you only see by trying it: hide the word that an explanation names first, and sometimes the same digit is written.',
  steps: {
    'one-by-one': {
      title: 'One token after the other',
      prose: [
        'You know this model: it reads a date as people write it, and writes it in digits. Press the button and watch: after each token it reads all that it has written, and guesses the next one.',
        'It is nearly always sure. This lesson asks why: what in the text, and what in its own writing, makes it write just this token?',
      ],
      question: 'What does it write for “hello”, in which there is no date at all?',
      answer:
        'It writes the form of a date with nothing in it. The form it knows without a text; what fills the form has to come from the text. So a token can come from two places, and the next steps tell them apart.',
      labels: {
        write: 'Write the next token',
        again: 'Begin again',
        /** @param {string} written @param {string} token @param {string} share */
        next: (written, token, share) =>
          `${written ? `After “${written}”` : 'First'} comes “${token}”: ${share}.`,
        /** @param {string} written */
        ended: (written) => `It has written “${written}”: the last token ends the text.`,
        guesses: 'guesses for the next token',
        /** @param {number} count */
        written: (count) =>
          count === 1
            ? 'Written so far: 1 token, with its id'
            : `Written so far: ${count} tokens, with their ids`,
      },
    },
    'eight-heads': {
      title: 'Eight heads, several answers',
      prose: [
        'While a token is written, each head of cross attention looks into the text. A row of the table is a head, named by its layer and its number; a row sums to 1.',
        'For the first “1” the heads do not agree: some look at the “1” of the year, others at the “9” behind it. Only head 1.0 was shown where to look while the model learned.',
        'So “where does it look?” has eight answers. Choose other tokens.',
      ],
      question:
        'For how many written tokens do all eight heads look most at the same token of the text?',
      /** @param {unknown} _ @param {{agreed: string[], all: number} | undefined} facts */
      answer: (_, facts) =>
        facts
          ? `For ${facts.agreed.length} of ${facts.all}. Whoever shows you one head has chosen it. An explanation of the token has to put all heads and layers together.`
          : '',
      options: {never: 'for none', few: 'for less than half', many: 'for half or more'},
      labels: {
        asking,
        layer: 'Layer',
        head: 'Head',
        weights: 'all heads',
        picture: 'one head',
        /** @param {string} token */
        table: (token) => `where each head looks while “${token}” is written`,
        axes: ['layer.head', 'read (key)'],
      },
    },
    taken: {
      title: 'Looking is not taking',
      prose: [
        'A weight says where one head of one layer looks. *ALTI+* (Ferrando et al. 2022) puts all of them together: it asks how near the part of each token comes to every sum that attention makes, through all layers of encoder and decoder, down to the written token.',
        'Its shares of the text, and of what was written before, sum to 100%. Compare them with one head: first where it looks, then what the token takes.',
      ],
      question:
        'Over all heads and all written tokens: how often does a head look most at what the token takes most from?',
      /** @param {unknown} _ @param {{agreeing: number, all: number} | undefined} facts */
      answer: (_, facts) =>
        facts
          ? `In ${facts.agreeing} of ${facts.all} cases. A head is one road of many, and what it brings is mixed with all the rest. But that the two differ does not say which of them is right: that takes a test.`
          : '',
      options: {
        less: 'in less than half',
        some: 'in half to three quarters',
        most: 'in more than three quarters',
      },
      labels: {
        asking,
        layer: 'Layer',
        head: 'Head',
        /** @param {{looks: string[], takes: string[]}} found */
        finding: ({looks: [word, weight, share], takes: [most, largest]}) =>
          `The head looks most at “${word}”: ${weight}. The token takes ${share} from there, and most from “${most}”: ${largest}.`,
        /** @param {{layer: number, head: number}} place */
        looks: ({layer, head}) => `where layer ${layer}, head ${head} looks`,
        /** @param {string} token */
        takes: (token) => `what “${token}” takes, by ALTI+`,
        before: '(written before)',
      },
    },
    'text-or-written': {
      title: 'From the text, or from what was written',
      prose: [
        'A bar is the share that a token takes from the text. The rest, up to 100%, comes from what was written before.',
        'The year is copied from the text, digit by digit. The end takes less from the text than any digit: that the date is over is seen from what was written.',
        'Of what was written, a token takes mostly from the last one: the vector that it is written from began as that token.',
      ],
      question:
        'That was one date. On average over other dates, which part takes most from what was written before it?',
      /** @param {unknown} _ @param {{order: [keyof typeof parts, string][], dates: number} | undefined} facts */
      answer: (_, facts) =>
        facts
          ? `Over ${facts.dates} dates: ${facts.order.map(([part, share]) => `${parts[part]} ${share}`).join(', ')}. Which digit comes next is in the text. That a hyphen or the end comes next depends on how far the writing has come.`
          : '',
      options: parts,
      labels: {
        asking,
        /** @param {string} token @param {string} text @param {string} written */
        finding: (token, text, written) =>
          `“${token}” takes ${text} from the text and ${written} from what was written.`,
        fromText: 'share from the text, for each written token',
        /** @param {string} token */
        fromWritten: (token) => `what “${token}” takes from each token before it`,
      },
    },
    hidden: {
      title: 'Put it to the test',
      prose: [
        'An explanation can be tested. Hide the token that it names most: the written token should change. Hide the one that it names least: it should stay.',
        'Hidden means that the model reads `<unk>` in its place, a word that it does not know. What was written before stays as it was.',
        'Go through the digits. For which of them does ALTI+ pass?',
      ],
      question:
        'Hide for each digit the token that ALTI+ names most. How many digits of the date change?',
      /** @param {unknown} _ @param {Counts | undefined} facts */
      answer: (_, facts) => (facts ? told(facts) : ''),
      labels: {
        asking,
        none: 'No token of this text can be hidden alone.',
        /** @param {string} token @param {Hidden} most @param {Hidden} least */
        finding: (token, most, least) =>
          `“${token}” takes most from “${most[0]}” (${most[1]}): without it “${most[2]}” is written. Least from “${least[0]}” (${least[1]}): without it “${least[2]}”.`,
        whole: 'the whole text',
        /** @param {string} word */
        without: (word) => `without “${word}”`,
      },
    },
    'own-date': {
      title: 'A date of your own',
      prose: [
        'Type a date. The first picture shows what a token takes, by ALTI+; the second how much of its probability is lost if each token of the text is hidden.',
        'In “Friday, 20 December 1985” the two disagree on the day: it takes most from “december”, but without that word the same day is written.',
        'To go on: *Which words?* explains in this way what any encoder-decoder writes. For a decoder alone, such as GPT-2, it has *ALTI-Logit*, and *Predict words* has the *logit lens*, which reads every layer.',
      ],
      question: 'Which token of your date does ALTI+ explain wrongly, and how do you know?',
      answer:
        'A share says how much of each token is mixed into the vector that is read at the end. It does not say what the model does with it: a share is not a cause. Hiding has limits too: two words can stand in for each other, and the model reads a text that nobody wrote. So say which of the two you measured, and try several dates.',
      labels: {
        asking,
        /** @param {string} token */
        shares: (token) => `what “${token}” takes, by ALTI+`,
        /** @param {string} token */
        losses: (token) => `what “${token}” loses if each token is hidden`,
        words: 'Open this in Explore, under Which words?',
        docs: 'More about such methods: Reading attention',
      },
    },
  },
};

/** @param {Counts} counts */
function told({digits, most, least, others, misses}) {
  const counted = `${most} of ${digits} change; without the token that it names least, ${least} of ${digits}.`;
  const failed = misses.slice(0, 3).map(({token, after, named, needed}) => {
    const other = needed.length
      ? `what changes it is ${quoted(needed)}`
      : 'no single token changes it';
    return ` It fails for “${token}”${after && ` after “${after}”`}: it names “${named}”, but ${other}.`;
  });
  const form = others ? '' : ' No hidden token changes a hyphen or the end, whatever their shares.';
  return `${counted}${failed.join('')}${form}`;
}
