/** Tries what no unit test noticed in browser tests, on one build that holds all of it. */

import {execFileSync} from 'node:child_process';
import {cpSync, existsSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {nodeTest, recordTests, testsThatReach, tryTests} from './tests.mjs';

/** @import {Mutant, Place} from '../mutants.mjs' */

/** Says once in each page and worker that a mutant's place was run; no mutant is active. */
const RECORDER =
  'globalThis.isMutant??=((seen)=>(id)=>{' +
  'if(!seen.has(id)){seen.add(id);console.debug("reached mutant "+id)}return false})(new Set());';

/**
 * @param {Place} place
 * @param {Mutant[]} mutants
 * @param {number} seconds A test that takes longer is left out.
 */
export function browserMutants({tree, folder, versions, keep}, mutants, seconds) {
  const plain = join(folder, 'plain-dist');
  if (!existsSync(plain)) {
    execFileSync('npm', ['run', '--silent', 'build'], {cwd: tree});
    cpSync(join(tree, 'dist'), plain, {recursive: true});
  }
  putBefore(tree, plain, RECORDER);
  const recorder = fileURLToPath(new URL('browser-recorder.mjs', import.meta.url));
  const names = [...versions].filter(([name]) => /^tests\/browser\/.*\.test\.js$/.test(name));
  const tests = recordTests(
    tree,
    names.map(([name, version]) => nodeTest(name, version, recorder)),
    join(folder, 'browser-tests.json'),
    seconds,
  );
  for (const mutant of mutants.filter(({killedBy}) => !killedBy)) {
    const those = testsThatReach(tests, mutant);
    if (those.length === 0) continue;
    putBefore(tree, plain, `globalThis.isMutant=(id)=>id===${mutant.id};`);
    tryTests(tree, those, mutant, keep);
  }
}

/** Writes the build with a line before each script. @param {string} tree @param {string} plain @param {string} line */
function putBefore(tree, plain, line) {
  for (const part of ['site', 'lib'])
    for (const name of readdirSync(join(plain, part), {recursive: true, encoding: 'utf8'}))
      if (name.endsWith('.js'))
        writeFileSync(
          join(tree, 'dist', part, name),
          line + readFileSync(join(plain, part, name), 'utf8'),
        );
}
