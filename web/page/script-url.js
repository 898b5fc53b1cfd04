import {version} from '../../package.json';

/**
 * The address of the element's script, which every host of the page serves. It says the version that a tag was made
 * with. In the offline file, it is relative: its reader has to put `lib` beside their page.
 */
export function elementScript() {
  const file = `lib/element.js?v=${version}`;
  return location.protocol === 'file:' ? file : new URL(file, document.baseURI).href;
}
