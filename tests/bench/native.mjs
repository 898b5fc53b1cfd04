/** Builds the benchmark of `native.cpp` and shows its output. */

import {spawnSync} from 'node:child_process';
import {fail, fromRoot, run} from './process.mjs';

export function measureNative() {
  run('bash', ['scripts/setup.sh', '--test']);
  run('cmake', ['--preset', 'native', '--log-level=WARNING', '-DBERTSCOPE_TESTS=ON']);
  run('cmake', ['--build', '--preset', 'native', '--target', 'native_bench', '--', '--quiet']);
  const program = fromRoot('build/native/tests/native_bench');
  const {status, error} = spawnSync(program, {stdio: 'inherit'});
  if (status !== 0) fail(`${program}: ${error?.message ?? `exit ${status}`}`);
}
