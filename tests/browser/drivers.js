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
 * @property {() => Promise<unknown>} close
 */

/**
 * Makes a driver from what the pages of Playwright and Puppeteer have in common.
 *
 * @param {object} page
 * @param {(url: string) => Promise<unknown>} page.goto
 * @param {(expression: string) => Promise<any>} page.evaluate
 * @param {{type: (text: string) => Promise<void>}} page.keyboard
 * @param {Record<'move' | 'click', (x: number, y: number) => Promise<void>>} page.mouse
 * @param {{close: () => Promise<void>}} browser
 * @returns {Driver}
 */
function driverOf(page, browser) {
  return {
    open: (url) => page.goto(url),
    evaluate: (expression) => page.evaluate(expression),
    type: (text) => page.keyboard.type(text),
    hover: (x, y) => page.mouse.move(x, y),
    click: (x, y) => page.mouse.click(x, y),
    close: () => browser.close(),
  };
}

/** @returns {Promise<Driver>} */
async function driveChromium() {
  const browser = await openBrowser();
  const page = await browser.newPage({viewport: {width: 1280, height: 860}});
  return driverOf(page, browser);
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
  const page = await browser.newPage();
  return driverOf(page, browser);
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
  /** @param {number} x @param {number} y */
  const move = (x, y) =>
    driver.actions().move({x: Math.round(x), y: Math.round(y), origin: Origin.VIEWPORT});
  return {
    open: (url) => driver.get(url),
    evaluate: (expression) =>
      driver.executeAsyncScript(`const done = arguments[arguments.length - 1];
        Promise.resolve(${expression}).then(done, (error) => done('failed: ' + error.message));`),
    type: (text) => driver.actions().sendKeys(text).perform(),
    hover: (x, y) => move(x, y).perform(),
    click: (x, y) => move(x, y).click().perform(),
    async close() {
      await driver.quit().catch(() => {});
      server.kill();
      display.close();
      await home.remove();
    },
  };
}

export const drivers = [
  {engine: chromiumEngine, drive: driveChromium},
  {engine: firefoxEngine, drive: driveFirefox},
  {engine: webkitEngine, drive: driveWebkit},
];
