/** These plug-ins do what the builds of `vite.config.js` need done to the sources. */

import {createHash} from 'node:crypto';
import {copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync} from 'node:fs';
import {basename} from 'node:path';
import {fileURLToPath} from 'node:url';
import {readTables} from '../docs/measured-tables.mjs';
import {readReference} from '../docs/reference.mjs';
import {page as pageEnglish} from '../../web/strings/en/live.js';
import {languageNames} from '../../web/strings/language.js';

const path = (/** @type {string} */ fromRoot) =>
  fileURLToPath(new URL(`../../${fromRoot}`, import.meta.url));

/** English is in every build; what is said in another language is loaded where it is asked for. */
export const otherLanguages = Object.keys(languageNames).filter((language) => language !== 'en');

/**
 * Lists the files of each language, so that they are built, where a module imports that of a `language`.
 *
 * @returns {import('vite').Plugin}
 */
export function listedLanguages() {
  const loading = /import\(`([^`]*)\$\{language\}([^`]*)`\)/g;
  return {
    name: 'bertscope-languages',
    enforce: 'pre',
    transform(code, id) {
      if (id.includes('/node_modules/') || code.search(loading) < 0) return null;
      const listed = (
        /** @type {string} */ _,
        /** @type {string} */ start,
        /** @type {string} */ end,
      ) =>
        `({${otherLanguages.map((each) => `${each}: () => import('${start}${each}${end}')`).join()}})[language]()`;
      return {code: code.replace(loading, listed), map: null};
    },
  };
}

/** Puts the strings of the catalogue where the page says `data-string="name"`. */
export function catalogue() {
  const page = /** @type {Record<string, string>} */ (pageEnglish.page);
  const text = (/** @type {string} */ name) => {
    if (!(name in page)) throw new Error(`index.html asks for the unknown string “${name}”`);
    return page[name].replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  };
  // The choices are there from the first paint: what stands beside them must not move when they come.
  const languages = Object.entries(languageNames)
    .map(([tag, name]) => `<option value="${tag}" lang="${tag}">${name}</option>`)
    .join('');
  return {
    name: 'bertscope-catalogue',
    transformIndexHtml: (/** @type {string} */ html) =>
      html
        .replace(/data-string="(\w+)"><\//g, (_, name) => `data-string="${name}">${text(name)}</`)
        .replace('<select id="language">', `$&${languages}`)
        .replace(/data-string="(\w+)" \/>/g, (_, name) => `content="${text(name)}" />`),
  };
}

/**
 * Puts a Content-Security-Policy into the pages, so that it holds on a host that sends none.
 *
 * @param {Record<string, string>} directives
 * @returns {import('vite').Plugin}
 */
export function policy(directives) {
  const content = Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
  return {
    name: 'bertscope-policy',
    apply: 'build',
    // It must come before what it is about.
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: {'http-equiv': 'Content-Security-Policy', content},
        injectTo: 'head-prepend',
      },
    ],
  };
}

/**
 * Gives the documentation what it takes from elsewhere: the API from docstrings, tables from the README.
 *
 * @returns {import('vite').Plugin}
 */
export function documented() {
  /** @type {Record<string, () => unknown>} */
  const modules = {
    'virtual:reference': readReference,
    'virtual:measured-tables': readTables,
    'virtual:frozen-integrity': frozenIntegrity,
    'virtual:downloads': () => ({}),
  };
  return {
    name: 'bertscope-documented',
    resolveId: (id) => (id in modules ? `\0${id}` : null),
    load: async (id) => {
      const read = modules[id.slice(1)];
      return read ? `export default ${JSON.stringify(await read())};` : null;
    },
  };
}

/**
 * Puts files of other builds beside the page, in the folder `download`, and gives the documentation their sizes. The
 * service worker keeps what is in the bundle, so it does not keep them. Where they are not beside the page, in the page
 * in one file and while developing, `documented()` gives no sizes.
 *
 * @param {readonly string[]} files  from the root
 * @returns {import('vite').Plugin}
 */
export function downloads(files) {
  const id = 'virtual:downloads';
  return {
    name: 'bertscope-downloads',
    apply: 'build',
    resolveId: (asked) => (asked === id ? `\0${id}` : null),
    load(asked) {
      if (asked !== `\0${id}`) return null;
      const missing = files.find((file) => !existsSync(path(file)));
      if (missing)
        throw new Error(`expected ${missing}, which npm run pack:scorm makes; found none`);
      const sizes = files.map((file) => [basename(file), statSync(path(file)).size]);
      return `export default ${JSON.stringify(Object.fromEntries(sizes))};`;
    },
    writeBundle({dir}) {
      mkdirSync(`${dir}/download`, {recursive: true});
      for (const file of files) copyFileSync(path(file), `${dir}/download/${basename(file)}`);
    },
  };
}

/**
 * Writes each line break of an `html` template, with the indentation around it, as one space.
 *
 * @returns {import('vite').Plugin}
 */
