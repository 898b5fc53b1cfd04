/** The words of the documentation, in the language of the document. */

import {language} from '../../strings/index.js';
import {english} from './en.js';

/** @import {Block} from '../prose.js' */

/**
 * @typedef {'gallery' | 'notebooks' | 'api' | 'how-it-works' | 'reading-attention'} PageName
 *
 * @typedef {object} DocsText
 * @property {string} lang
 * @property {Record<PageName, {title: string, blocks: readonly Block[]}>} pages
 * @property {{pages: string, unknown: (name: string) => string,
 *   documentTitle: (page: string) => string}} frame
 * @property {{copy: string, copied: string, notCopied: string, noFrame: string,
 *   examples: Record<'frozen' | 'live' | 'controlled' | 'framed', {title: string, text: string}>}} gallery
 * @property {Record<'attributes' | 'events' | 'properties' | 'methods' | 'types' | 'returns', string>} reference
 */

/** Only the language of the document is loaded beside English. @type {DocsText} */
export const docsText = language === 'zh' ? (await import('./zh.js')).chinese : english;
