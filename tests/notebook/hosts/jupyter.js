/** Notebooks in JupyterLab and Notebook, as a reader uses them. */

import assert from 'node:assert/strict';
import {mkdirSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {openBrowser} from '../../browser/browser.js';
import {startApp} from './environment.js';

/** @import {Browser, Page} from 'playwright-core' */
/** @import {App} from './environment.js' */

/** Where tests leave pictures of what they have done. */
export const pictures = fileURLToPath(
  new URL('../../../build/notebook-pictures/', import.meta.url),
);
mkdirSync(pictures, {recursive: true});

/** @param {readonly string[]} cells  their code */
const notebookOf = (cells) =>
  JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {kernelspec: {name: 'python3', display_name: 'Python 3', language: 'python'}},
    cells: cells.map((source, id) => ({
      ...{id: `cell-${id}`, cell_type: 'code', source},
      ...{execution_count: null, metadata: {}, outputs: []},
    })),
  });

/**
 * Opens a page that reaches nothing but this machine. It fails if something else was asked.
 *
 * @param {Browser} browser
 */
export async function openOffline(browser) {
  const context = await browser.newContext({viewport: {width: 1400, height: 1000}});
  context.setDefaultTimeout(60_000);
  /** @type {string[]} */
  const asked = [];
  await context.route(
    ({protocol, hostname}) => /^http/.test(protocol) && hostname !== 'localhost',
    async (route) => {
      asked.push(route.request().url());
      await route.abort();
    },
  );
  return {page: await context.newPage(), asked};
}

/** A notebook in a running application. */
export class JupyterNotebook {
  #browser;
  #server;

  /** @param {Browser} browser @param {Awaited<ReturnType<typeof startApp>>} server @param {Page} page @param {string[]} asked */
  constructor(browser, server, page, asked) {
    this.#browser = browser;
    this.#server = server;
    this.page = page;
    /** The addresses of other hosts that the page asked for. */
    this.asked = asked;
    this.folder = server.folder;
  }

  /**
   * @param {Extract<App, 'lab' | 'notebook'>} app
   * @param {readonly string[]} cells
   * @param {{policy?: string}} [options]  `policy`: a Content-Security-Policy of the page
   */
  static async open(app, cells, {policy} = {}) {
    const headers = {'Content-Security-Policy': policy};
    const args = policy ? [`--ServerApp.tornado_settings=${JSON.stringify({headers})}`] : [];
    const server = await startApp(app, 'notebook.ipynb', notebookOf(cells), args);
    const browser = await openBrowser();
    try {
      const {page, asked} = await openOffline(browser);
      await page.goto(server.url);
      await page.waitForFunction(
        () =>
          /** @type {any} */ (window).jupyterapp?.shell.currentWidget?.sessionContext?.session
            ?.kernel?.status === 'idle',
      );
      return new JupyterNotebook(browser, server, page, asked);
    } catch (error) {
      await browser.close();
      server.close();
      throw new Error(server.log(), {cause: error});
    }
  }

  /** Runs a cell, and waits until it ends. @param {number} index */
  async run(index) {
    await this.page.evaluate(async (index) => {
      const {jupyterapp} = /** @type {any} */ (window);
      jupyterapp.shell.currentWidget.content.activeCellIndex = index;
      await jupyterapp.commands.execute('notebook:run-cell');
    }, index);
    return this.output(index);
  }

  /** Changes a cell's code and runs it. @param {number} index @param {string} code */
  async runCode(index, code) {
    await this.page.evaluate(([index, code]) => {
      const {content} = /** @type {any} */ (window).jupyterapp.shell.currentWidget;
      content.widgets[index].model.sharedModel.setSource(code);
    }, /** @type {const} */ ([index, code]));
    return this.run(index);
  }

  /** The text below a cell. @param {number} index */
  output(index) {
    return this.page.evaluate((index) => {
      const {content} = /** @type {any} */ (window).jupyterapp.shell.currentWidget;
      const outputs = content.widgets[index].model.outputs.toJSON();
      return outputs
        .map((/** @type {any} */ {text, data, traceback}) => {
          const said = text ?? traceback ?? data?.['text/plain'] ?? '';
          return [said].flat().join('');
        })
        .join('\n');
    }, index);
  }

  async save() {
    await this.page.evaluate(() =>
      /** @type {any} */ (window).jupyterapp.commands.execute('docmanager:save'),
    );
  }

  async close() {
    await this.#browser.close();
    this.#server.close();
    assert.deepEqual(this.asked, []);
  }
}
