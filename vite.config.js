import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vite';
import {
  carried,
  catalogue,
  documented,
  downloads,
  givenStrings,
  installable,
  listedLanguages,
  otherLanguages,
  plainAddresses,
  policy,
  templates,
} from './scripts/bundle/plugins.mjs';
import {sharedByWorker} from './scripts/bundle/worker-chunks.mjs';

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));

const everyPolicy = {
  'default-src': "'none'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  // Models come from any host that the reader approves, and from a server of their own.
  'connect-src': "'self' https: http://localhost:* data: blob:",
  'base-uri': "'none'",
  'form-action': "'none'",
};
const sitePolicy = {
  ...everyPolicy,
  // No text becomes HTML or a script but through Lit's policy and that of `web/page/own-scripts.js`.
  'require-trusted-types-for': "'script'",
  'trusted-types': 'lit-html default',
  'script-src': "'self' 'wasm-unsafe-eval'",
  'worker-src': "'self'",
  'frame-src': "'self'",
  'manifest-src': "'self'",
};
/** Everything is inside the file, the worker's script too. */
const offlinePolicy = {
  ...everyPolicy,
  'script-src': "'unsafe-inline' 'wasm-unsafe-eval' blob: data:",
  'worker-src': 'blob: data:',
};

/** What both pages of the site start with, besides all that these import. */
const startOfBoth =
  /\/web\/(controls\/adopt-styles|page\/(address|element|find-element|link-consent|own-scripts)|strings\/page)\.js$/;

/** What the element starts with and the package's other entries import too. */
const startOfViews =
  /\/web\/(views\/(head|styles|parts\/grid-keys)|attention\/(display|import-attention|shape|special-tokens))\b/;
const startOfEngine = /preload-helper|\/web\/engine\/(errors|hub-address|json|measures)\.js$/;

const browsers = ['chrome123', 'firefox120', 'safari17.5'];

/** The page: `dist/site`, which works from any folder of any static host. */
const site = defineConfig({
  root: path('web/page'),
  base: './',
  plugins: [
    listedLanguages(),
    catalogue(),
    policy(sitePolicy),
    downloads(['dist/offline/bertscope.html', 'dist/scorm/bertscope-lessons.zip']),
    documented(),
    installable(),
  ],
  build: {
    outDir: path('dist/site'),
    emptyOutDir: true,
    target: browsers,
    assetsInlineLimit: 0,
    modulePreload: {polyfill: false},
    rolldownOptions: {
      input: {
        index: path('web/page/index.html'),
        embed: path('web/page/embed.html'),
        'service-worker': path('web/page/service-worker.js'),
      },
      // The page has the engine in its own script, where an element loads it only when it is live.
      checks: {ineffectiveDynamicImport: false, pluginTimings: false},
      output: {
        entryFileNames: ({name}) =>
          name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js',
        // A model is called by its file's name.
        assetFileNames: ({names}) =>
          names[0]?.endsWith('.safetensors')
            ? 'assets/[hash]/[name][extname]'
            : 'assets/[name]-[hash][extname]',
        // A file each for what both pages start with and for what one of them starts with: every request has its price.
        codeSplitting: {
          groups: [
            {name: 'element', test: startOfBoth},
            // A request for the arithmetic of heads alone, which comes soon after, would cost more than its bytes here.
            {name: 'headline', test: /\/web\/(scope\/headline|attention\/head-arithmetic)\./},
            {name: 'page', test: /\/web\/page\/main\.js$/},
          ],
        },
      },
    },
  },
  worker: {format: 'es', plugins: () => [sharedByWorker()]},
  server: {host: 'localhost', fs: {allow: [path('.')]}},
  preview: {host: 'localhost', port: 4173, strictPort: true},
});

/**
 * The package, ready for a page without a bundler: `dist/lib/bertscope.js` (engine), `element.js` and
 * `views.js`, with worker, binary and model beside them.
 */