export function templates() {
  return {
    name: 'bertscope-templates',
    transform(code, id) {
      if (!code.includes('html`') || id.includes('/node_modules/')) return null;
      const collapse = (/** @type {string} */ text) => text.replace(/\s*\n\s*/g, ' ');
      let written = '';
      let end = 0;
      for (const text of templateTexts(this.parse(code))) {
        written += code.slice(end, text.start) + collapse(code.slice(text.start, text.end));
        ({end} = text);
      }
      return {code: written + code.slice(end), map: null};
    },
  };
}

/**
 * Finds the texts between the values of `html` templates, in their order.
 *
 * @param {any} node  of a syntax tree
 * @returns {{start: number, end: number}[]}
 */
function templateTexts(node) {
  if (typeof node !== 'object' || node === null) return [];
  const own =
    node.type === 'TaggedTemplateExpression' && node.tag.name === 'html' ? node.quasi.quasis : [];
  return [...own, ...Object.values(node).flatMap(templateTexts)].sort((a, b) => a.start - b.start);
}

/** Makes the modules that put the strings of a language where `given-strings.js` finds them. */
export function givenStrings() {
  const prefix = '\0virtual:given/';
  return {
    name: 'bertscope-given-strings',
    resolveId: (/** @type {string} */ id) => (id.startsWith(prefix.slice(1)) ? `\0${id}` : null),
    load(/** @type {string} */ id) {
      if (!id.startsWith(prefix)) return null;
      const language = id.slice(prefix.length);
      return `import {saved} from ${JSON.stringify(path(`web/strings/${language}/saved.js`))};
        (globalThis.bertscopeStrings ??= {})[${JSON.stringify(language)}] = saved;`;
    },
  };
}

/** Returns the `integrity` of each script of the element without an engine, by its file’s name. */
function frozenIntegrity() {
  const folder = path('build/frozen');
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  return Object.fromEntries(
    scripts.map((name) => {
      const hash = createHash('sha384').update(readFileSync(`${folder}/${name}`));
      return [name, `sha384-${hash.digest('base64')}`];
    }),
  );
}

/**
 * Writes addresses as `new URL('./file', import.meta.url)`, the form that a bundler of the package's
 * user understands; Vite nests it, since its own output is not meant to be bundled again.
 *
 * @returns {import('vite').Plugin}
 */
export function plainAddresses() {
  const nested =
    /new URL\(new URL\(([`"'])([^`"']+)\1,\s*import\.meta\.url\)\.href,\s*(?:([`"'])\3\s*\+\s*)?import\.meta\.url\)/g;
  return {
    name: 'bertscope-plain-addresses',
    generateBundle(_, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type !== 'chunk') continue;
        part.code = part.code.replace(nested, 'new URL("./$2", import.meta.url)');
      }
    },
  };
}

/**
 * Lets the page carry what it loads from beside it, which a notebook's widget brings from Python.
 *
 * @param {'offline' | 'notebook'} room  has modules in place of those that load
 * @returns {import('vite').Plugin}
 */
export function carried(room) {
  return {
    name: 'bertscope-carried',
    enforce: 'pre',
    resolveId(id) {
      const own =
        /^\.{1,2}\/(?:[a-z]+\/)*(start(?:-attention)?-worker|default-model|frozen-script)\.js$/;
      const [, name] = id.match(own) ?? [];
      if (!name) return null;
      const file = [room, 'offline']
        .map((folder) => path(`web/${folder}/${name}.js`))
        .find(existsSync);
      return file ?? null;
    },
  };
}

/**
 * Makes the page an application that can be installed: writes its manifest, and for the service worker
 * the list of files to keep.
 *
 * @returns {import('vite').Plugin}
 */
export function installable() {
  const manifest = {
    name: 'bertscope',
    short_name: 'bertscope',
    description: pageEnglish.page.description,
    start_url: './',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: '#ffffff',
    icons: [{src: 'icon.svg', sizes: 'any', type: 'image/svg+xml'}],
  };
  return {
    name: 'bertscope-installable',
    transformIndexHtml: () => [
      {tag: 'link', attrs: {rel: 'manifest', href: './manifest.webmanifest'}, injectTo: 'head'},
    ],
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        this.emitFile({
          type: 'asset',
          fileName: 'manifest.webmanifest',
          source: JSON.stringify(manifest),
        });
        this.emitFile({
          type: 'asset',
          fileName: 'icon.svg',
          source: readFileSync(path('web/page/icon.svg')),
        });
        const hash = createHash('sha256');
        const files = [];
        for (const file of Object.values(bundle)) {
          if (file.fileName === 'service-worker.js') continue;
          hash.update(file.fileName).update(file.type === 'chunk' ? file.code : file.source);
          files.push({url: file.fileName, isHashed: file.fileName.startsWith('assets/')});
        }
        const worker = bundle['service-worker.js'];
        if (worker?.type !== 'chunk') throw new Error('expected a service worker, found none');
        const release = {id: hash.digest('hex').slice(0, 16), files};
        worker.code = worker.code.replace(/\w+\.__RELEASE__/, JSON.stringify(release));
      },
    },
  };
}
