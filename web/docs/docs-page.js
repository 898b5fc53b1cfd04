import {html, nothing, render} from 'lit';
import {adoptStyles} from '../controls/adopt-styles.js';
import {docsAddress} from './address.js';
import {galleryTemplate} from './gallery.js';
import {referenceTemplate} from './reference.js';
import {blocksTemplate} from './prose.js';
import {docsText} from './docs-text.js';
import style from './docs.css?inline';

/** @import {Route} from '../routes/routes.js' */
/** @import {PageName} from '../strings/en/docs.js' */

/** What each page shows below its text. @type {Partial<Record<PageName, () => unknown>>} */
const contents = {gallery: galleryTemplate, api: referenceTemplate};

const names = /** @type {PageName[]} */ (Object.keys(docsText.pages));

adoptStyles(document, style);

/** @param {HTMLElement} root */
export function open(root) {
  root.className = 'docs';
  return {
    /** @param {Route} route */
    show({path}) {
      const [asked = names[0]] = path;
      const name = names.find((known) => known === asked);
      document.title = docsText.frame.documentTitle(name ? docsText.pages[name].title : '');
      render(pageTemplate(name, asked), root);
      const entry = document.getElementById(docsAddress(...path).slice(1));
      if (entry) entry.scrollIntoView();
      else scrollTo({top: 0});
    },
  };
}

/** @param {PageName | undefined} name @param {string} asked */
function pageTemplate(name, asked) {
  const {frame, pages} = docsText;
  return html`<nav class="contents" aria-label=${frame.pages}>
      ${names.map(
        (each) =>
          html`<a href=${docsAddress(each)} aria-current=${each === name ? 'page' : nothing}
            >${pages[each].title}</a
          >`,
      )}
    </nav>
    <article class=${name ?? ''}>
      ${
        name
          ? html`<h2>${pages[name].title}</h2>
              ${blocksTemplate(pages[name].blocks)} ${contents[name]?.() ?? nothing}`
          : html`<p class="notice" role="alert">${frame.unknown(asked)}</p>`
      }
    </article>`;
}
