/** @import {NumberList} from '../number-list.js' */

/** What the panel of grammatical relations says, in English. */
export const grammar = {
  hint: 'In annotated sentences it is known which word depends on which, and how. For each relation, this finds the head that shows it most often. The model is measured without your changes.',
  run: 'Measure on 174 English sentences',
  builtIn: 'The page’s own sentences',
  own: 'Your own sentences (.conllu), pairs (.csv, .tsv) or what you saved (.json)',
  stop: 'Stop',
  progress: 'How much has been measured',
  table: 'Relations with the head that finds each most often',
  columns: {relation: 'Finds', head: 'Head', found: 'Found', position: 'Position'},
  save: (/** @type {string} */ format) => `Save as ${format}`,

  /** What was measured. @param {string} name  of the sentences @param {number} sentences @param {number} words */
  measured: (name, sentences, words) =>
    `${name}: ${sentences} ${sentences === 1 ? 'sentence' : 'sentences'}, ${words} words.`,
  /** What a saved file says of its measurement. @param {{model: string, precision: string}} of */
  opened: ({model, precision}) =>
    `Opened from a file: measured with ${model}${precision === 'int8' ? ', 8-bit weights' : ', 32-bit weights'}.`,
  noSentences:
    'The file has no sentences. To see where the head fails, measure the sentences themselves.',
  /** @param {string} name @param {number} megabytes */
  largeFile: (name, megabytes) => `${name}: expected at most ${megabytes} MB, found more.`,
  /** @param {number} count */
  skipped: (count) =>
    count === 1
      ? '1 more sentence is too long for the model.'
      : `${count} more sentences are too long for the model.`,
  /** @param {number} count @param {number} least */
  rare: (count, least) =>
    `Of ${count} ${count === 1 ? 'relation' : 'relations'} there are fewer than ${least} words, which say nothing about a head; the saved table has them too.`,
  /** @param {number} count @param {number} all */
  of: (count, all) => `${count} of ${all}`,
  /** @param {number} right @param {number} links @param {number} position */
  besidePosition: (right, links, position) => `${right} of ${links}, by position alone ${position}`,
  /** @param {string} low @param {string} high */
  interval: (low, high) => `${low}–${high}`,
  intervalHelp: '95% interval: so much does the share change from one such file to another.',
  /** The word that position alone takes. @param {number} offset  negative: before */
  offset: (offset) =>
    Math.abs(offset) === 1
      ? `Position alone takes the ${offset < 0 ? 'previous' : 'next'} word.`
      : `Position alone takes the word ${Math.abs(offset)} ${offset < 0 ? 'before' : 'after'}.`,
  positionHelp: 'What the best fixed distance between two words finds, without any head.',
  /** The interval reaches down to what position alone finds. */
  noBetter: 'no clear gain',
  /** There is no interval. */
  fewSentences: 'too few sentences to tell',
  /** What is counted. */
  directions: {
    to: 'A word counts where it attends to the word looked for more than to any other.',
    from: 'A word counts where the word looked for attends to it more than any other does.',
  },
  caution:
    'The best head is chosen on the same sentences, which makes it look somewhat better than it is.',
  /** @param {number} better @param {number} pairs @param {string} shuffled */
  chance: (better, pairs, shuffled) =>
    `Of ${pairs} pairs of a head and a relation, ${better} are better than position; if the relations of each sentence change places, ${shuffled} are.`,

  /** What a head does. @param {string} what */
  finds: (what) => `finds ${what}`,
  /** What the map is coloured by. @param {string} what @param {string} relation */
  mapped: (what, relation) => `Finds ${what} (${relation})`,
  /** @param {string} place @param {string} finds @param {number} right @param {number} links @param {number} position */
  claim: (place, finds, right, links, position) =>
    `Head ${place} ${finds}: ${right} of ${links}, by position alone ${position}.`,
  /** @param {number} misses */
  fails: (misses) => `Where it fails: ${misses} ${misses === 1 ? 'word' : 'words'}`,
  /** @param {number} count */
  first: (count) => `The first ${count} sentences with such a word. A click opens a sentence.`,
  click: 'A click opens a sentence.',
  never: 'It fails nowhere in these sentences.',
  searching: 'The sentences are read again …',
  /** Sentences that are not listed. @param {number} count @param {number} most */
  longer: (count, most) =>
    `${count} ${count === 1 ? 'sentence' : 'sentences'} of more than ${most} characters ${count === 1 ? 'is' : 'are'} left out here.`,
  /** What the head finds in place of the right word. @param {'to' | 'from'} direction @param {string} word @param {string} found  empty: none @param {string} head */
  missed: (direction, word, found, head) =>
    (found === ''
      ? `“${word}” has no other word`
      : direction === 'to'
        ? `“${word}” attends most to “${found}”`
        : `“${found}” attends most to “${word}”`) + `, not “${head}”`,

  /** Words that the reader marks in sentences of their own. */
  pairs: {
    title: 'Your own pairs of words',
    name: 'Your pairs',
    hint: 'Is there a head that leads from an adjective to its noun? Type sentences and mark such pairs, or paste three columns of a spreadsheet (sentence, first word, second word): each head is asked how often it finds the second word from the first.',
    text: 'Sentences, one on each line',
    first:
      'Click the word to look from, then the word that it should find: one for each word, and the last one counts.',
    /** @param {string} word */
    second: (word) => `Now click the word that “${word}” should find.`,
    marked: 'Marked pairs',
    /** @param {string} from @param {string} to */
    pair: (from, to) => `${from} → ${to}`,
    /** @param {string} pair */
    remove: (pair) => `Remove ${pair}`,
    /** The lines without a pair. @param {NumberList} lines */
    empty: ({text, isOne}) =>
      isOne
        ? `Line ${text} has no pair and is left out.`
        : `Lines ${text} have no pair and are left out.`,
    /** @param {number} count */
    run: (count) =>
      count === 0 ? 'Measure pairs' : `Measure ${count} ${count === 1 ? 'pair' : 'pairs'}`,
    found: 'the word that you marked',
    code: 'your pairs',
    /** @param {number} least */
    few: (least) => `Fewer than ${least} pairs say nothing about a head.`,
    /** @param {number} line @param {number} most @param {number} found */
    longLine: (line, most, found) =>
      `Line ${line}: expected at most ${most} characters, found ${found}.`,
    /** @param {number} line  the first one too many @param {number} most */
    manyLines: (line, most) => `Line ${line}: expected at most ${most} sentences, found more.`,
    /** @param {number} line */
    tooLong: (line) => `Line ${line}: this sentence is too long for the model.`,
    noRows: 'The link has no pairs of words: expected rows of a sentence and two of its words.',
    /** Rows that are pasted from a spreadsheet. `words`: those of the sentence. */
    pasted: {
      /** @param {number} line */
      noSentence: (line) => `Row ${line}: expected a sentence in this row or above it, found none.`,
      /** @param {number} line @param {string} word @param {string} words */
      noWord: (line, word, words) =>
        `Row ${line}: expected a word of the sentence (${words}), found “${word}”.`,
      /** @param {number} line @param {string} word @param {number} count */
      several: (line, word, count) =>
        `Row ${line}: “${word}” is in the sentence ${count} times. Write ${word}#1 for the first one or ${word}#2 for the second.`,
      /** @param {number} line @param {string} word */
      same: (line, word) => `Row ${line}: expected two words, found “${word}” as both.`,
      /** @param {number} line @param {string} word */
      second: (line, word) =>
        `Row ${line}: expected one word to find from “${word}”, found a second one.`,
    },
  },

  /** Which heads make one link of the sentence on show. */
  search: {
    title: 'Search for a head',
    hint: 'Mark a link in the sentence on show: all heads are ranked by how much the first word attends to the second.',
    first: 'Click the word that attends, then the word that it attends to.',
    /** @param {string} word */
    second: (word) => `Now click the word that “${word}” attends to.`,
    noHead:
      'No head can make this link: this model sees only what comes before a word, or one of the words has no token of its own.',
    /** @param {string} from @param {string} to */
    table: (from, to) => `Heads in which “${from}” attends most to “${to}”`,
    here: 'Here',
    inFile: 'Measured',
    /** @param {string} what */
    inFileHelp: (what) => `Measured: how often the head finds ${what}.`,
    /** @param {number} heads */
    all: (heads) => `Show all ${heads} heads`,
    relation: 'Compare with what was measured for',
    none: 'nothing',
  },
  /** What curves over the lines of the picture show. @param {string} links @param {string} relation */
  annotated: (links, relation) => `Dashed: as annotated, ${links} (${relation})`,
  /** @param {string} links  each with its relation */
  annotatedWhole: (links) => `Dashed: as annotated, ${links}`,
  /** The annotated sentences, one by one. */
  sentence: {
    open: 'Show an annotated sentence',
    next: 'Next sentence',
    whole: 'Draw its whole annotation',
  },
  /** Over what heads were found to do. */
  measuredNames: 'Measured on annotated sentences',

  below: 'All heads together',
  /** @param {number} right @param {number} links @param {number} neighbours */
  tree: (right, links, neighbours) =>
    `The tree of strongest mean attention has ${right} of ${links} links of the annotated trees; a chain of neighbours has ${neighbours}.`,
  /** @param {string} place @param {number} right @param {number} links @param {number} nearest */
  antecedents: (place, right, links, nearest) =>
    `Mentions again: head ${place} finds an earlier mention of the same thing for ${right} of ${links}; the nearest earlier mention is right for ${nearest}.`,

  /** What is found from a word that has the relation: the word that it depends on. */
  relations: {
    acl: 'the noun of a clause that describes it',
    'acl:relcl': 'the noun of a relative clause',
    advcl: 'what an adverbial clause belongs to',
    advmod: 'what an adverb belongs to',
    amod: 'the noun of an adjective',
    appos: 'the noun that an apposition explains',
    aux: 'the verb of an auxiliary',
    'aux:pass': 'the verb of a passive auxiliary',
    case: 'the noun of a preposition or of ’s',
    cc: 'the part that “and” or “but” adds',
    'cc:preconj': 'the part that “both” or “either” opens',
    ccomp: 'what a clause is the object of',
    compound: 'the main word of a compound',
    'compound:prt': 'the verb of a particle',
    conj: 'the first of the parts that “and” joins',
    cop: 'the predicate of a form of “be”',
    csubj: 'the predicate of a clause that is its subject',
    det: 'the noun of a determiner',
    'det:predet': 'the noun of “all” or “such” before an article',
    discourse: 'what an interjection belongs to',
    expl: 'the verb of an empty “it” or “there”',
    fixed: 'the first word of a fixed phrase',
    flat: 'the first word of a name',
    iobj: 'the verb of an indirect object',
    mark: 'the clause that “that”, “if” or “to” opens',
    nmod: 'the noun that another noun belongs to',
    'nmod:poss': 'the noun that has an owner',
    nsubj: 'the predicate of a subject',
    'nsubj:pass': 'the predicate of a passive subject',
    nummod: 'the noun of a number',
    obj: 'the verb of an object',
    obl: 'what an adverbial noun belongs to',
    'obl:agent': 'the passive verb of a “by” phrase',
    'obl:unmarked': 'what a noun without preposition belongs to',
    parataxis: 'the clause that another stands beside',
    punct: 'what a punctuation mark belongs to',
    vocative: 'what the name of the person spoken to belongs to',
    xcomp: 'what a verb without subject completes',
  },
  /** A relation that is not in the list. @param {string} relation */
  other: (relation) => `what a word with “${relation}” belongs to`,
};

/** @typedef {typeof grammar} GrammarStrings */
