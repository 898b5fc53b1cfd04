import {html, nothing} from 'lit';
import {megabytes} from '../scope/model-messages.js';
import {language} from '../strings/index.js';
import {liveStrings} from '../strings/live.js';
import {modelStrings as words} from '../strings/models.js';
import {knownModels} from './known-models.js';

/** @import {KeptModel} from '../engine/files/model-store.js' */

/**
 * Draws the list of the kept models.
 *
 * @param {object} shown
 * @param {readonly KeptModel[]} shown.kept
 * @param {string} shown.current  the source of the model that runs
 * @param {string} shown.notice
 * @param {boolean} shown.isLasting
 * @param {Record<'open' | 'download' | 'remove', (kept: KeptModel) => void>} actions
 */
export function keptList({kept, current, notice, isLasting}, actions) {
  const button = (/** @type {keyof typeof actions} */ name, /** @type {KeptModel} */ each) =>
    html`<button type="button" @click=${() => actions[name](each)}>${words[name]}</button>`;
  return html`<section aria-labelledby="models-kept">
    <h3 id="models-kept" tabindex="-1">${words.kept}</h3>
    ${notice ? html`<p class="notice" role="status">${notice}</p>` : nothing}
    ${isLasting ? nothing : html`<p class="notice">${words.notLasting}</p>`}
    ${kept.length ? nothing : html`<p class="muted">${words.none}</p>`}
    <ul>
      ${kept.map(
        (each) =>
          html`<li>
            <span class="what">
              <bdi>${titleOf(each)}</bdi>
              <small>
                ${each.source === current ? html`<b>${words.inUse}</b> ·` : nothing}
                ${[...originOf(each), liveStrings.size.megabytes(megabytes(each.bytes)), written(each.date)].join(' · ')}
              </small>
            </span>
            ${button('open', each)} ${button('download', each)} ${button('remove', each)}
          </li>`,
      )}
    </ul>
  </section>`;
}

/** Draws the list of models worth opening. @param {(source: string, name: string) => void} onLoad */
export function knownList(onLoad) {
  return html`<details class="known">
    <summary>${words.known}</summary>
    <p class="muted">${words.untried}</p>
    <ul>
      ${knownModels.map(({source, bytes, licence, what}) => {
        const name = nameIn(source);
        const size = liveStrings.size.megabytes((bytes / 1e6).toFixed(0));
        return html`<li>
          <span class="what">
            <bdi>${name}</bdi>
            <small>${size} · ${words.licence(licence)}</small>
            <span>${words.what[what]}</span>
          </span>
          <button
            type="button"
            aria-label=${words.loadNamed(name)}
            @click=${() => onLoad(source, name)}
          >
            ${words.load}
          </button>
        </li>`;
      })}
    </ul>
  </details>`;
}

/** Models on the hub may share a name, so theirs includes the owner and the revision. @param {KeptModel} kept */
export function titleOf({source, name}) {
  return source.startsWith('hub:') ? nameIn(source) : name;
}

/** @param {string} source */
export function nameIn(source) {
  return source.replace(/^hub:(https?:.+\/(?=[^/]+\/[^/]+$))?/, '');
}

/** Returns where a kept model comes from: another hub than Hugging Face's, a commit. @param {KeptModel} kept */
function originOf({source, commit}) {
  const [, endpoint] = /^hub:(https?:\/\/[^/]+)/.exec(source) ?? [];
  return [endpoint && new URL(endpoint).host, commit?.slice(0, 7)].filter(Boolean);
}

/** @param {string} date  ISO 8601 */
function written(date) {
  return new Date(date).toLocaleString(language, {dateStyle: 'medium', timeStyle: 'short'});
}
