/** @import {Slice} from './selection.js' */

/** Returns the integers from 0 to `length - 1`. @param {number} length */
export const range = (length) => Array.from({length}, (_, i) => i);

/** @param {Slice} slice */
export const indicesIn = ({start, end}) => range(end - start).map((i) => start + i);
