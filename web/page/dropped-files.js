import {ATTENTION_ENDINGS, endingOf, MODEL_ENDINGS} from '../engine/file-endings.js';

/** @import {FolderFile} from '../engine/files/model-sources.js' */

/**
 * Returns the files of a drop, including those in dropped folders. It must be called in the event's handler: later,
 * the browser has cleared the drop.
 *
 * @param {DataTransfer} transfer
 * @returns {Promise<FolderFile[]>}
 */
export async function filesOf(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.());
  const files = [...transfer.files].map((file) => ({path: file.name, file}));
  if (!entries.some((entry) => entry?.isDirectory)) return files;
  return (await Promise.all(entries.flatMap((entry) => (entry ? [placed(entry)] : [])))).flat();
}

/** Tells by its name whether a file holds weights or is an archive. @param {string} name */
export const isModelName = (name) => endingOf(name, MODEL_ENDINGS) !== undefined;

/** Tells by its name whether a file holds attention and is not a part of a model. @param {string} name */
export const isAttentionName = (name) =>
  endingOf(name, ATTENTION_ENDINGS) !== undefined &&
  !/(config|token|vocab|index).*\.json$/i.test(name);

/**
 * Tells whether a drop is a model rather than saved attention.
 *
 * @param {DataTransfer} transfer
 */
export function isModelDrop(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.());
  const names = [...transfer.files].map(({name}) => name);
  const isFolder = entries.some((entry) => entry?.isDirectory);
  return isFolder || names.length > 1 || names.some(isModelName);
}

/**
 * @param {FileSystemEntry} entry
 * @returns {Promise<FolderFile[]>}
 */
async function placed(entry) {
  const path = entry.fullPath.replace(/^\//, '');
  if (entry.isFile) {
    const file = /** @type {FileSystemFileEntry} */ (entry);
    return [{path, file: await new Promise((done, fail) => file.file(done, fail))}];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  /** @type {FileSystemEntry[]} */
  const below = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) break; // a browser returns a hundred at a time
    below.push(...some);
  }
  return (await Promise.all(below.map(placed))).flat();
}
