import {html, nothing} from 'lit';
import sizes from 'virtual:downloads';
import tables from 'virtual:measured-tables';
import {locale} from '../strings/locale.js';
import {inline} from '../strings/marked-text.js';
import {copiedCode} from './copied-code.js';
import {recipes} from './recipes.js';

/** @import {Block} from '../strings/en/docs.js' */

/** `[label](address)` */
const links = /\[([^\]]+)\]\(([^)\s]+)\)/;

/** Renders text with links and the marks of `inline`. @param {string} text */
export function prose(text) {
  const parts = text.split(links);
  /** @type {unknown[]} */
  const content = [];
  for (let at = 0; at < parts.length; at += 3) {
    content.push(inline(parts[at]));
    if (at + 2 < parts.length) content.push(html`<a href=${parts[at + 2]}>${parts[at + 1]}</a>`);
  }
  return content;
}

/** @param {readonly Block[]} blocks */
export function blocksTemplate(blocks) {
  return blocks.map((block) => {
    if (typeof block === 'string') return html`<p>${prose(block)}</p>`;
    if ('heading' in block) return html`<h3>${block.heading}</h3>`;
    if ('recipe' in block) return copiedCode(recipes[block.recipe]);
    if ('download' in block) return downloadTemplate(block);
    if ('list' in block) {
      return html`<ul>
        ${block.list.map((item) => html`<li>${prose(item)}</li>`)}
      </ul>`;
    }
    return tableTemplate(block);
  });
}

/** A link to a file beside the page. @param {{download: string, label: (megabytes: string) => string}} block */
function downloadTemplate({download, label}) {
  if (!(download in sizes)) return nothing;
  const megabytes = (sizes[download] / 1e6).toLocaleString(locale, {maximumFractionDigits: 1});
  return html`<p>
    <a href=${`./download/${download}`} download>${label(megabytes)}</a>
  </p>`;
}

/** @param {{table: string, label: string}} block */
function tableTemplate({table, label}) {
  const measured = tables[table];
  if (!measured) throw new Error(`expected a measured table under “${table}”, found none`);
  const {head, rows} = measured;
  // A table that is wider than the screen can be scrolled, also with the keyboard.
  return html`<div class="wide" tabindex="0" role="region" aria-label=${label}>
    <table lang="en">
      <thead>
        <tr>
          ${head.map((cell) => html`<th scope="col">${inline(cell)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first, ...rest]) =>
            html`<tr>
              <th scope="row">${inline(first)}</th>
              ${rest.map((cell) => html`<td>${inline(cell)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
