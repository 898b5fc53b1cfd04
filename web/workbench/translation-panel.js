import {html, nothing} from 'lit';
import {workbenchStrings} from '../strings/workbench.js';
import {WorkbenchPanel} from './panel.js';
import {panelStyles} from './styles.js';
import {spellingOfModel} from '../attention/byte-level-tokens.js';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {Translation} from '../session/pass.js' */

const {translation: words} = workbenchStrings;

/** The panel shows what an encoder-decoder writes, and what it wrote before it was changed. */
export class WorkbenchTranslation extends WorkbenchPanel {
  static properties = {
    translations: {attribute: false},
  };

  static styles = panelStyles;

  constructor() {
    super();
    /** @type {BertScope['translations']} */
    this.translations = null;
  }

  render() {
    if (!this.translations) return nothing;
    const {now, before} = this.translations;
    return html`<section aria-labelledby="translation-title">
      <h3 id="translation-title">${words.title}</h3>
      <dl class="written">
        ${
          before
            ? html`<dt>${words.before}</dt>
                <dd><bdi>${before.text}</bdi></dd>`
            : nothing
        }
        <dt>${before ? words.now : words.only}</dt>
        <dd><bdi>${before ? marked(now, before, spellingOfModel(this.model)) : now.text}</bdi></dd>
      </dl>
      ${before ? html`<p class="hint" role="status">${sentence(now, before)}</p>` : nothing}
    </section>`;
  }
}

/**
 * Marks the tokens that the changes have changed.
 *
 * @param {Translation} now
 * @param {Translation} before
 * @param {(tokens: string) => string} spell
 */
function marked({tokens, specialTokens}, before, spell) {
  const {start, end} = changedTokens(tokens, before.tokens);
  const written = (/** @type {number} */ from, /** @type {number} */ to) => {
    const ofText = tokens.slice(from, to).filter((_, at) => !specialTokens[from + at]);
    return spell(ofText.join('')).replaceAll('▁', ' ');
  };
  const between = written(start, end);
  return html`${written(0, start)}${between ? html`<mark>${between}</mark>` : nothing}${written(end, tokens.length)}`;
}

/** @param {Translation} now @param {Translation} before */
function sentence(now, before) {
  const {start, end} = changedTokens(now.tokens, before.tokens);
  return start === end && now.tokens.length === before.tokens.length
    ? words.same
    : words.changed(end - start);
}

/**
 * Finds the tokens between those that both lists begin with and those that both end with.
 *
 * @param {readonly string[]} now
 * @param {readonly string[]} before
 */
function changedTokens(now, before) {
  const most = Math.min(now.length, before.length);
  let start = 0;
  while (start < most && now[start] === before[start]) start++;
  let end = now.length;
  while (
    end > start &&
    now.length - end < most - start &&
    now[end - 1] === before.at(end - 1 - now.length)
  )
    end--;
  return {start, end};
}

customElements.define('workbench-translation', WorkbenchTranslation);
