import {chromium} from 'playwright-core';
import {ARGS, EXECUTABLE} from '../bench/browsers/chromium.mjs';

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

/** Starts Chromium without the services that would ask other hosts. */
export const openBrowser = () =>
  chromium.launch({
    executablePath: EXECUTABLE,
    args: [...ARGS, `--disable-features=${FEATURES_OFF}`],
  });
