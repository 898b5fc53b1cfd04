import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vite';

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));

/** The benchmark's page and worker, built as the site is. */
export default defineConfig({
  root: path('page'),
  base: './',
  // The imports map of the root's package.json ends at this folder's own.
  resolve: {alias: {'#wasm': path('../../build/wasm')}},
  build: {
    outDir: path('../../build/bench/page'),
    emptyOutDir: true,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
  },
  worker: {format: 'es'},
});
