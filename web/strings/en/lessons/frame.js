/** What is around every step. */
export const frame = {
  title: 'Lessons',
  lead: 'Attention taken apart, one step at a time. Every number is computed in your browser, from sentences that you can change. Where code is often written in another way, you see both, and what goes wrong.',
  /** @param {string} [step] */
  documentTitle: (step) => (step ? `${step} · bertscope lessons` : 'Lessons · bertscope'),
  /** @param {string} name */
  unknown: (name) => `There is no lesson or step called “${name}” here. These are the lessons:`,
  /** @param {number} seen @param {number} count */
  progress: (seen, count) => (seen ? `${seen} of ${count} steps seen` : `${count} steps`),
  kept: 'Which steps you have seen is kept in this browser only.',
  forget: 'Forget it',

  steps: 'Steps of this lesson',
  /** @param {number} step @param {number} count */
  position: (step, count) => `${step} of ${count}`,
  back: 'Back',
  next: 'Next',
  nextLesson: 'Next lesson',
  done: 'All lessons',
  large: 'Large type',
  parts: 'Shown',
  pageBefore: 'Paragraph before',
  pageAfter: 'Paragraph after',
  question: 'Question',
  aside: 'About the paper',
  answers: {
    predict: 'Your prediction',
    think: 'What do you think?',
    compare: 'Compare',
    skip: 'Show the answer',
    again: 'Predict again',
    said: 'You said:',
    right: 'Right:',
    wrong: 'Not quite. You said:',
    found: 'Found:',
    /** @param {number} count */
    all: (count) => `My answers (${count})`,
    /** @param {string} lesson */
    title: (lesson) => `My answers: ${lesson}`,
    name: 'Your name, if your teacher asks for it',
    copy: 'Copy link with my answers',
    copyAll: 'Copy link with all my answers',
    copyOne: 'Copy link of this lesson alone',
    others: 'You also have answers in:',
    /** @param {string} lesson @param {number} count */
    inLesson: (lesson, count) => `${lesson} (${count})`,
    link: 'Your name and your answers are in this link and in this tab, and nowhere else. Give the link to your teacher.',
    close: 'Close',
    /** Said of a choice that the engine has not compared yet. */
    uncompared: 'not compared',
    verdicts: {right: 'right', wrong: 'not right', open: 'own words'},
    forTeachers: 'For teachers: plans, and what goes wrong',
    ofClass: {
      title: 'A class’s answers',
      lead: 'Paste the links that your students copied, one or many, with anything around them; or open a text file of them. They are read in this page and sent nowhere.',
      links: 'Links',
      file: 'Open a text file',
      /** @param {number} count */
      unread: (count) => (count === 1 ? '1 line not understood' : `${count} lines not understood`),
      noLinks: 'No link of a lesson is in this text.',
      unsigned: 'without a name',
      /** @param {number} count */
      same: (count) => `${count} × the same answers, without a name`,
      student: 'Student',
      counts: 'right · not right · own words',
      /** @param {number} right @param {number} wrong @param {number} open */
      count: (right, wrong, open) => `${right} · ${wrong} · ${open}`,
      /** @param {number} count */
      students: (count) => (count === 1 ? '1 student' : `${count} students`),
      /** @param {number} links @param {number} lines @param {number} characters */
      cut: (links, lines, characters) =>
        `Only the beginning is read: at most ${links} links, ${lines} lines and ${characters} characters.`,
      csv: 'Save as CSV',
      allCsv: 'Save all lessons as one CSV',
      /** @param {number} count @param {number} left  of which so many are not shown */
      more: (count, left) => `Show ${count} more; ${left} are not shown`,
      unchecked:
        'A link says what the browser of the student wrote into it; it proves no more than a sheet of paper.',
    },
  },
  sheets: {
    plans: {
      missing: '20 minutes: a word is missing',
      heads: '45 minutes: reading heads, and doubting them',
      apart: '90 minutes: attention, taken apart',
      decoder: '45 minutes: a decoder that writes',
    },
    ofPlan:
      'Each step with its minutes, its question, the expected answer and the reason. The answers are computed now, by the model that comes with the page, from the sentences that the steps begin with.',
    ofLesson:
      'The whole lesson for paper: pictures, questions with room to write, and the answers on the last page. The picture of a step shows the sentence that it begins with.',
    print: 'Print',
    printLesson: 'Print this lesson',
    computing: 'Computing the answers …',
    /** @param {number} count */
    minutes: (count) => (count === 1 ? '1 minute' : `${count} minutes`),
    expected: 'Expected:',
    own: 'In their own words; for example:',
    handIn: 'Hand in the answers, and look at the list together',
    name: 'Name:',
    /** @param {string} lesson */
    answersOf: (lesson) => `Answers: ${lesson}`,
  },
  classLink: {
    open: 'Link for the class',
    help: 'Scan the code, or copy the link. It opens this step with your sentence, and holds no answers.',
    code: 'The link as a QR code',
    copy: 'Copy link',
  },
  code: 'The same in PyTorch',
  program: {
    copy: 'Copy all of it',
    save: 'Save its tensors (NPZ)',
    /** @param {string} file */
    reads: (file) => `It reads “${file}”, which the second button saves.`,
    preamble: 'What has to come first',
  },
  numbers: 'The numbers as a table',
  bertBase: {
    use: 'With bert-base',
    size: 'It is 440 MB, fetched from huggingface.co.',
    expect:
      'bert-base runs with 8-bit weights here. Ids and shapes are those of PyTorch. Expect an attention weight to differ in the third or fourth decimal: by 0.0001 to 0.0008 on average in the models that were measured, where at least 96 of 100 rows have the same largest weight.',
  },
  explore: 'Open this in Explore, with every view and head',
  needsWords: 'This lesson needs a model that guesses words for [MASK]. The chosen one does not.',
  long: {
    measuring: 'Measuring …',
    stop: 'Stop',
    stopped: 'You have stopped the measurement.',
    start: 'Measure',
  },
  empty: 'Type a sentence, and the numbers come back.',
  keys: 'Space: continue · ← →: steps · p: large type',
  /** @param {number} milliseconds */
  time: (milliseconds) =>
    `computed in ${milliseconds < 1 ? 'less than 1' : milliseconds.toFixed(0)} ms`,
  /** @param {number} i @param {number} count @returns {string} */
  sentence: (i, count) => {
    if (count === 1) return 'Sentence: change it, and everything below follows';
    return i === 0 ? 'First sentence' : 'Second sentence';
  },

  tensor: {
    /** @param {string} name @param {number[]} shape @param {readonly string[]} axes */
    label: (name, shape, axes) =>
      `${name}: ${shape.map((size, i) => `${size} ${axes[i] ?? ''}`.trim()).join(' by ')}. Arrow keys read the numbers.`,
    sum: 'sum',
    /** @param {string} name */
    save: (name) => `Copy or save “${name}”`,
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'The browser did not allow it',
    /** What one of an axis is called. @param {string} axis */
    one: (axis) => (axis === 'batch' ? 'sentence' : axis),
  },
};
