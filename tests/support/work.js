import {Session} from 'node:inspector/promises';

/**
 * Counts how often functions of `web` are called while something is done. Unlike its time, this is the same on every
 * machine.
 *
 * @param {() => unknown} act
 */
export async function callsIn(act) {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', {callCount: true, detailed: false});
    await session.post('Profiler.takePreciseCoverage'); // begins to count anew
    await act();
    const {result} = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({url}) => url.includes('/web/'))
      .flatMap(({functions}) => functions.map(({ranges: [{count}]}) => count))
      .reduce((sum, count) => sum + count, 0);
  } finally {
    session.disconnect();
  }
}
