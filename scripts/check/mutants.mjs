#!/usr/bin/env node
/**
 * Measures what the tests notice: changes one place of the sources at a time, and runs the tests that reach it until
 * one fails (DeMillo, Lipton & Sayward 1978).
 */

import {execFileSync} from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {browserMutants} from './mutants/browser.mjs';
import {withConditions} from './mutants/conditions.mjs';
import {nativeMutants} from './mutants/native.mjs';
import {sitesOf} from './mutants/sites.mjs';
import {nodeTest, recordTests, testsThatReach, tryTests} from './mutants/tests.mjs';

/** @import {Site} from './mutants/sites.mjs' */

/**
 * @typedef {object} Verdict
 * @property {number} id
 * @property {string} [killedBy] The test that fails.
 * @property {string[]} survived The versions of the tests that do not.
 * @property {boolean} compiles
 * @property {boolean} [alone] It does not compile behind a condition, and is built without others.
 */

/** @typedef {Site & Verdict} Mutant */

/**
 * @typedef {object} Place
 * @property {string} tree A work tree of the last commit, with the mutants in it.
 * @property {string} folder Where what is known is kept.
 * @property {Map<string, string>} versions Of the committed files.
 * @property {(path: string) => string} versionOf Of a folder.
 * @property {(file: string) => string} original A source without mutants.
 * @property {(mutant: Mutant) => void} keep
 */

const HELP = `npm run check:mutants -- [--in src|web] [--count 150] [--seed 1] [--browser SECONDS]

Makes mutants of the committed sources in a work tree of their own (below build/mutants): a changed
constant, comparison or sign, or a statement left out, at places chosen by the seed. Runs the tests
that reach each, quick ones first, until one fails: the native C++ tests and those of the bindings
for src, and the unit tests for web. Prints how many were noticed in each folder, and lists the
others. What is known is kept in build/mutants: a second run goes on from there, and tries survivors
in the tests that were changed since.

    --in       src or web alone; both unless given
    --count    mutants of each
    --browser  tries what survives in web in those browser tests that take at most so long
`;

const root = fileURLToPath(new URL('../../', import.meta.url));
const {values} = parseArgs({
  options: {
    in: {type: 'string'},
    count: {type: 'string', default: '150'},
    seed: {type: 'string', default: '1'},
    browser: {type: 'string'},
    help: {type: 'boolean', short: 'h'},
  },
});

function main() {
  const mutants = (values.in ? [values.in] : ['src', 'web']).flatMap((part) => {
    const version = git('rev-parse', `HEAD:${part}`).trim().slice(0, 12);
    const folder = join(root, 'build/mutants', `${part}-${version}-${values.seed}`);
    const place = preparedPlace(folder);
    const chosen = chosenMutants(part, place);
    (part === 'src' ? nativeMutants : webMutants)(place, chosen);
    return chosen;
  });
  process.stdout.write(tableOf(mutants));
}

/** @param {...string} args */
const git = (...args) =>
  execFileSync('git', args, {cwd: root, encoding: 'utf8', maxBuffer: 1 << 26});

/**
 * Checks the last commit out into the work tree, but for the sources, which have mutants in them.
 *
 * @param {string} folder
 * @returns {Place}
 */
function preparedPlace(folder) {
  const tree = join(folder, 'tree');
  if (!existsSync(tree)) {
    mkdirSync(folder, {recursive: true});
    git('worktree', 'add', '--quiet', '--detach', tree, 'HEAD');
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  }
  const head = git('rev-parse', 'HEAD').trim();
  execFileSync('git', ['checkout', '--quiet', head, '--', '.', ':!src', ':!web'], {cwd: tree});
  const lines = git('ls-tree', '-r', 'HEAD').split('\n').filter(Boolean);
  const versions = new Map(
    lines.map((line) => {
      const [, , version, file] = line.split(/\s/);
      return [file, version];
    }),
  );
  return {
    tree,
    folder,
    versions,
    versionOf: (path) => git('rev-parse', `HEAD:${path}`).trim(),
    original: (file) => git('show', `HEAD:${file}`),
    keep(mutant) {
      appendFileSync(join(folder, 'mutants.jsonl'), `${JSON.stringify(mutant)}\n`);
      process.stderr.write(`${described(mutant)}: ${outcomeOf(mutant)}\n`);
    },
  };
}

