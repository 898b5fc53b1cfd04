import assert from 'node:assert/strict';
import {test} from 'node:test';
import {lessons} from '../../web/lessons/index.js';
import {launcher, manifest} from '../../scripts/scorm/manifest.mjs';

const hostile = {
  id: 'x',
  title: 'A & B <script>"C"',
  steps: [{id: 'first', title: ''}],
};

test('a manifest has an item and a file for each lesson, and every reference is to something in it', () => {
  const xml = manifest(lessons, 'All');
  const all = (/** @type {RegExp} */ pattern) => [...xml.matchAll(pattern)].map(([, name]) => name);
  const identifiers = all(/\bidentifier="([^"]+)"/g);
  assert.equal(new Set(identifiers).size, identifiers.length);
  for (const each of all(/\b(?:identifierref|default)="([^"]+)"/g))
    assert(identifiers.includes(each), each);
  assert.equal(all(/<item /g).length, lessons.length);
  const files = all(/<file href="([^"]+)"/g);
  for (const href of all(/<resource [^>]*href="([^"]+)"/g)) assert(files.includes(href), href);
  assert.deepEqual(files.sort(), [
    ...['bertscope.html', 'launch.js', ...lessons.map(({id}) => `${id}.html`)].sort(),
  ]);
});

test('a title is a text in the manifest and in the launcher', () => {
  const xml = manifest([hostile], hostile.title);
  assert.equal(xml.split('<title>A &amp; B &lt;script>&quot;C&quot;</title>').length, 3);
  const html = launcher(hostile);
  assert(html.includes('<title>A &amp; B &lt;script>&quot;C&quot;</title>'));
  assert(html.includes('data-first="#/lessons/x/first"'));
});
