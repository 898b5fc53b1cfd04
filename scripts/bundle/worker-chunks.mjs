/** Puts the chunks of a worker that it needs at its start into its script. */

/** @typedef {import('vite').Rollup.OutputBundle} Bundle */
/** @typedef {import('vite').Rollup.OutputChunk} Chunk */

/** The global object that holds what chunks export, by their file names. */
const shared = 'self.bertscopeShared';

/** The exports at the end of a chunk. */
const exported = /export\s*\{([^}]*)\};?\s*$/;

/**
 * Puts all that a worker needs at its start into its script, and lets what it loads later take from a global object
 * what they share. As an import, it would make WebKit run that script a second time, and a second script would delay
 * the first.
 *
 * @returns {import('vite').Plugin}
 */
export function sharedByWorker() {
  return {
    name: 'bertscope-shared-by-worker',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
      if (chunks.length > 1) joinStart(bundle, chunks);
    },
  };
}

/**
 * Puts the chunks that the entry needs into it, and removes them from the bundle.
 *
 * @param {Bundle} bundle
 * @param {Chunk[]} chunks
 */
function joinStart(bundle, chunks) {
  const [entry] = chunks.filter(({isEntry}) => isEntry);
  const before = neededBefore(entry, chunks);
  for (const chunk of before) takeFrom(chunk, chunks);
  if (takeFrom(entry, chunks)) {
    replace(entry, exported, (names) => `${placeOf(entry)}={${propertiesOf(names)}};`);
  }
  for (const chunk of before) {
    replace(chunk, exported, (names) => `return{${propertiesOf(names)}}`);
    delete bundle[chunk.fileName];
  }
  const whole = before.map((chunk) => `${placeOf(chunk)}=(()=>{${chunk.code}})();`);
  entry.code = `${shared}={};${whole.join('')}${entry.code}`;
}

/**
 * Lists the chunks that a chunk needs at its start, each before those that import it.
 *
 * @param {Chunk} chunk
 * @param {Chunk[]} chunks
 * @param {Chunk[]} [above]  those that lead to this chunk
 * @param {Chunk[]} [listed]  gets them
 */
function neededBefore(chunk, chunks, above = [], listed = []) {
  const path = [...above, chunk];
  for (const name of chunk.imports) {
    const imported = chunks.find(({fileName}) => fileName === name);
    if (!imported || listed.includes(imported)) continue;
    if (path.includes(imported)) {
      const found = path.map(({fileName}) => fileName).join(', ');
      throw new Error(`${name}: expected no chunk of it to import it, found ${found}`);
    }
    neededBefore(imported, chunks, path, listed);
    listed.push(imported);
  }
  return listed;
}

/**
 * Lets others take what they import from a chunk out of the global object.
 *
 * @param {Chunk} chunk
 * @param {Chunk[]} chunks
 * @returns {boolean}  whether any imports it
 */
function takeFrom(chunk, chunks) {
  const importers = chunks.filter(({imports}) => imports.includes(chunk.fileName));
  const file = (chunk.fileName.split('/').at(-1) ?? '').replace(/[^\w-]/g, '\\$&');
  const from = new RegExp(`import\\s*\\{([^}]*)\\}\\s*from\\s*["'](?:[^"']*/)?${file}["'];?`);
  for (const importer of importers) {
    replace(
      importer,
      from,
      (names) => `const{${names.replaceAll(' as ', ':')}}=${placeOf(chunk)};`,
    );
  }
  return importers.length > 0;
}

/** @param {Chunk} chunk @param {RegExp} from @param {(names: string) => string} to */
function replace(chunk, from, to) {
  const code = chunk.code.replace(from, (_, names) => to(names));
  if (code === chunk.code) throw new Error(`${chunk.fileName}: expected ${from}, found none`);
  chunk.code = code;
}

/** The exports of a chunk, `own as theirs`, as the properties of an object. @param {string} names */
const propertiesOf = (names) => names.replace(/([\w$]+) as ([\w$]+)/g, '$2:$1');

/** Where the global object has the exports of a chunk. @param {Chunk} chunk */
const placeOf = ({fileName}) => `${shared}[${JSON.stringify(fileName)}]`;
