/** Starts browsers on an address and ends them; their page talks to the server. */

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'bertscope-bench-'));
  return {path, remove: () => rm(path, {recursive: true, force: true, maxRetries: 5})};
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} environment
 */
export function spawnBrowser(command, args, environment) {
  // The browser gets a process group of its own, so that its helper processes end with it.
  const child = spawn(command, args, {
    detached: true,
    stdio: 'ignore',
    env: {...process.env, ...environment},
  });
  const exited = once(child, 'exit');
  return {
    async end() {
      try {
        process.kill(-(/** @type {number} */ (child.pid)), 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
      await exited;
    },
  };
}
