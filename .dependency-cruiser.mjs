export default {
  forbidden: [],
  options: {
    includeOnly: '^web/',
    doNotFollow: {path: 'node_modules'},
    parser: 'tsc',
    detectJSDocImports: true,
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {extensions: ['.js', '.d.ts', '.css', '.json']},
  },
};
