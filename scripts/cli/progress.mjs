import {paced} from '../../web/engine/paced.js';

const WIDTH = 30;

/**
 * A bar on standard error; nothing when that is not a terminal.
 * @param {string} label
 */
export function progressBar(label) {
  const {stderr} = process;
  let drawn = false;
  const {report: update} = paced((/** @type {number} */ fraction) => {
    if (!stderr.isTTY) return;
    drawn = true;
    const bar = '█'.repeat(Math.round(fraction * WIDTH)).padEnd(WIDTH, '░');
    stderr.write(`\r${bar} ${String(Math.floor(fraction * 100)).padStart(3)} % ${label}`);
  });
  return {
    update,
    end() {
      if (drawn) stderr.write('\r\x1b[K');
      drawn = false;
    },
  };
}
