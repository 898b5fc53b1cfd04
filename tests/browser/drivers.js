import {spawn} from 'node:child_process';
import * as puppeteer from 'puppeteer-core';
import {Builder, Capabilities, Origin} from 'selenium-webdriver';
import {chromiumEngine} from '../bench/browsers/chromium.mjs';
import {EXECUTABLE as FIREFOX, PREFERENCES, firefoxEngine} from '../bench/browsers/firefox.mjs';
import {MINI_BROWSER, openDisplay, webkitEngine} from '../bench/browsers/webkit.mjs';
import {temporaryFolder} from '../bench/browsers/spawn.mjs';
import {tryRun} from '../bench/process.mjs';
import {openBrowser} from './browser.js';
import {eventually} from '../support/eventually.js';
import {freePort} from './server.js';

/**
 * Does what a person does in a browser; Chromium, Firefox and WebKitGTK each have a driver.
 *
 * @typedef {object} Driver
 * @property {(url: string) => Promise<unknown>} open
 * @property {(expression: string) => Promise<any>} evaluate  waits if the expression gives a promise
 * @property {(text: string) => Promise<unknown>} type  types into the focused element
 * @property {(x: number, y: number) => Promise<unknown>} hover  takes CSS pixels of the viewport
 * @property {(x: number, y: number) => Promise<unknown>} click
 * @property {() => Promise<Driver>} tab  opens a page beside this one, which ends with the browser
 * @property {() => Promise<unknown>} close
 */

/**
 * What the pages of Playwright and Puppeteer have in common.
 *
 * @typedef {object} Page
 * @property {(url: string) => Promise<unknown>} goto
 * @property {(expression: string) => Promise<any>} evaluate
 * @property {{type: (text: string) => Promise<void>}} keyboard
 * @property {Record<'move' | 'click', (x: number, y: number) => Promise<void>>} mouse
 */

/** @param {Page} page @param {() => Promise<Page>} newPage @param {() => Promise<void>} close @returns {Driver} */
function driverOf(page, newPage, close) {
  return {
    open: (url) => page.goto(url),
    evaluate: (expression) => page.evaluate(expression),
    type: (text) => page.keyboard.type(text),
    hover: (x, y) => page.mouse.move(x, y),
    click: (x, y) => page.mouse.click(x, y),
    tab: async () => driverOf(await newPage(), newPage, close),
    close,
  };
}

/** @returns {Promise<Driver>} */
async function driveChromium() {
  const browser = await openBrowser();
  const context = await browser.newContext({viewport: {width: 1280, height: 860}});
  const newPage = () => context.newPage();
  return driverOf(await newPage(), newPage, () => browser.close());
}

/** @returns {Promise<Driver>} */
async function driveFirefox() {
  const executablePath = FIREFOX.includes('/') ? FIREFOX : tryRun('which', [FIREFOX])?.trim();
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    extraPrefsFirefox: PREFERENCES,
    defaultViewport: {width: 1280, height: 860},
  });
  const newPage = () => browser.newPage();
  return driverOf(await newPage(), newPage, () => browser.close());
}

/** @returns {Promise<Driver>} */
async function driveWebkit() {
  const home = await temporaryFolder();
  const display = await openDisplay();
  const port = await freePort();
  const server = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: {...process.env, DISPLAY: display.name, HOME: home.path},
  });
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': {binary: MINI_BROWSER, args: ['--automation']},
  });
  const address = `http://127.0.0.1:${port}`;
  await eventually(`WebKitWebDriver to answer at ${address}`, () => fetch(`${address}/status`));
  const driver = await new Builder()
    .usingServer(address)
    .disableEnvironmentOverrides()
    .withCapabilities(capabilities)
    .build();
  await driver.manage().setTimeouts({script: 30_000});
  await driver.manage().window().setRect({width: 1280, height: 960});
  return webkitTab(driver, await driver.getWindowHandle(), async () => {
    await driver.quit().catch(() => {});
    server.kill();
    display.close();
    await home.remove();
  });
}

/** @param {any} driver @param {string} handle @param {() => Promise<void>} close @returns {Driver} */
function webkitTab(driver, handle, close) {
  const here = async () => {
    await driver.switchTo().window(handle);
    return driver;
  };
  /** @param {number} x @param {number} y */
  const move = async (x, y) =>
    (await here()).actions().move({x: Math.round(x), y: Math.round(y), origin: Origin.VIEWPORT});
  return {
    open: async (url) => (await here()).get(url),
    evaluate: async (expression) =>
      (await here()).executeAsyncScript(`const done = arguments[arguments.length - 1];
        Promise.resolve(${expression}).then(done, (error) => done('failed: ' + error.message));`),
    type: async (text) => (await here()).actions().sendKeys(text).perform(),
    hover: async (x, y) => (await move(x, y)).perform(),
    click: async (x, y) => (await move(x, y)).click().perform(),
    async tab() {
      await driver.switchTo().newWindow('tab');
      return webkitTab(driver, await driver.getWindowHandle(), close);
    },
    close,
  };
}

export const drivers = [
  {engine: chromiumEngine, drive: driveChromium},
  {engine: firefoxEngine, drive: driveFirefox},
  {engine: webkitEngine, drive: driveWebkit},
];
