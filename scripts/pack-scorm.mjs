/**
 * Makes `dist/scorm/bertscope-lessons.zip`, a SCORM 1.2 package of all lessons, or of those that are named:
 * `npm run pack:scorm -- guess-the-word` makes `bertscope-guess-the-word.zip`.
 *
 * The single offline file is inside, not the site: a platform then needs to know no type of file but HTML and
 * JavaScript, no path and no service worker, and a lesson never waits for a second download.
 */

import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {strToU8, zipSync} from 'fflate';
import {lessons} from '../web/lessons/index.js';
import {launcher, launcherFile, lessonFile, manifest, pageFile} from './scorm/manifest.mjs';

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));

const OUT = path('../dist/scorm');
/** Platforms take packages of 10 MB and more only if somebody has allowed it. */
const MOST_BYTES = 10e6;

const asked = process.argv.slice(2);
for (const id of asked) {
  if (lessons.some((lesson) => lesson.id === id)) continue;
  const known = lessons.map((lesson) => lesson.id).join(', ');
  console.error(`pack-scorm: expected a lesson (${known}), found ${id}`);
  process.exit(2);
}
const packed = asked.length ? lessons.filter(({id}) => asked.includes(id)) : lessons;
const title = packed.length === 1 ? packed[0].title : 'bertscope: attention, taken apart';

/** @type {Record<string, Uint8Array>} */
const files = {
  'imsmanifest.xml': strToU8(manifest(packed, title)),
  [launcherFile]: await readFile(path('scorm/launch.js')),
  [pageFile]: await readFile(path('../dist/offline/bertscope.html')),
};
for (const lesson of packed) files[lessonFile(lesson)] = strToU8(launcher(lesson));
// The same files make the same package, whenever it is made.
const zip = zipSync(files, {level: 9, mtime: '1980-01-01T00:00:00'});
const name = `bertscope-${asked.length ? packed.map(({id}) => id).join('-') : 'lessons'}.zip`;
await mkdir(OUT, {recursive: true});
await writeFile(`${OUT}/${name}`, zip);
console.log(`dist/scorm/${name}: ${(zip.length / 1e6).toFixed(1)} MB`);
if (zip.length > MOST_BYTES)
  throw new Error(`expected at most ${MOST_BYTES} bytes, found ${zip.length}`);