/**
 * As many places as are asked for, in an order that the seed decides, with what is known of them.
 *
 * @param {string} part
 * @param {Place} place
 */
function chosenMutants(part, {folder, versions, original}) {
  const kept = join(folder, 'mutants.jsonl');
  /** @type {Mutant[]} */
  const known = existsSync(kept)
    ? readFileSync(kept, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
  const files = [...versions.keys()].filter(
    (file) =>
      file.startsWith(`${part}/`) &&
      /\.(cpp|h|js)$/.test(file) &&
      !/^web\/(strings|models)\//.test(file),
  );
  /** @type {Mutant[]} */
  const chosen = [];
  const sites = shuffled(files.flatMap((file) => sitesOf(file, original(file))));
  for (const [id, site] of sites.entries()) {
    if (chosen.length === Number(values.count)) break;
    if (chosen.some((other) => overlap(other, site))) continue;
    chosen.push(
      known.findLast((mutant) => mutant.id === id) ?? {...site, id, survived: [], compiles: true},
    );
  }
  return chosen;
}

/** @param {Site[]} sites */
function shuffled(sites) {
  const random = randomFrom(Number(values.seed));
  for (let i = sites.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [sites[i], sites[other]] = [sites[other], sites[i]];
  }
  return sites;
}

/** The generator “mulberry32” of Tommy Ettinger (2017): numbers from 0 to 1. @param {number} seed */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @param {Site} a @param {Site} b */
const overlap = (a, b) => a.file === b.file && a.start < b.end && b.start < a.end;

/** @param {Place} place @param {Mutant[]} mutants */
function webMutants(place, mutants) {
  const {tree, folder, versions, original, keep} = place;
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const those = mutants.filter((mutant) => mutant.file === file);
    writeFileSync(join(tree, file), withConditions(original(file), those));
  }
  execFileSync('npm', ['run', '--silent', 'build:wasm'], {cwd: tree});
  const recorder = fileURLToPath(new URL('mutants/node-recorder.mjs', import.meta.url));
  const names = [...versions].filter(([name]) =>
    /^tests\/(?!browser|published|notebook\/hosts).*\.test\.js$/.test(name),
  );
  const tests = recordTests(
    tree,
    names.map(([name, version]) => nodeTest(name, version, recorder)),
    join(folder, 'unit-tests.json'),
  );
  for (const mutant of mutants.filter(({killedBy}) => !killedBy))
    tryTests(tree, testsThatReach(tests, mutant), mutant, keep);
  if (values.browser) browserMutants(place, mutants, Number(values.browser));
}

/** @param {Mutant} mutant */
const outcomeOf = ({killedBy, compiles, alone, survived}) =>
  killedBy ??
  (!compiles
    ? 'does not compile'
    : alone && !survived.length
      ? 'to be built alone'
      : `SURVIVED ${survived.length} tests`);

/** @param {Site} site */
function described({file, line, kind, from, to}) {
  const shown = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').slice(0, 70);
  return `${file}:${line} ${kind}: ${shown(from)} -> ${kind === 'statement' ? '(left out)' : shown(to)}`;
}

/** @param {Mutant[]} mutants */
function tableOf(mutants) {
  const roomOf = (/** @type {Mutant} */ {file}) => file.split('/').slice(0, 2).join('/');
  const rooms = [...new Set(mutants.map(roomOf))].sort();
  const rows = [...rooms, 'all'].map((room) => {
    const those = mutants.filter((mutant) => room === 'all' || roomOf(mutant) === room);
    const compiled = those.filter(({compiles}) => compiles);
    const killed = compiled.filter(({killedBy}) => killedBy).length;
    const share = Math.round((100 * killed) / compiled.length);
    return `| ${room} | ${compiled.length} | ${killed} | ${share} % | ${those.length - compiled.length} |`;
  });
  const survivors = mutants.filter(({killedBy, compiles}) => compiles && !killedBy);
  return `${[
    '| folder | mutants | killed | share | not compiled |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    'Survivors:',
    ...survivors.map((mutant) => `- ${described(mutant)}: ${mutant.survived.length} tests`),
  ].join('\n')}\n`;
}

if (values.help) process.stdout.write(HELP);
else main();
