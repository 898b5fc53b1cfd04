/** Builds the C++ with every mutant in it, and tries each in the native tests and in those of the bindings. */

import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {withConditions, withMutant} from './conditions.mjs';
import {nodeTest, recordTests, testsThatReach, tryTests} from './tests.mjs';

/** @import {Mutant, Place} from '../mutants.mjs' */
/** @import {RecordedTest, Test} from './tests.mjs' */

const ROOMS = ['core', 'kernels', 'lab', 'analysis', 'model'];

/** Only the relaxed plug-in includes them; it has nowhere to keep which mutant is active. */
const IN_PLUGIN = /^src\/kernels\/(plugin_relaxed\.cpp|columns\.h)$/;

const WASM_TARGETS = [
  'bertscope_wasm',
  'bertscope-relaxed',
  ...['SignedDot', 'UnsignedDot', 'SaturatingDot'].map((dot) => `plugin-${dot}`),
];

/** A mutant that asks for ever more memory fails at 8 GB. */
const LIMITED = 'ulimit -v 8388608 && exec "$0" "$@"';

/** No warnings, since conditions make many. */
const FLAGS = '-w -Wno-narrowing';

/**
 * @param {Place} place
 * @param {Mutant[]} mutants
 */
export function nativeMutants(place, mutants) {
  const {tree, versions, versionOf} = place;
  for (const mutant of mutants) if (IN_PLUGIN.test(mutant.file)) mutant.alone = true;
  configure(tree);
  const builds = new Builds(place, mutants);
  builds.tryIn(
    'native',
    ROOMS.map((room) => ({
      name: `${room}_test`,
      version: versionOf(`tests/${room}`),
      command: ['sh', '-c', LIMITED, `build/native/tests/${room}_test`, '--abort'],
    })),
    ({file}) => !file.startsWith('src/wasm/') && !IN_PLUGIN.test(file),
  );
  builds.tryIn(
    'wasm',
    [...versions]
      .filter(([name]) => /^tests\/(engine|cli)\/(host\/)?[^/]*\.test\.js$/.test(name))
      .map(([name, version]) => nodeTest(name, version)),
    () => true,
  );
}

/** The builds that have mutants in them. */
class Builds {
  #place;
  #mutants;

  /** @param {Place} place @param {Mutant[]} mutants */
  constructor(place, mutants) {
    this.#place = place;
    this.#mutants = mutants;
  }

  /** @param {string} preset @param {Test[]} tests @param {(mutant: Mutant) => boolean} isBuilt */
  tryIn(preset, tests, isBuilt) {
    const {tree, folder, keep} = this.#place;
    this.#buildWithAll(preset);
    const recorded = recordTests(tree, tests, join(folder, `${preset}-tests.json`));
    const open = this.#mutants.filter(
      (mutant) => !mutant.killedBy && mutant.compiles && isBuilt(mutant),
    );
    for (const mutant of open.filter(({alone}) => !alone))
      tryTests(tree, testsThatReach(recorded, mutant), mutant, keep);
    // Last, since each of them leaves another build behind.
    for (const mutant of open.filter(({alone}) => alone)) this.#tryAlone(preset, recorded, mutant);
  }

  /** Takes those out that do not compile behind a condition, until the rest does. @param {string} preset */
  #buildWithAll(preset) {
    for (;;) {
      this.#writeSources();
      const output = build(this.#place.tree, preset);
      if (output === '') return;
      const refused = refusedBy(output, this.#mutants);
      if (refused.length === 0) throw new Error(`expected errors at mutants, found\n${output}`);
      for (const mutant of refused) {
        mutant.alone = true;
        this.#place.keep(mutant);
      }
    }
  }

  /** Only changed files are written, so that only they are compiled. */
  #writeSources() {
    const {tree, original} = this.#place;
    for (const file of new Set(this.#mutants.map((mutant) => mutant.file))) {
      const conditional = this.#mutants.filter((mutant) => mutant.file === file && !mutant.alone);
      const header = fileURLToPath(new URL('conditions.h', import.meta.url));
      const text = withConditions(original(file), conditional);
      writeIfChanged(
        join(tree, file),
        conditional.length ? `#include "${header}"\n#line 1\n${text}` : text,
      );
    }
  }

  /**
   * The other mutants of its file are left out meanwhile.
   *
   * @param {string} preset
   * @param {RecordedTest[]} tests
   * @param {Mutant} mutant
   */
  #tryAlone(preset, tests, mutant) {
    const {tree, original, keep} = this.#place;
    const path = join(tree, mutant.file);
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, withMutant(original(mutant.file), mutant));
    mutant.compiles = build(tree, preset) === '';
    if (mutant.compiles) tryTests(tree, tests, mutant, keep);
    else keep(mutant);
    writeFileSync(path, before);
  }
}

/** Returns the mutants at which a compiler found errors. @param {string} output @param {Mutant[]} mutants */
function refusedBy(output, mutants) {
  const lines = output.split('\n');
  const named = (/** @type {string[]} */ those) => {
    const places = those.flatMap((line) => [...line.matchAll(/([\w./-]+):(\d+):\d+/g)]);
    return mutants.filter(
      ({alone, file, line}) =>
        !alone && places.some(([, path, at]) => path.endsWith(file) && Number(at) === line),
    );
  };
  const inErrors = named(lines.filter((line) => line.includes('error:')));
  return inErrors.length ? inErrors : named(lines);
}

/** @param {string} tree */
function configure(tree) {
  const options = [`-DCMAKE_CXX_FLAGS=${FLAGS}`, '-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG'];
  for (const preset of ['native', 'wasm']) {
    const {status} = spawnSync('cmake', ['--preset', preset, '-DBERTSCOPE_TESTS=ON', ...options], {
      cwd: tree,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error(`cmake --preset ${preset}: expected 0, found ${status}`);
  }
}

/** @param {string} tree @param {string} preset @returns What it said if it failed, or an empty text. */
function build(tree, preset) {
  const targets = preset === 'wasm' ? ['--target', ...WASM_TARGETS] : [];
  const {status, stdout} = spawnSync(
    'cmake',
    ['--build', '--preset', preset, ...targets, '--', '-k', '0'],
    {cwd: tree, encoding: 'utf8', maxBuffer: 1 << 28},
  );
  return status === 0 ? '' : stdout;
}

/** @param {string} path @param {string} text */
function writeIfChanged(path, text) {
  if (readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}
