/**
 * Writes the fields of `<bert-scope>` as traits of the Python package, from the element's own list. With --check it writes
 * nothing, and it fails if the file is out of date.
 */

import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {attributeOf, fields} from '../../web/scope/state-fields.js';
import {traits} from '../../web/notebook/traits.js';

/** @import {Trait} from '../../web/notebook/traits.js' */

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));
const FILE = path('../../web/notebook/python/bertscope/fields.py');
const source = ['state-fields.js', 'origin-fields.js']
  .map((name) => readFileSync(path(`../../web/scope/${name}`), 'utf8'))
  .join('');

/** The trait of each type: its annotation is what traitlets derives. @type {Record<Trait['type'], string>} */
const classes = {
  text: 'Unicode',
  number: 'Float',
  integer: 'Int',
  flag: 'Bool',
  integers: 'List',
};

/** The sentences above a field in the list. @param {string} field */
function helpOf(field) {
  const [, comment] =
    source.match(new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*${field}: field\\(`)) ?? [];
  if (!comment) throw new Error(`expected a comment above ${field}, found none`);
  return comment
    .replace(/^\s*\* ?/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** @param {unknown} value  of JSON */
const inPython = (value) =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);

/** @param {Trait} trait */
function lineOf({field, name, type, words, isWritten}) {
  const {initial} = fields[field];
  const first = isWritten ? '""' : inPython(initial);
  const listed = `[${words.map(inPython).join(', ')}]`;
  const plain =
    type === 'integers'
      ? `traitlets.List(traitlets.Int(), ${first})`
      : `traitlets.${classes[type]}(${first})`;
  const isEnum = type === 'text' && words.length > 0;
  const trait = isEnum
    ? `traitlets.Enum(${listed}, ${first})`
    : words.length
      ? `traitlets.Union([${plain}, traitlets.Enum(${listed})])`
      : plain;
  return `    ${name} = ${trait}.tag(sync=True)\n    """${helpOf(field)}"""\n`;
}

const written = `"""The fields of \`<bert-scope>\`, as traits. scripts/notebook/fields.mjs writes this file from web/scope/state-fields.js."""

from __future__ import annotations

import traitlets

#: The attribute of each field.
ATTRIBUTES = {
${traits.map(({name, field}) => `    "${name}": "${attributeOf(field)}",\n`).join('')}}


class Fields(traitlets.HasTraits):
    """What a picture shows. Values that have parts are written as in the attribute and in addresses."""

${traits.map(lineOf).join('\n')}`;

const {values} = parseArgs({options: {check: {type: 'boolean', default: false}}});
if (!values.check) writeFileSync(FILE, written);
else if (readFileSync(FILE, 'utf8') !== written) {
  console.error(`${FILE} is out of date; run node scripts/notebook/fields.mjs`);
  process.exitCode = 1;
}
