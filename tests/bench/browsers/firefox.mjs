import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {tryRun} from '../process.mjs';
import {spawnBrowser, temporaryFolder} from './spawn.mjs';

/** @import {Engine} from './index.mjs' */

export const EXECUTABLE = process.env.FIREFOX ?? 'firefox-esr';

/** Firefox shows nothing beside the page, and its clock is exact. */
export const PREFERENCES = {
  'privacy.reduceTimerPrecision': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.enabled': false,
  'app.normandy.enabled': false,
  'app.update.auto': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'services.settings.server': 'data:,',
};

/** @type {Engine} */
export const firefoxEngine = {
  name: 'firefox',
  version: () => tryRun(EXECUTABLE, ['--version'])?.trim() ?? 'unknown',
  async open(url) {
    const profile = await temporaryFolder();
    const lines = Object.entries(PREFERENCES).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
    );
    await writeFile(join(profile.path, 'user.js'), lines.join(''));
    const args = ['--headless', '--no-remote', '--profile', profile.path, url];
    const browser = spawnBrowser(EXECUTABLE, args, {HOME: profile.path});
    return {
      async close() {
        await browser.end();
        await profile.remove();
      },
    };
  },
};
