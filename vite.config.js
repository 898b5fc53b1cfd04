import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vite';
import {english} from './web/strings/en.js';

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));

const browsers = ['chrome123', 'firefox120', 'safari17.5'];

/** The page: `dist/site`, which works from any folder of any static host. */
const site = defineConfig({
  root: path('web/page'),
  base: './',
  plugins: [catalogue()],
  build: {
    outDir: path('dist/site'),
    emptyOutDir: true,
    target: browsers,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // A model is called by its file's name.
        assetFileNames: ({names}) =>
          names[0]?.endsWith('.safetensors')
            ? 'assets/[hash]/[name][extname]'
            : 'assets/[name]-[hash][extname]',
      },
    },
  },
  worker: {format: 'es'},
  server: {host: 'localhost', fs: {allow: [path('.')]}},
  preview: {host: 'localhost', port: 4173, strictPort: true},
});

/** The package: `dist/lib/bertscope.js`, its worker and binary beside it. */
const lib = defineConfig({
  root: path('.'),
  base: './',
  publicDir: false,
  build: {
    outDir: path('dist/lib'),
    target: browsers,
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      input: path('web/engine/index.js'),
      preserveEntrySignatures: 'strict',
      output: {entryFileNames: 'bertscope.js', assetFileNames: '[name][extname]'},
    },
  },
  worker: {
    format: 'es',
    rolldownOptions: {output: {entryFileNames: '[name].js', assetFileNames: '[name][extname]'}},
  },
});

export default defineConfig(({mode}) => (mode === 'lib' ? lib : site));

/** Puts the strings of the catalogue where the page says `data-string="name"`. */
function catalogue() {
  /** @type {Record<string, string>} */
  const page = english.page;
  const text = (/** @type {string} */ name) => {
    if (!(name in page)) throw new Error(`index.html asks for the unknown string “${name}”`);
    return page[name].replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  };
  return {
    name: 'bertscope-catalogue',
    transformIndexHtml: (/** @type {string} */ html) =>
      html
        .replace(/data-string="(\w+)"><\//g, (_, name) => `data-string="${name}">${text(name)}</`)
        .replace(/data-string="(\w+)" \/>/g, (_, name) => `content="${text(name)}" />`),
  };
}
