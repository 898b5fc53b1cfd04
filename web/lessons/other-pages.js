import {formatRoute} from '../routes/routes.js';
import {classPath, readAll} from './answers/all-answers.js';
import {ClassPage} from './answers/class-page.js';
import {frameText} from './lesson-text.js';
import {SheetPage} from './sheets/sheet-page.js';

/** @import {Route} from '../routes/routes.js' */

/** Shows what stands beside the lessons and their list: the answers of a class, and the sheets that a teacher prints. */
export class OtherPages {
  #class;
  #sheet;
  /** @type {ClassPage | SheetPage | null} */
  #shown = null;

  /** @param {object} user  of the models @param {() => void} onChange  shows the page again */
  constructor(user, onChange) {
    this.#class = new ClassPage(onChange);
    this.#sheet = new SheetPage(user, onChange);
  }

  /** Shows the page that an address names. @param {Route} route @returns {boolean}  whether there is one */
  open(route) {
    const {path, fields} = route;
    if (path.length === 1 && path[0] === classPath) {
      this.#shown = this.#class;
      if (!fields.size) return true;
      if (readAll(fields).some(({sheet}) => Object.keys(sheet.answers).length))
        this.#class.add(location.href);
      // The address does not keep the answers that came with it.
      history.replaceState(null, '', formatRoute({...route, fields: new URLSearchParams()}));
    } else if (this.#sheet.open(path)) this.#shown = this.#sheet;
    return this.#shown !== null;
  }

  close() {
    this.#sheet.close();
    this.#shown = null;
  }

  get title() {
    if (!this.#shown) return undefined;
    return this.#shown === this.#class ? frameText.answers.ofClass.title : this.#sheet.title;
  }

  /** Whether what is shown has the colours of paper. */
  get isForPaper() {
    return this.#shown === this.#sheet;
  }

  template() {
    return this.#shown?.template();
  }
}
