import assert from 'node:assert/strict';
import {mkdirSync} from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {openBrowser} from '../../browser/browser.js';
import {startApp} from './environment.js';
import {openOffline} from './jupyter.js';

const pictures = fileURLToPath(new URL('../../../build/notebook-pictures/', import.meta.url));
mkdirSync(pictures, {recursive: true});

const app = `import marimo

app = marimo.App()


@app.cell
def _():
    import bertscope
    import marimo as mo
    import numpy as np

    return bertscope, mo, np


@app.cell
def _(bertscope, mo):
    scope = mo.ui.anywidget(bertscope.live("time flies like an arrow", layer=3))
    scope
    return (scope,)


@app.cell
def _(mo, scope):
    scope.value["results"]
    result = scope.result if scope.value["results"] else None
    mo.md(f"Python has {result.attention(3, 0).shape} of {result.text}, {scope.view}" if result else "nothing yet")
    return


@app.cell
def _(bertscope, mo, np):
    weights = np.full((1, 2, 3, 3), 1 / 3)
    mo.ui.anywidget(bertscope.attention(["le", "chat", "dort"], weights))
    return


if __name__ == "__main__":
    app.run()
`;

test('in marimo, cells that read the result run again when the reader types', async () => {
  const server = await startApp('marimo', 'app.py', app);
  const browser = await openBrowser();
  const {page, asked} = await openOffline(browser);
  try {
    await page.goto(server.url);
    await page.getByText('import marimo as mo').waitFor();
    await page.getByTestId('run-button').last().click();
    const [live, saved] = [0, 1].map((at) => page.locator('bert-scope').nth(at));
    await live.locator('.query .piece', {hasText: 'arrow'}).waitFor();
    await saved.locator('.query .piece', {hasText: 'chat'}).waitFor();
    await page.getByText('Python has (7, 7) of time flies like an arrow, head').waitFor();
    await page.getByLabel('Sentence', {exact: true}).fill('a dog ran home');
    await live.getByRole('radio', {name: 'Matrix'}).check();
    await page.getByText('Python has (6, 6) of a dog ran home, matrix').waitFor();
    await page.screenshot({path: `${pictures}marimo.png`});
    assert.deepEqual(asked, []);
  } catch (error) {
    await page.screenshot({path: `${pictures}marimo-failed.png`});
    throw new Error(server.log(), {cause: error});
  } finally {
    await browser.close();
    server.close();
  }
});
