/** Makes `dist/offline/bertscope.html`: the page with everything in it, for a class without a network. */

import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));

/** As Vite built it: `vite build --mode offline`. */
const BUILT = path('../build/offline');
const MODELS = path('../web/models');
const ICON = path('../web/page/icon.svg');
const OUT = path('../dist/offline');
const MOST_BYTES = 14e6;

const html = await readFile(`${BUILT}/index.html`, 'utf8');
const [script, style] = await Promise.all([assetOf('.js'), assetOf('.css')]);
const models = await Promise.all(['default', 'dates'].map(packed));
const icon = `data:image/svg+xml;base64,${(await readFile(ICON)).toString('base64')}`;

const page = html
  .replace(/<script type="module"[^>]*><\/script>/, '')
  .replace(/<link rel="(stylesheet|modulepreload|manifest)"[^>]*>/g, '')
  .replace(/(<link rel="icon" href=")[^"]*/, (_, start) => `${start}${icon}`)
  .replace('</head>', () => `<style>${style.replaceAll('</style', '<\\/style')}</style></head>`)
  .replace(
    '</body>',
    () => `${models.join('\n')}
<script type="module">${inScript(script)}</script></body>`,
  );
await mkdir(OUT, {recursive: true});
await writeFile(`${OUT}/bertscope.html`, page);
const bytes = Buffer.byteLength(page);
console.log(`dist/offline/bertscope.html: ${(bytes / 1e6).toFixed(1)} MB`);
if (bytes > MOST_BYTES) throw new Error(`expected at most ${MOST_BYTES} bytes, found ${bytes}`);

/** @param {string} folder @returns The element that holds its model. */
async function packed(folder) {
  const name = (await readdir(`${MODELS}/${folder}`)).find((each) => each.endsWith('.safetensors'));
  if (!name) throw new Error(`${MODELS}/${folder}: expected a .safetensors model, found none`);
  const zipped = gzipSync(await readFile(`${MODELS}/${folder}/${name}`), {level: 9});
  return `<script type="text/plain" data-model="${folder}" data-name="${name}">${zipped.toString('base64')}</script>`;
}

/** @param {string} extension */
async function assetOf(extension) {
  const names = (await readdir(`${BUILT}/assets`)).filter((name) => name.endsWith(extension));
  if (names.length !== 1) {
    throw new Error(`${BUILT}/assets: expected one ${extension} file, found ${names.join(', ')}`);
  }
  return readFile(`${BUILT}/assets/${names[0]}`, 'utf8');
}

/** Nothing in strings and regular expressions ends the element. @param {string} code */
function inScript(code) {
  return code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}
