/** Makes the texts with which tokenizers are compared: everyday ones, and ones that are hard to split. */

import {readFileSync} from 'node:fs';

const fromRoot = (/** @type {string} */ path) =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const EVERYDAY = 'scripts/train/everyday_sentences.txt';
const HARD = 'tests/golden/hard-strings.json';
/** Source code of this project, and text in Markdown. */
const CODE = [
  'web/engine/text/vocabulary.js',
  'src/model/tensor_names.cpp',
  'scripts/reference/bert.py',
  'README.md',
];

const PIECES = [
  ...[
    '[MASK]',
    '<mask>',
    '[SEP]',
    '</s>',
    '<s>',
    '[UNK]',
    '[unused7]',
    '<pad>',
    '##ing',
    '▁the',
    'Ġthe',
  ],
  ...[
    'naïve café',
    'ÅNGSTRÖM',
    'İstanbul',
    'straße',
    'e\u0301te\u0301',
    'ﬁne ﬂow',
    'Ⅷ ½ ①',
    'ＡＢＣ１２３',
  ],
  ...[
    '漢字かな交じり文',
    '东京 and 北京',
    '한국어 문장',
    '𠀀𠮷',
    '，。！？「」',
    'สวัสดี',
    'नमस्ते',
    'مرحبا',
    'שלום',
  ],
  ...[
    '😀',
    '👩‍👩‍👧',
    '👍🏽',
    '❤️',
    '🇫🇷',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '\u200b',
    '\u200d',
    '\ufeff',
    '\u00ad',
    '\u00a0',
    '\u3000',
  ],
  ...[
    '\0',
    '\u0007',
    '\u007f',
    '\u0085',
    '\r\n',
    '\t',
    '\n\n',
    '  ',
    '\u2028',
    '\ufffd',
    '\u{e0001}',
  ],
  ...[
    "don't",
    'U.S.A.',
    '3.14',
    '1,000,000',
    '-12e-7',
    'a_b',
    'C++',
    'x==y',
    '$100',
    '#tag',
    '@user',
  ],
  ...[
    'https://example.org/a?b=c&d=%20',
    'someone@example.org',
    'camelCaseName',
    'ALLCAPS',
    'McDonald’s',
    '“quoted”',
  ],
  ...[
    'a'.repeat(101),
    'Donaudampfschifffahrtsgesellschaft',
    '1234567890'.repeat(12),
    '!?…—–',
    '°C',
    '№',
    '™',
  ],
];

/**
 * @param {number} count
 * @returns {string[]} Different texts, the same for the same number.
 */
export function tokenizerTexts(count) {
  const everyday = fromRoot(EVERYDAY).split('\n').filter(Boolean);
  const code = CODE.flatMap((path) =>
    fromRoot(path)
      .split('\n')
      .filter((line) => line.trim()),
  );
  const {strings: hard} = JSON.parse(fromRoot(HARD));
  const random = numbers();
  const one = (/** @type {string[]} */ list) => list[Math.floor(random() * list.length)];
  const many = (/** @type {string[]} */ list, /** @type {number} */ most) =>
    Array.from({length: 1 + Math.floor(random() * most)}, () => one(list));
  const kinds = [
    () => one(everyday),
    () => one(hard),
    () => one(code),
    () => many(PIECES, 8).join(one(['', ' '])),
    () => many([...PIECES, ...everyday], 6).join(' '),
    () => many(hard, 3).join(''),
  ];
  const fixed = ['', ' ', '\n', ...PIECES, everyday.join(' '), code.slice(0, 90).join('\n')];
  const texts = new Set(fixed);
  for (let n = 0; texts.size < count; n++) texts.add(kinds[n % kinds.length]());
  return [...texts].slice(0, count);
}

/** A linear congruential generator (Numerical Recipes), so that every run has the same texts. */
function numbers() {
  let state = 18;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}
