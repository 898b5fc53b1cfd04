/** @import {FolderFile} from '../engine/files/model-sources.js' */

/**
 * The files of a drop, those in dropped folders included. To be called while the drop is handled:
 * afterwards the browser has forgotten it.
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

/** Whether a file is weights, or an archive with them. @param {string} name */
export const isModelName = (name) => /\.(safetensors|zip|bin)$/i.test(name);

/** Whether a file is attention, not a part of a model. @param {string} name */
export const isAttentionName = (name) =>
  /\.npz$/i.test(name) || (/\.json$/i.test(name) && !/config|token|vocab|index/i.test(name));

/**
 * Whether a drop is a model rather than attention that was saved.
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
    if (some.length === 0) break; // a browser gives a hundred at a time
    below.push(...some);
  }
  return (await Promise.all(below.map(placed))).flat();
}
