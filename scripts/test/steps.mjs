/** The steps of `npm test`. */

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {readonly string[]} command  what bash is called with
 * @property {readonly string[]} reads  pathspecs of git: all files whose change can change what the step finds
 * @property {readonly string[]} [after]  steps that must have ended, since they write to the same folder
 * @property {readonly string[]} [needs]  steps that make what this one uses, so they run when it does
 * @property {boolean} [alone]  Its tests wait a limited time for the page, so nothing runs beside it.
 */

const build = ['CMakeLists.txt', 'CMakePresets.json', 'scripts/emscripten-toolchain.cmake'];
const cpp = [
  ...build,
  'src',
  'tests/golden',
  ':(glob)tests/**/CMakeLists.txt',
  ':(glob)tests/**/*.cpp',
  ':(glob)tests/**/*.h',
];
/** JavaScript, and what its tools are told. */
const js = ['web', 'scripts', 'tests', 'package.json', 'vite.config.js', '.*'];
const noOtherTests = [
  ':!.github',
  ':!.ci',
  ':!scripts/train',
  ':!scripts/reference',
  ':!tests/fuzz',
  ':!tests/notebook',
  ':!tests/published',
  ':!tests/train',
];

/** @param {string} name @returns {readonly string[]} */
const own = (name) => ['scripts/test.sh', '--step', name];

/** Those that take longest come first where nothing else orders them. @type {readonly Step[]} */
export const steps = [
  {name: 'sanitized C++ tests', command: own('sanitized_cpp'), reads: cpp},
  {
    name: 'WebAssembly C++ tests',
    command: own('wasm_cpp'),
    reads: [...cpp, 'tests/kernels/engine_comparison.html'],
  },
  {
    name: 'clang-tidy',
    command: own('lint_cpp'),
    reads: ['.clang-tidy', ...build, 'src', ':(glob)tests/**/CMakeLists.txt'],
    after: ['WebAssembly C++ tests'],
  },
  {
    name: 'headers alone',
    command: own('headers'),
    reads: ['CMakeLists.txt', 'src'],
    // That makes the headers of Emscripten, if they are not there.
    after: ['WebAssembly C++ tests'],
  },
  {
    name: 'training chain',
    command: own('training'),
    reads: [
      'scripts/train',
      'scripts/reference',
      'tests/train',
      'tests/golden/dates.safetensors',
      'web/models',
    ],
  },
  {
    name: 'fuzzing',
    command: own('fuzzing'),
    reads: [...cpp, 'scripts/fuzz.sh', 'tests/fuzz'],
    after: ['sanitized C++ tests'],
  },
  {name: 'format', command: own('format'), reads: ['.']},
  {name: 'types', command: own('types'), reads: js},
  {name: 'rooms', command: own('rooms'), reads: [...js, 'README.md']},
  {name: 'lint', command: own('lint'), reads: js},
  {
    name: 'page and package build',
    command: own('page_build'),
    reads: ['.', ...noOtherTests],
    after: ['WebAssembly C++ tests'],
  },
  {
    name: 'JavaScript tests',
    command: own('js_tests'),
    // The tests of tests/setup read every file.
    reads: ['.'],
    needs: ['page and package build'],
    alone: true,
  },
  {
    name: 'browser tests',
    command: own('browser_tests'),
    reads: ['.', ...noOtherTests],
    needs: ['page and package build'],
    alone: true,
  },
];

/** Environment variables that change what a step does. */
export const SETTINGS = [
  'CC',
  'CHROMIUM',
  'CXX',
  'CXXFLAGS',
  'FIREFOX',
  'LATE',
  'NODE_OPTIONS',
  'PYTHON',
  'SCORM_API',
];
