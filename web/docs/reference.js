import {html, nothing} from 'lit';
import reference from 'virtual:reference';
import {inline} from '../strings/marked-text.js';
import {docsAddress} from './address.js';
import {language} from '../strings/index.js';
import {docsText} from './docs-text.js';

/** @import {Entry, Field} from './documented.d.ts' */

const words = docsText.reference;
const {modules, element, types} = reference;

/** The names that have an entry of their own. */
const names = new Set([...modules.flatMap(({entries}) => entries), ...types].map(nameOf));

/** The API as its docstrings describe it, in the language they are written in. */
export function referenceTemplate() {
  return html`<h3><code>&lt;bert-scope&gt;</code></h3>
    <div lang="en">${described(element.description)}</div>
    <h4>${words.attributes}</h4>
    ${fieldsTemplate(element.attributes)}
    <h4>${words.events}</h4>
    ${fieldsTemplate(element.events)}
    <h4>${words.properties}</h4>
    ${fieldsTemplate(element.properties)}
    <h4>${words.methods}</h4>
    ${element.methods.map(methodTemplate)}
    ${modules.map(
      ({name, entries}) =>
        html`<h3><code>import … from '${name}'</code></h3>
          ${entriesTemplate(entries)}`,
    )}
    <h3>${words.types}</h3>
    ${entriesTemplate(types)}`;
}

/** @param {readonly Entry[]} entries */
function entriesTemplate(entries) {
  return html`<ul class="entries" lang="en">
      ${entries.map(({name}) => html`<li><code>${linkTo(name)}</code></li>`)}
    </ul>
    ${entries.map(
      (entry) =>
        html`<section class="entry" id=${docsAddress('api', entry.name).slice(1)} lang="en">
          <h4 class="signature"><code>${linked(entry.signature, entry.name)}</code></h4>
          ${entryTemplate(entry)}
        </section>`,
    )}`;
}

/** @param {Entry} method */
function methodTemplate(method) {
  return html`<section class="method" lang="en">
    <h5 class="signature"><code>${linked(method.signature)}</code></h5>
    ${entryTemplate(method)}
  </section>`;
}

/**
 * @param {Entry} entry
 * @returns {unknown}
 */
function entryTemplate({description, fields, returns, methods}) {
  return html`${described(description)} ${fields.length ? fieldsTemplate(fields) : nothing}
  ${returns ? html`<p><span lang=${language}>${words.returns}</span> ${inline(returns)}</p>` : nothing}
  ${methods.map(methodTemplate)}`;
}

/** @param {string} description */
function described(description) {
  return description ? html`<p>${inline(description)}</p>` : nothing;
}

/** @param {readonly (Pick<Field, 'name' | 'description'> & Partial<Field>)[]} fields */
function fieldsTemplate(fields) {
  return html`<dl lang="en">
    ${fields.map(
      ({name, type, isOptional, description}) =>
        html`<div>
          <dt>
            <code>${name}${isOptional ? '?' : ''}</code>
            ${type ? html`<code class="type">${linked(type)}</code>` : nothing}
          </dt>
          <dd>${inline(description)}</dd>
        </div>`,
    )}
  </dl>`;
}

/** A type or a signature in which the types that have entries are links. @param {string} written @param {string} [own]  the entry it stands in */
function linked(written, own) {
  return written
    .split(/\b([A-Z]\w+)/)
    .map((part) => (part !== own && names.has(part) ? linkTo(part) : part));
}

/** @param {string} name */
function linkTo(name) {
  return html`<a href=${docsAddress('api', name)}>${name}</a>`;
}

/** @param {Entry} entry */
function nameOf({name}) {
  return name;
}
