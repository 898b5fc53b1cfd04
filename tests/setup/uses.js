/** Finds the programs, Python modules and system files that the sources use and that Node and npm do not bring. */

import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {basename, dirname} from 'node:path';
import {fileURLToPath} from 'node:url';
import {PYTHON} from '../support/python.js';
import {shellCommands} from './shell-commands.js';
import {findStarters, programsOf, readModule, textsOf} from './started-programs.js';

/** @import {Module} from './started-programs.js' */

/**
 * @typedef {object} Use
 * @property {string} file
 * @property {string} name  the name of a program or Python module, or the path of a system file
 * @property {string} purpose  the purpose that needs it, as in `scripts/packages.txt`
 */

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (/** @type {string} */ file) => readFileSync(root + file, 'utf8');

/** Tells from a file's folder for which purpose it is needed. @param {string} file */
function purposeOf(file) {
  if (file === 'scripts/fresh.sh') return 'fresh';
  if (/^tests\/bench\//.test(file)) return 'bench';
  if (/^tests\/published\/[\w-]+\.(mjs|py)$/.test(file)) return 'published';
  if (/^(tests\/notebook\/hosts|(web|scripts)\/notebook)\//.test(file)) return 'notebook';
  if (file === 'tests/scorm/check.mjs') return 'scorm';
  if (file === 'scripts/check/fuzz-coverage.sh') return 'coverage';
  if (/^scripts\/(train|reference|fonts)\//.test(file)) return 'train';
  return /^(tests\/|scripts\/test\/|scripts\/(test|fuzz)\.sh)/.test(file) ? 'test' : 'build';
}

/** @returns {Use[]} */
export function findUses() {
  const listing = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const files = execFileSync('git', listing, {cwd: root, encoding: 'utf8'}).trim().split('\n');
  const modules = readModules(files);
  /** @param {string} file @param {Iterable<string>} names @param {string} [purpose] @returns {Use[]} */
  const usesOf = (file, names, purpose = purposeOf(file)) =>
    [...names].map((name) => ({file, name, purpose}));
  const {scripts} = JSON.parse(read('package.json'));
  return [
    ...[...modules.values()].flatMap((module) =>
      purposesOfImporters(module.file, modules).flatMap((purpose) =>
        usesOf(module.file, programsOf(module, modules), purpose),
      ),
    ),
    ...pythonUses(files, modules).flatMap(([file, names]) => usesOf(file, names)),
    ...files.flatMap((file) => {
      if (/\.sh$|^\.ci\/run$/.test(file)) return usesOf(file, shellCommands(read(file)));
      return /(CMakeLists\.txt|\.cmake)$/.test(file) ? usesOf(file, cmakeUses(read(file))) : [];
    }),
    ...Object.entries(scripts).flatMap(([name, script]) =>
      usesOf('package.json', shellCommands(script), /^(start|build)/.test(name) ? 'build' : 'test'),
    ),
    ...presetUses(JSON.parse(read('CMakePresets.json'))),
  ];
}

/** Reads all modules except those of web/, which run in browsers and start nothing. @param {string[]} files */
function readModules(files) {
  const own = files.filter((file) => /\.m?js$/.test(file) && !file.startsWith('web/'));
  const modules = new Map(own.map((file) => [file, readModule(file, read(file))]));
  findStarters(modules);
  return modules;
}

/**
 * A module serves the purposes of every module that imports it, directly or through others.
 *
 * @param {string} file
 * @param {Map<string, Module>} modules
 */
function purposesOfImporters(file, modules) {
  const importers = new Set([file]);
  for (const importer of importers)
    for (const [name, {imports}] of modules)
      if ([...imports.values()].some((imported) => imported.file === importer)) importers.add(name);
  return [...new Set([...importers].map(purposeOf))];
}

/**
 * Finds the modules and programs that Python files use, and Python code inside JavaScript.
 * @param {string[]} files
 * @param {Map<string, Module>} modules
 * @returns {[file: string, names: string[]][]}
 */
function pythonUses(files, modules) {
  const own = files.filter((file) => file.endsWith('.py'));
  /** @type {Record<string, string>} */
  const sources = Object.fromEntries(own.map((file) => [file, read(file)]));
  for (const module of modules.values())
    for (const [i, text] of textsOf(module).entries())
      if (/^\s*(import|from) /m.test(text)) sources[`${module.file}:${i}`] = text;
  const script = fileURLToPath(new URL('python_uses.py', import.meta.url));
  const found = execFileSync(PYTHON, [script], {input: JSON.stringify(sources), encoding: 'utf8'});
  const local = new Set(
    own.map((file) =>
      file.endsWith('/__init__.py') ? basename(dirname(file)) : basename(file, '.py'),
    ),
  );
  const requiredIn = (/** @type {string} */ list) =>
    new Set([...read(list).matchAll(/^[\w-]+/gm)].map(([name]) => name.replaceAll('-', '_')));
  /** What comes from the Python registry, by purpose. @type {Record<string, Set<string>>} */
  const required = {
    bench: requiredIn('tests/bench/models/requirements.txt'),
    published: requiredIn('tests/published/requirements.txt'),
    notebook: requiredIn('tests/notebook/hosts/requirements.txt'),
    train: requiredIn('scripts/reference/requirements.txt'),
  };
  const isElsewhere = (/** @type {string} */ file, /** @type {string} */ name) =>
    local.has(name) || required[purposeOf(file)]?.has(name);
  return Object.entries(/** @type {Record<string, string[]>} */ (JSON.parse(found))).map(
    ([source, names]) => {
      // Python inside another file is named by its line, too.
      const file = source.replace(/:\d+$/, '');
      const others = names.filter((name) => !isElsewhere(file, name));
      return [file, file.endsWith('.py') ? ['/usr/bin/python3', ...others] : others];
    },
  );
}

/** @param {string} text The text of a CMake file. */
function cmakeUses(text) {
  const code = text.replace(/(^|\s)#.*/g, '');
  const names = [...code.matchAll(/\bCOMMAND\s+([\w./+-]+)/g)].map(([, name]) => name);
  for (const [, folder] of code.matchAll(/^bertscope_use_headers\((\S+) /gm))
    names.push(`/usr/include/${folder}`);
  for (const [folder] of code.matchAll(/\/usr\/include\/\w+/g)) names.push(folder);
  // CMake tries the versions of a compiler in turn, and the last is the oldest that it accepts.
  for (const [, variable, versions, body] of code.matchAll(
    /foreach\((\w+) ([\d ]+)\)([^]*?)endforeach/g,
  ))
    for (const [, name] of body.matchAll(/find_program\(\S+ (\S+)\)/g))
      names.push(name.replace(`\${${variable}}`, versions.split(' ').at(-1) ?? ''));
  if (/-fsanitize=\S*fuzzer[,)]/.test(code)) names.push('libclang_rt.fuzzer');
  return names;
}

/** @param {{configurePresets: Record<string, any>[]}} presets @returns {Use[]} */
function presetUses({configurePresets}) {
  const file = 'CMakePresets.json';
  return configurePresets.flatMap(({generator, cacheVariables}) => {
    if (generator) return [{file, name: generator.toLowerCase(), purpose: 'build'}];
    const compiler = cacheVariables?.CMAKE_CXX_COMPILER;
    return compiler ? [{file, name: compiler, purpose: 'test'}] : [];
  });
}
