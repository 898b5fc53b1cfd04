/**
 * What the frozen element does not have. `.dependency-cruiser.mjs` also follows imports of types, which no build has.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
export default {
  forbidden: [
    {
      name: 'the frozen element has no engine, no export, no reader of NPZ and no strings of a live element',
      severity: 'error',
      from: {path: '^web/scope/frozen\\.js$'},
      to: {
        path: [
          '^web/engine/(index\\.js|client|host|lab|files)',
          '^web/export/',
          '^web/attention/npz-reader\\.js$',
          '^web/strings/live\\.js$',
          '^web/strings/[a-z]+/live\\.js$',
        ],
        reachable: true,
      },
    },
  ],
  options: {includeOnly: '^web/'},
};
