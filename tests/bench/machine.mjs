import {readFileSync} from 'node:fs';
import {cpus, loadavg, totalmem} from 'node:os';
import {tryRun} from './process.mjs';

/** @import {Engine} from './browsers/index.mjs' */

/** The instructions that decide how fast a browser's 8-bit dot product is. */
const INSTRUCTIONS = ['ssse3', 'avx2', 'avx_vnni', 'avx512_vnni', 'asimddp'];

/** @typedef {ReturnType<typeof describeMachine>} Machine */

/** @param {Engine[]} engines */
export function describeMachine(engines) {
  const [{model}] = cpus();
  return {
    cpu: model,
    instructions: instructions(),
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
    return INSTRUCTIONS.filter((name) => new RegExp(`\\b${name}\\b`).test(info));
  } catch {
    return [];
  }
}
