import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {tryRun} from '../process.mjs';
import {spawnBrowser, temporaryFolder} from './spawn.mjs';

/** @import {Engine} from './index.mjs' */

/** WebKitGTK has no headless mode, so its browser runs on a display without a screen. */
export const MINI_BROWSER =
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
  version() {
    const debian = tryRun('dpkg-query', ['-W', '-f', '${source:Version}', 'webkit2gtk-driver']);
    return `WebKitGTK ${debian ?? 'of unknown version'}`;
  },
  async open(url) {
    const home = await temporaryFolder();
    const display = await openDisplay();
    const browser = spawnBrowser(MINI_BROWSER ?? '', ['--private', url], {
      DISPLAY: display.name,
      HOME: home.path,
    });
    return {
      async close() {
        await browser.end();
        display.close();
        await home.remove();
      },
    };
  },
};

/** Starts a display without a screen. */
export async function openDisplay() {
  // Xvfb picks a free number and writes it to file descriptor 3.
  const args = ['-displayfd', '3', '-screen', '0', '1440x1000x24', '-nolisten', 'tcp'];
  const server = spawn('Xvfb', args, {stdio: ['ignore', 'ignore', 'ignore', 'pipe']});
  const output = /** @type {import('node:stream').Readable} */ (server.stdio[3]);
  const [number] = await once(output, 'data');
  return {name: `:${String(number).trim()}`, close: () => server.kill()};
}
