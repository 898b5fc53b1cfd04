import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {tryRun} from '../process.mjs';
import {spawnBrowser, temporaryFolder} from './spawn.mjs';

/** @import {Engine} from './index.mjs' */

/** WebKitGTK has no headless mode: its browser runs on a display without a screen. */
const MINI_BROWSER =
  process.env.MINI_BROWSER ??
  ['4.1', '4.0', '6.0']
    .map(
      (api) =>
        `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-${api}/MiniBrowser`,
    )
    .find(existsSync);

/** @type {Engine} */
export const webkitEngine = {
  name: 'webkitgtk',
  packages: ['webkit2gtk-driver', 'xvfb'],
  installed: () => MINI_BROWSER !== undefined && tryRun('sh', ['-c', 'command -v Xvfb']) !== null,
  version() {
    const debian = tryRun('dpkg-query', ['-W', '-f', '${source:Version}', 'webkit2gtk-driver']);
    return `WebKitGTK ${debian ?? 'of unknown version'}`;
  },
  async open(url) {
    const home = await temporaryFolder();
    // It picks a free display and writes its number to file descriptor 3.
    const args = ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'];
    const display = spawn('Xvfb', args, {stdio: ['ignore', 'ignore', 'ignore', 'pipe']});
    const [number] = await once(
      /** @type {import('node:stream').Readable} */ (display.stdio[3]),
      'data',
    );
    const browser = spawnBrowser(MINI_BROWSER ?? '', ['--private', url], {
      DISPLAY: `:${String(number).trim()}`,
      HOME: home.path,
    });
    return {
      async close() {
        await browser.end();
        display.kill();
        await home.remove();
      },
    };
  },
};
