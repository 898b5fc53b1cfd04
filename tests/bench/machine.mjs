import {readFileSync} from 'node:fs';
import {cpus, loadavg, totalmem} from 'node:os';
import {tryRun} from './process.mjs';

/** @import {Engine} from './browsers/index.mjs' */

/** The instructions that decide how fast a browser's 8-bit dot product is, by their names in Linux. */
const INSTRUCTIONS = {
  ssse3: 'SSSE3',
  avx2: 'AVX2',
  avx_vnni: 'AVX-VNNI',
  avx_vnni_int8: 'AVX-VNNI-INT8',
  avx512_vnni: 'AVX-512 VNNI',
  asimddp: 'dotprod',
  i8mm: 'i8mm',
};

/** @typedef {ReturnType<typeof describeMachine>} Machine */

/**
 * @param {Engine[]} engines
 * @param {boolean} [isWithoutVnni] Whether Chromium was started without the byte dot product.
 */
export function describeMachine(engines, isWithoutVnni = false) {
  const [{model}] = cpus();
  return {
    cpu: model,
    instructions: instructions(),
    /** The instructions that Chromium was not allowed to use. */
    left_out: isWithoutVnni ? ['AVX-VNNI', 'AVX-VNNI-INT8'] : [],
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 1e9),
    system:
      tryRun('sh', ['-c', '. /etc/os-release && echo "$PRETTY_NAME"'])?.trim() ?? process.platform,
    node: process.version,
    browsers: Object.fromEntries(engines.map((engine) => [engine.name, engine.version()])),
    commit: tryRun('git', ['describe', '--always', '--dirty'])?.trim() ?? 'unknown',
    /** The average load of the machine when the run began, which shows whether other programs ran. */
    load: loadavg()[0],
    date: new Date().toISOString(),
  };
}

function instructions() {
  try {
    const info = readFileSync('/proc/cpuinfo', 'utf8');
    return Object.entries(INSTRUCTIONS)
      .filter(([flag]) => new RegExp(`\\b${flag}\\b`).test(info))
      .map(([, name]) => name);
  } catch {
    return [];
  }
}
