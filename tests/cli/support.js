import {execFile} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after} from 'node:test';
import {fileURLToPath} from 'node:url';

export const SCRIPT = fileURLToPath(new URL('../../scripts/bertscope.mjs', import.meta.url));
export const GOLDEN = fileURLToPath(new URL('../golden', import.meta.url));

/** A folder of this test file's own. */
export const scratch = mkdtempSync(join(tmpdir(), 'bertscope-'));
after(() => rmSync(scratch, {recursive: true}));

/**
 * @param {string[]} args
 * @param {{cwd?: string, script?: string}} [options]
 * @returns {Promise<{code: number, stdout: string, stderr: string}>}
 */
export function bertscope(args, {cwd = scratch, script = SCRIPT} = {}) {
  return new Promise((resolve) => {
    const options = {cwd, maxBuffer: 2 ** 28};
    const child = execFile(process.execPath, [script, ...args], options, (_, stdout, stderr) =>
      resolve({code: child.exitCode ?? -1, stdout, stderr}),
    );
  });
}
