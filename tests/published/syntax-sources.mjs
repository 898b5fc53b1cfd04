/** Fetches the treebank and the authors' code that `check:syntax` measures with, each at one commit. */

import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {cache, once} from './prepare.mjs';

/**
 * @typedef {object} Repository
 * @property {string} name  on GitHub
 * @property {string} commit
 */

/** English of news and encyclopedias, CC BY-SA 3.0. @type {Repository} */
const PUD = {
  name: 'UniversalDependencies/UD_English-PUD',
  commit: 'f16eba4ae7f3d161870ed320676c5088b8fa476c',
};
const PUD_FILE = 'en_pud-ud-test.conllu';

/** The code of Clark et al. 2019, "What Does BERT Look At?", MIT. @type {Repository} */
const AUTHORS = {
  name: 'clarkkev/attention-analysis',
  commit: 'b609cfc898d1bcf7b4fd957c1bc9cd418efc0ec3',
};

/** @param {string} [given]  a file that is there already @returns {string} */
export const treebankPath = (given) => given ?? join(fetched(PUD), PUD_FILE);

/** @param {string} [given]  a checkout that is there already @returns {string} */
export const authorsPath = (given) => given ?? fetched(AUTHORS);

/** Fetches one commit into the cache, unless it is there. @param {Repository} repository @returns {string} */
function fetched({name, commit}) {
  const folder = join(cache, 'repositories', name.replace('/', '-'));
  once(folder, commit, () => {
    const git = (/** @type {string[]} */ ...args) =>
      execFileSync('git', ['-C', folder, ...args], {stdio: ['ignore', 'inherit', 'inherit']});
    git('init', '--quiet');
    git('fetch', '--quiet', '--depth', '1', `https://github.com/${name}`, commit);
    git('-c', 'advice.detachedHead=false', 'checkout', '--quiet', 'FETCH_HEAD');
  });
  return folder;
}
