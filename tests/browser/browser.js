import {chromium} from 'playwright-core';
import {ARGS} from '../bench/browsers/chromium.mjs';

/**
 * This list repeats what Playwright switches off itself, since Chromium heeds only the last list, and adds the
 * pages that draw the suggestions of the address bar. Chromium loads two such pages for every context, which takes a
 * second of processor time, and no test types into the address bar.
 */
const FEATURES_OFF = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
];

/** Chromium without windows, tabs and menus, which take a fifth of the processor time of the tests. */
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';

/** Starts Chromium without the services that would ask other hosts. */
export const openBrowser = () =>
  chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      ...ARGS,
      // Pictures are drawn without a graphics card, and a process of its own for that takes a tenth of the time.
      '--in-process-gpu',
      // Letters as Debian's desktops draw them: the shell alone would fit them to pixels.
      '--font-render-hinting=slight',
      `--disable-features=${FEATURES_OFF}`,
    ],
  });
