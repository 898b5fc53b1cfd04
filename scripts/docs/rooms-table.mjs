/**
 * Writes the README's table of rooms from `.dependency-cruiser.mjs`. With --check it writes nothing, and it fails if
 * the table is out of date.
 */

import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {format, resolveConfig} from 'prettier';
import {rooms} from '../../.dependency-cruiser.mjs';

const README = fileURLToPath(new URL('../../README.md', import.meta.url));
const MARKED = /(<!-- rooms: [^>]* -->\n).*?(<!-- \/rooms -->)/s;

const {values} = parseArgs({options: {check: {type: 'boolean', default: false}}});

const rows = Object.entries(rooms).map(([room, {holds, knows, types = []}]) => {
  const known = [...knows.map(short), ...types.map((each) => `${short(each)} (types)`)];
  return `| \`${room}\` | ${holds} | ${known.join(', ') || 'nothing'} |`;
});
const table = ['| room | holds | knows |', '| --- | --- | --- |', ...rows].join('\n');

const text = readFileSync(README, 'utf8');
if (!MARKED.test(text))
  throw new Error('README.md: expected the marks of the table of rooms, found none');
const written = await format(
  text.replace(MARKED, (_, begin, end) => `${begin}\n${table}\n\n${end}`),
  {...(await resolveConfig(README)), parser: 'markdown'},
);
if (!values.check) writeFileSync(README, written);
else if (written !== text) {
  console.error(
    'README.md: the table of rooms is out of date; run node scripts/docs/rooms-table.mjs',
  );
  process.exitCode = 1;
}

/** @param {string} room */
function short(room) {
  return room.replace(/^web\//, '');
}
