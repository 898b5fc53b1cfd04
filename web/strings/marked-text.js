import {html} from 'lit';

/** The marks in texts: `*emphasis*`, `` `code` ``, and `{q}`, `{k}`, `{v}` in their colours. */
const marks = /(\*[^*\s][^*]*\*|`[^`]+`|\{[qkv](?::[^}]+)?\})/;

const hues = {q: 'of-query', k: 'of-key', v: 'of-value'};

/**
 * Renders text with its marks as elements; `{q:query}` is the word “query” in the colour of q.
 *
 * @param {string} text
 */
export function inline(text) {
  return text.split(marks).map((part, at) => {
    if (at % 2 === 0) return part;
    const inner = part.slice(1, -1);
    if (part.startsWith('*')) return html`<em>${inner}</em>`;
    if (part.startsWith('`')) return html`<code>${inner}</code>`;
    const [letter, word = letter] = inner.split(/:(.*)/s);
    return html`<b class=${hues[/** @type {keyof typeof hues} */ (letter)]}>${word}</b>`;
  });
}
