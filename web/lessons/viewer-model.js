import {formatAddress} from '../scope/state-fields.js';
import {pageConsent} from '../session/consent.js';
import {pageAddresses} from '../session/page-access.js';
import {namesSnapshot} from '../session/source-address.js';
import {bertBase} from './bert-base.js';

/** @import {BertScope} from '../scope/bert-scope.js' */

/** The model of the viewer, with which the lessons run too. */
export class ViewerModel {
  #viewer;

  /** @param {BertScope} viewer @param {() => void} onChange */
  constructor(viewer, onChange) {
    this.#viewer = viewer;
    viewer.addEventListener('change', onChange);
  }

  /** The model as an address has it; empty for the embedded one, which also stands in for saved attention. */
  get address() {
    const {src} = this.#viewer;
    return namesSnapshot(src, pageAddresses) ? '' : src;
  }

  /** Takes over the model of a lesson's address. @param {string | null} address  null if it names none */
  follow(address) {
    if (address !== null && address !== this.#viewer.src)
      this.#viewer.change({src: address}, false);
  }

  /** Makes the link to the viewer lead to it with this model. */
  updateLink() {
    const link = /** @type {HTMLAnchorElement} */ (document.querySelector('[data-place=""]'));
    link.href = formatAddress(this.#viewer);
  }

  chooseEmbedded() {
    this.#viewer.change({src: ''});
  }

  chooseBertBase() {
    // The reader has chosen the model by a button that names it and its size.
    pageConsent.approve(bertBase);
    this.#viewer.change({src: bertBase});
  }
}
