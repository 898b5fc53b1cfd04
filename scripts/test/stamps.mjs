/** A stamp says that a step passed, and for which files and tools. While both are the same, the step need not run. */

import {createHash} from 'node:crypto';
import {execFileSync} from 'node:child_process';
import {lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync} from 'node:fs';
import {cpus} from 'node:os';
import {join} from 'node:path';
import {SETTINGS} from './steps.mjs';

/** @import {Step} from './steps.mjs' */

/** Lists what a step reads: tracked files, and others that git does not ignore. @param {string} root @param {readonly string[]} reads */
export function filesOf(root, reads) {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const names = execFileSync('git', [...listing, '--', ...reads], {cwd: root, encoding: 'utf8'});
  return names.split('\0').filter(Boolean).sort();
}

/** @param {string} path */
function contentOf(path) {
  const stat = lstatSync(path, {throwIfNoEntry: false});
  if (!stat) return 'deleted';
  if (stat.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (stat.isDirectory()) return 'folder';
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
  return `${hash} ${stat.mode & 0o111 ? 'runs' : ''}`;
}

/** Says which machine and tools the steps have: the processor, Node, npm's packages, the listed Debian packages, settings. @param {string} root */
export function describeTools(root) {
  const listed = readFileSync(join(root, 'scripts/packages.txt'), 'utf8').matchAll(/^[a-z]\S*/gm);
  const names = [...listed].map(([name]) => name);
  // It ends with status 1 if one of them is not installed.
  const query = 'dpkg-query -W "$@" 2>/dev/null; command -v emcc cmake python3 | xargs readlink -f';
  const versions = execFileSync('bash', ['-c', query, '--', ...names], {encoding: 'utf8'});
  const settings = SETTINGS.map((name) => `${name}=${process.env[name] ?? ''}`);
  const packages = contentOf(join(root, 'package-lock.json'));
  return [cpus()[0]?.model, process.version, packages, versions, ...settings].join('\n');
}

/** @param {string} root @param {Step} step @param {string} tools */
export function digestOf(root, step, tools) {
  const hash = createHash('sha256').update(JSON.stringify([step, tools]));
  for (const name of filesOf(root, [...step.reads, 'scripts/test.sh']))
    hash.update(JSON.stringify([name, contentOf(join(root, name))]));
  return hash.digest('hex');
}

/** The stamps of a folder, which are lost with it. */
export class Stamps {
  #folder;

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder;
  }

  /** @param {Step} step */
  #path(step) {
    return join(this.#folder, `${step.name.replace(/\W/g, '-')}.json`);
  }

  /** Gives how many tests passed, or undefined if the step has not passed with this digest. @param {Step} step @param {string} digest @returns {number | undefined} */
  passed(step, digest) {
    try {
      const stamp = JSON.parse(readFileSync(this.#path(step), 'utf8'));
      return stamp.digest === digest ? stamp.passed : undefined;
    } catch {
      return undefined;
    }
  }

  /** @param {Step} step @param {string} digest @param {number} passed */
  write(step, digest, passed) {
    mkdirSync(this.#folder, {recursive: true});
    writeFileSync(this.#path(step), JSON.stringify({digest, passed}));
  }

  /** @param {Step} step */
  remove(step) {
    rmSync(this.#path(step), {force: true});
  }
}
