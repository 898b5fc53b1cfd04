import {chromiumEngine} from './chromium.mjs';
import {firefoxEngine} from './firefox.mjs';
import {webkitEngine} from './webkit.mjs';

/**
 * @typedef {object} Engine
 * @property {string} name
 * @property {string[]} packages Debian's.
 * @property {() => boolean} installed
 * @property {() => string} version
 * @property {(url: string) => Promise<{close(): Promise<unknown>}>} open In a new profile.
 */

/**
 * @param {'chromium' | 'all' | string} wanted
 * @returns {Engine[]} Those that are there; the others are named on stderr.
 */
export function findEngines(wanted) {
  const engines =
    wanted === 'all' ? [chromiumEngine, firefoxEngine, webkitEngine] : [chromiumEngine];
  return engines.filter((engine) => {
    if (engine.installed()) return true;
    const packages = engine.packages.join(' ');
    process.stderr.write(
      `${engine.name} is not installed and left out (apt-get install ${packages})\n`,
    );
    return false;
  });
}
