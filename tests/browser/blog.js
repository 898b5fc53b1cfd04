import {mkdtemp, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {serve} from './server.js';

const lib = fileURLToPath(new URL('../../dist/lib', import.meta.url));

/** The saved picture of an author. */
export const snapshot = {
  format: 'bertscope-snapshot',
  version: 1,
  text: 'le chat dort',
  tokens: ['le', 'chat', 'dort'],
  token_type_ids: [0, 0, 0],
  attentions: [
    [
      [[0.25, 0.75, 0], [1, 0, 0], [0.5, 0.25, 0.25]],
      [[0, 0, 1], [0.125, 0.5, 0.375], [0, 1, 0]],
    ],
  ], // prettier-ignore
};

/**
 * Serves an author's web pages beside the built package, as any static host does.
 *
 * @param {(name: string) => Record<string, string>} [headersOf]
 */
export async function openBlog(headersOf) {
  const folder = await mkdtemp(join(tmpdir(), 'bertscope-blog-'));
  await symlink(lib, join(folder, 'lib'));
  const server = await serve(folder, headersOf);
  return {
    folder,
    url: server.url,
    faults: server.faults,
    /**
     * @param {string} name
     * @param {string} body
     * @param {string} [script]  the address of the package's element
     * @param {string} [language]
     */
    async write(name, body, script = './lib/element.js', language = 'en') {
      const page = `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>A post</title>
        <link rel="icon" href="data:,"><script type="module" src="${script}"></script>
        <body><h1>A post</h1>${body}<p id="end">The end.</p></body></html>`;
      await writeFile(join(folder, name), page);
      return server.url + name;
    },
    async close() {
      server.close();
      await rm(folder, {recursive: true});
    },
  };
}

/** @param {object} content  the saved picture of a frozen element */
export const inline = (content) =>
  `<script type="application/json">${JSON.stringify(content).replaceAll('<', '\\u003c')}</script>`;