const lib = defineConfig({
  root: path('.'),
  base: './',
  publicDir: false,
  plugins: [listedLanguages(), plainAddresses()],
  build: {
    outDir: path('dist/lib'),
    emptyOutDir: true,
    target: browsers,
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      checks: {pluginTimings: false},
      input: {
        bertscope: path('web/engine/index.js'),
        element: path('web/scope/element.js'),
        views: path('web/views/index.js'),
      },
      preserveEntrySignatures: 'strict',
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'part-[name].js',
        assetFileNames: '[name][extname]',
        // What the views' own entry shares with the element, and what else the element starts with.
        codeSplitting: {
          groups: [
            {name: 'addresses', test: startOfEngine},
            {name: 'views', test: startOfViews},
            {name: 'scope', test: /\/web\/(scope\/(bert-scope|live)|session\/page-access)\.js$/},
          ],
        },
      },
    },
  },
  worker: {
    format: 'es',
    plugins: () => [plainAddresses(), sharedByWorker()],
    rolldownOptions: {
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'part-[name].js',
        assetFileNames: '[name][extname]',
      },
    },
  },
});

/** The element for saved pictures, in one script: pages that readers save carry it. */
const frozen = defineConfig({
  root: path('.'),
  publicDir: false,
  plugins: [templates()],
  resolve: {
    alias: [
      {find: './saved-in.js', replacement: path('web/strings/given-strings.js')},
      {
        find: './reader-changes-codec.js',
        replacement: path('web/scope/no-reader-changes-codec.js'),
      },
    ],
  },
  build: {
    outDir: path('build/frozen'),
    target: browsers,
    // A library, so Vite adds no code that loads other files.
    lib: {
      entry: path('web/scope/frozen.js'),
      formats: ['es'],
      fileName: () => 'bertscope-frozen.js',
    },
    rolldownOptions: {
      checks: {pluginTimings: false},
      output: {codeSplitting: false, minify: true, comments: false},
    },
  },
});

/** What gives frozen elements their strings in another language than English: a script for each, which runs before. */
const frozenLanguages = defineConfig({
  root: path('.'),
  publicDir: false,
  plugins: [givenStrings()],
  build: {
    outDir: path('build/frozen'),
    emptyOutDir: false,
    target: browsers,
    modulePreload: false,
    rolldownOptions: {
      input: Object.fromEntries(
        otherLanguages.map((language) => [
          `bertscope-frozen-${language}`,
          `virtual:given/${language}`,
        ]),
      ),
      checks: {pluginTimings: false},
      output: {entryFileNames: '[name].js', comments: false},
    },
  },
});

/** The page in one script and one style sheet; `scripts/pack-offline.mjs` puts them into one file. */
const offline = defineConfig({
  root: path('web/page'),
  base: './',
  publicDir: false,
  plugins: [
    listedLanguages(),
    catalogue(),
    policy(offlinePolicy),
    documented(),
    carried('offline'),
  ],
  build: {
    outDir: path('build/offline'),
    emptyOutDir: true,
    target: browsers,
    assetsInlineLimit: Infinity,
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      checks: {ineffectiveDynamicImport: false, pluginTimings: false},
      output: {codeSplitting: false},
    },
  },
  // A classic script: a page from a file may start no module.
  worker: {format: 'iife'},
});

/** The front end of the Python package's widget, in one script. */
const notebook = defineConfig({
  root: path('.'),
  publicDir: false,
  plugins: [listedLanguages(), carried('notebook')],
  build: {
    outDir: path('build/notebook'),
    emptyOutDir: true,
    target: browsers,
    lib: {entry: path('web/notebook/widget.js'), formats: ['es'], fileName: () => 'widget.js'},
    rolldownOptions: {
      checks: {ineffectiveDynamicImport: false, pluginTimings: false},
      output: {codeSplitting: false, minify: true, comments: false},
    },
  },
  worker: {format: 'iife'},
});

/** The engine's worker in one script, which the widget brings from the Python package. */
const notebookWorker = defineConfig({
  root: path('.'),
  publicDir: false,
  // A classic script has no `import.meta`, and all that it would load is inside it.
  define: {'import.meta.url': 'self.location.href'},
  build: {
    outDir: path('build/notebook'),
    emptyOutDir: false,
    target: browsers,
    lib: {
      entry: path('web/offline/worker.js'),
      formats: ['iife'],
      name: 'bertscopeWorker',
      fileName: () => 'worker.js',
    },
    rolldownOptions: {checks: {pluginTimings: false}, output: {minify: true, comments: false}},
  },
});

const builds = {
  lib,
  frozen,
  'frozen-languages': frozenLanguages,
  offline,
  notebook,
  'notebook-worker': notebookWorker,
};

export default defineConfig(({mode}) => builds[/** @type {keyof typeof builds} */ (mode)] ?? site);
