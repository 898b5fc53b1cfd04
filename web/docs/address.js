import {formatRoute} from '../routes/routes.js';

/** The address of a page of the documentation, or of an entry on it. @param {string[]} path */
export function docsAddress(...path) {
  return formatRoute({section: 'docs', path, fields: new URLSearchParams()});
}
