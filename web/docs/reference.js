import {html, nothing} from 'lit';
import {reference} from 'virtual:reference';
import {inline} from '../strings/marked-text.js';
import {docsText} from './text/index.js';

/** @import {Entry, Field} from './documented.d.ts' */

const words = docsText.reference;

/** The API as its docstrings describe it, in the language they are written in. */
export function referenceTemplate() {
  const {modules, element, types} = reference;
  return html`<h3><code>&lt;bert-scope&gt;</code></h3>
    <div lang="en">${described(element.description)}</div>
    <h4>${words.attributes}</h4>
    ${fieldsTemplate(element.attributes)}
    <h4>${words.events}</h4>
    ${fieldsTemplate(element.events)}
    <h4>${words.properties}</h4>
    ${fieldsTemplate(element.properties)}
    <h4>${words.methods}</h4>
    ${element.methods.map((method) => entryTemplate(method, 'method'))}
    ${modules.map(
      ({name, entries}) =>
        html`<h3><code>import … from '${name}'</code></h3>
          ${entries.map((entry) => entryTemplate(entry))}`,
    )}
    <h3>${words.types}</h3>
    ${types.map((entry) => entryTemplate(entry))}`;
}

/**
 * @param {Entry} entry
 * @param {string} [kind]
 * @returns {unknown}
 */
function entryTemplate({signature, description, fields, returns, methods}, kind = 'entry') {
  return html`<section class=${kind} lang="en">
    <pre tabindex="0"><code>${signature}</code></pre>
    ${described(description)} ${fields.length ? fieldsTemplate(fields) : nothing}
    ${returns ? html`<p><span lang=${docsText.lang}>${words.returns}</span> ${inline(returns)}</p>` : nothing}
    ${methods.map((method) => entryTemplate(method, 'method'))}
  </section>`;
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
        html`<dt>
            <code>${name}${isOptional ? '?' : ''}</code>
            ${type ? html`<code class="type">${type}</code>` : nothing}
          </dt>
          <dd>${inline(description)}</dd>`,
    )}
  </dl>`;
}
