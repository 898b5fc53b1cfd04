import {html, nothing, render, svg} from 'lit';
import {until} from 'lit/directives/until.js';
import {openDialog} from '../controls/dialog.js';
import {parseRoute} from '../routes/routes.js';
import {namesKept} from '../session/source-address.js';
import {publishStrings} from '../strings/publish.js';
import {parseModel} from './lesson-address.js';
import {frameText} from './lesson-text.js';
import {copyButton} from './parts/copy-button.js';
import {isInPlatform} from './platform.js';

const words = frameText.classLink;

/** The width of the white edge that a scanner needs, in cells. */
const edge = 4;

/** Whether others can open an address of this page: not that of a file, nor that of an activity. */
export const canShareLink = () => location.protocol !== 'file:' && !isInPlatform;

/** Shows an address to a class, to be scanned, copied or typed. @param {string} hash  of the address */
export function openClassLink(hash) {
  // The query before `#` holds the teacher's own settings, such as the language, so the link leaves it out.
  const link = location.origin + location.pathname + hash;
  const route = parseRoute(hash);
  const model = route && parseModel(route);
  const content = document.createElement('div');
  const select = () => content.querySelector('input')?.select();
  render(
    html`<p>${words.help}</p>
      ${model && namesKept(model) ? html`<p>${publishStrings.keptHere}</p>` : nothing}
      ${until(codeOf(link), nothing)}
      <input class="link" readonly .value=${link} aria-label=${words.open} @focus=${select} />`,
    content,
  );
  const copy = document.createElement('span');
  render(
    copyButton(words.copy, () => link, 'primary', select),
    copy,
  );
  const said = {title: words.open, close: frameText.answers.close};
  openDialog(document.body, 'class-link', said, [content], [copy]);
}

/**
 * Draws the QR code of an address, unless it is too long for one, or what draws it does not load.
 *
 * @param {string} link
 */
async function codeOf(link) {
  /** @type {boolean[][]} */
  let rows;
  try {
    const {encodeQR} = await import('qr');
    rows = encodeQR(link, 'raw', {ecc: 'low', border: edge});
  } catch {
    return nothing;
  }
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return svg`<svg class="code" viewBox="0 0 ${rows.length} ${rows.length}" role="img" aria-label=${words.code}>
    <path fill="#fff" d="M0 0h${rows.length}v${rows.length}H0z" />
    <path fill="#000" d=${path} />
  </svg>`;
}
