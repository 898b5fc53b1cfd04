/** Tests that a reader of Spanish, as of any language that has a folder of strings, meets no English sentence. */

import assert from 'node:assert/strict';
import {copyFile} from 'node:fs/promises';
import {lessons} from '../../web/lessons/index.js';
import {openBlog} from './blog.js';
import {englishIn} from './said-in-sight.js';
import {inResearcherView, openPage, server, userTest} from './support.js';
import {embedded} from '../support/embedded-model.js';

/** @import {Page} from 'playwright-core' */

const spanish = {locale: 'es-MX'};

/** @param {Page} page @param {string} where */
const assertSpanish = async (page, where) => assert.deepEqual(await englishIn(page), [], where);

userTest(
  'the page and its panels and dialogs speak Spanish to a Spanish browser',
  spanish,
  async (page) => {
    assert.equal(await page.locator('html').getAttribute('lang'), 'es');
    await assertSpanish(page, 'Explore');
    for (const name of ['¿Cómo?', '¿Y si…?', 'Números', 'Ajustes']) {
      await page.getByRole('radio', {name, exact: true}).check({force: true});
      await page.getByRole('complementary', {name}).waitFor();
      await assertSpanish(page, name);
    }
    await page.locator('#more > summary').click();
    await page.getByRole('button', {name: 'Modelos…'}).click();
    await page.getByRole('dialog', {name: 'Modelos'}).waitFor();
    await assertSpanish(page, 'Models');
    await page.locator('dialog').getByRole('button', {name: 'Cerrar'}).click();
    await page.getByRole('button', {name: 'Exportar'}).click();
    await page.getByRole('dialog', {name: 'Exportar'}).waitFor();
    await assertSpanish(page, 'Export');
  },
);

userTest(
  'the researcher view speaks Spanish in every view and on every tab of the workbench',
  spanish,
  async (page) => {
    const blank = inResearcherView('#text=the+cat+[MASK]+.');
    for (const [view, said] of [
      ['model', /Solo las líneas de|Señala una cabeza/],
      ['neuron', new RegExp(`vectores de ${embedded.headWidth} números`)],
      ['matrix', /consulta \(fila\)/],
    ]) {
      await openPage(page, `${blank}&view=${view}`);
      await page.getByText(said).first().waitFor();
      await assertSpanish(page, String(view));
    }
    for (const [tab, said] of [
      ['change', 'Efecto de cada cabeza'],
      ['predict', 'Mejores predicciones para [MASK]'],
      ['why', 'Contribuciones de los tokens'],
      ['heads', 'Mapa de cabezas'],
    ]) {
      await openPage(page, `${blank}&workbench=${tab}`);
      const part = page.locator('bert-workbench');
      await part.getByText(said).or(part.getByLabel(said)).first().waitFor();
      await assertSpanish(page, tab);
    }
    await openPage(page, `${blank}&workbench=grammar`);
    await page.getByRole('button', {name: 'Medir con 174 oraciones en inglés'}).click();
    await page.getByText('el verbo de un objeto', {exact: true}).waitFor();
    await assertSpanish(page, 'grammar');
  },
);

userTest('lessons and documentation speak Spanish', {...spanish, open: false}, async (page) => {
  await page.goto(`${server.url}#/lessons`);
  await page.getByRole('heading', {name: 'La atención desde cero'}).waitFor();
  await assertSpanish(page, 'the list of lessons');
  for (const {id, steps} of lessons) {
    await page.evaluate((hash) => (location.hash = hash), `#/lessons/${id}/${steps[1].id}`);
    await page.locator('.time', {hasText: /calculado en/}).waitFor();
    await assertSpanish(page, `${id}, asked`);
    await page.locator('.question').getByRole('button', {name: 'Mostrar la respuesta'}).click();
    await page.locator('.question .explained').waitFor();
    await assertSpanish(page, id);
  }
  for (const [name, title] of [
    ['gallery', 'Galería'],
    ['slides', 'Diapositivas'],
    ['notebooks', 'Cuadernos'],
    ['teaching', 'Para docentes'],
    ['how-it-works', 'Cómo funciona'],
    ['reading-attention', 'Cómo leer la atención'],
  ]) {
    await page.evaluate((hash) => (location.hash = hash), `#/docs/${name}`);
    await page.locator('h2', {hasText: title}).waitFor();
    await assertSpanish(page, name);
  }
});

userTest(
  'a page saved in Spanish, and the tags of a frozen picture, speak Spanish',
  {...spanish, fresh: true, permissions: ['clipboard-read', 'clipboard-write']},
  async (page) => {
    await page.getByRole('button', {name: 'Exportar'}).click();
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', {name: 'Archivo HTML'}).click();
    const path = await (await waiting).path();
    await page.locator('dialog').getByRole('button', {name: 'Cerrar'}).click();
    await copyFile(path, `${path}.html`);

    await page.goto(`${server.url}#/docs/gallery`);
    const example = page.locator('[data-example=frozen]');
    await example.getByRole('button', {name: 'Copiar'}).click();
    await example.getByRole('button', {name: 'Copiado'}).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());

    await page.goto(`file://${path}.html`);
    await page.getByText('consulta', {exact: true}).first().waitFor();
    await assertSpanish(page, 'the saved page');
    const blog = await openBlog();
    try {
      // The server of this page lets no other origin read its files; the blog has the same ones.
      const post = copied.replaceAll(/src="http[^"]+\/lib\//g, 'src="lib/');
      await page.goto(await blog.write('frozen.html', post, 'data:text/javascript,', 'es'));
      await page.locator('.query .piece', {hasText: 'cat'}).first().waitFor();
      await page.getByText('consulta', {exact: true}).first().waitFor();
    } finally {
      await blog.close();
    }
  },
);
