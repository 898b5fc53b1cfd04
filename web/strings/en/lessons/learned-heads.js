/**
 * How many links the best head and the best fixed distance find.
 *
 * @typedef {object} Score
 * @property {number} links
 * @property {{layer: number, head: number, right: number}} best
 * @property {{right: number}} position
 */

/** The labels of a table of shares. */
const shares = {
  caption: 'Band: 95% interval of the head. Dot: the head. Line: the best fixed distance.',
  columns: {finds: 'Finds', head: 'Head', share: 'Head finds', distance: 'Distance finds'},
  /** @param {string} low @param {string} high */
  interval: (low, high) => `${low}–${high}`,
};

export const learnedHeads = {
  title: 'What heads have learned',
  summary:
    'Is there a head that finds the verb of an object? Measure it on many sentences, beside what mere distance finds, and look where it fails.',
  beyond:
    'What you only see by trying it: which of your own ideas about a head survive a comparison with a rule that any child could follow.',
  steps: {
    'word-before': {
      title: 'The word before',
      prose: [
        'Some heads need no grammar: this one looks at the word before, whatever it is. In English the neighbour is often the right word: an adjective stands just before its noun.',
        'So a rule without any model, such as “take the next word”, finds a good part of grammar. A head that finds grammar has to beat the best such rule: the *baseline*. It is measured here on sentences in which people have marked which word belongs to which.',
      ],
      question: 'Without any head: of these, for which does one fixed distance find most?',
      /** @param {unknown} _ @param {{share: string, offset: string} | undefined} facts */
      answer: (_, facts) =>
        facts
          ? `One rule finds ${facts.share} of them. ${facts.offset} A head that does as well has perhaps learned this rule, and no grammar. Where other words come between, no distance is right for long.`
          : '',
      options: {
        amod: 'from an adjective to its noun',
        nsubj: 'from a subject to its verb',
        obj: 'from an object to its verb',
        obl: 'from “in the garden” to what happens there',
      },
      labels: {
        /** @param {number} layer @param {number} head @param {string} share */
        finding: (layer, head, share) =>
          `Layer ${layer}, head ${head} gives the token before ${share} of its attention, on average over this sentence.`,
        picture: 'The head',
        distances: 'Distances',
        bars: 'what the best fixed distance finds, with no head at all',
        /** @param {number} offset */
        away: (offset) => `${Math.abs(offset)} ${offset < 0 ? 'back' : 'on'}`,
      },
    },
    objects: {
      title: 'The verb of an object',
      prose: [
        'In “She ate a red apple” the object is “apple”, and its verb is “ate”. Every head is asked: of all objects in the sentences, for how many does its largest weight join the two?',
        'Other sentences would give other numbers. The *interval* says how far: it comes from drawing the sentences again and again, some twice and some not at all. Only if even its lower end is above the fixed distance has the head something that distance has not.',
      ],
      question: 'Of 100 objects, for how many does the best head find the verb?',
      answer:
        'Nobody told the model what an object is: it only learned to guess hidden words. Yet one head out of all finds verbs by more than their distance. It was picked as the best on these same sentences, which flatters it a little.',
      labels: {
        ...shares,
        /** @param {Score} score @param {{sentences: number, words: number}} read */
        finding: ({best, links, position}, {sentences, words}) =>
          `${sentences} sentences, ${words} words. Layer ${best.layer}, head ${best.head} finds the verb of ${best.right} of ${links} objects, the best fixed distance of ${position.right}.`,
        shares: 'Beside distance',
        table: 'share that each head finds',
        axes: ['layers', 'heads'],
        /** @param {number} layer */
        layer: (layer) => `layer ${layer}`,
        /** @param {number} head */
        head: (head) => `head ${head}`,
      },
    },
    missed: {
      title: 'Where it fails',
      prose: [
        'A share hides what goes wrong. Here are sentences in which that head does not find the verb. The word that it is asked about is pinned in the picture.',
        'Look for what they have in common: a second object, as in “gave the boy some medicine”; a question that puts its object first; a clause that comes between.',
      ],
      question: 'When it fails, is what it finds mostly nearer to the object than the verb is?',
      /** @param {unknown} _ @param {{nearer: number, all: number} | undefined} facts */
      answer: (_, facts) =>
        facts
          ? `In ${facts.nearer} of ${facts.all} failures it is nearer. A head that knew the verb would not mind what stands between. So “it finds objects” says too much: it finds verbs that stand where verbs of objects mostly stand.`
          : '',
      options: {nearer: 'yes, mostly nearer', farther: 'no, not mostly'},
      labels: {
        /** @param {number} count */
        which: (count) => `Some of the ${count} failures`,
      },
    },
    compared: {
      title: 'More than distance?',
      prose: [
        'The same for the most frequent relations. Each has its best head and its best distance. In bold are those whose whole interval lies above the distance.',
        'And chance? With so many heads and relations, some pair is always good. So the relations of each sentence are shuffled, and all is counted once more: the line below the table says what is left.',
      ],
      question: 'Of these relations, how many does a head find clearly better than distance?',
      /** @param {unknown} _ @param {{better: number, all: number} | undefined} facts */
      answer: (_, facts) =>
        facts
          ? `${facts.better} of ${facts.all}. For the others the head may know more than distance, but these sentences do not show it. A picture of such a head convinces as much as one of the bold ones; only the comparison tells them apart.`
          : '',
      options: {
        few: 'less than a third',
        some: 'a third to two thirds',
        most: 'more than two thirds',
      },
      labels: shares,
    },
    'own-pairs': {
      title: 'A relation of your own',
      prose: [
        'Now ask for something that you choose. Change the sentences and mark pairs: the word to look from, then the word that it should find. To begin with, a pair leads from the second of two things that “and” joins to the first.',
        'Two sentences are an idea, not a proof.',
      ],
      question: 'Does a head find more of your pairs than the best fixed distance?',
      answer:
        'With a few pairs some head nearly always fits, because there are so many to choose from: see how many do equally well. Add a sentence that puts other words between the two. If the same head still finds them, it begins to mean something.',
      options: {more: 'yes, more', same: 'as many', less: 'no, fewer'},
      labels: {
        ...shares,
        more: 'Mark as many sentences as you like, in the workbench',
        /** @param {Score} score @param {number} alike @param {number} all */
        finding: ({best, links, position}, alike, all) =>
          `Layer ${best.layer}, head ${best.head} finds ${best.right} of ${links} pairs, the best fixed distance ${position.right}. ` +
          (alike === 1
            ? `No other of ${all} does as well: every head counts twice, by where it looks from the first word and from the second.`
            : `${alike} of ${all} do equally well: every head counts twice, by where it looks from the first word and from the second.`),
      },
    },
  },
};
