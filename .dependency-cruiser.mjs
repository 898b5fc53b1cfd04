/**
 * The rooms of the JavaScript, and which rooms each may import. `npm run check` enforces this, and the
 * table in the README is written from it (`scripts/docs/rooms-table.mjs`).
 *
 * @typedef {object} Room
 * @property {string} holds
 * @property {string[]} knows  the rooms that it may import
 * @property {string[]} [types]  the rooms of which it may import types only
 */

/** Each room knows only rooms that stand below it. @type {Record<string, Room>} */
export const rooms = {
  'web/page': {
    holds: 'the application: address, history, headline, panels, examples, models, dialogs',
    knows: [
      'web/docs',
      'web/lessons',
      'web/workbench',
      'web/scope',
      'web/session',
      'web/export',
      'web/controls',
      'web/views/parts',
      'web/attention',
      'web/engine',
      'web/routes',
      'web/strings',
    ],
    types: ['web/engine/files'],
  },
  'web/docs': {
    holds: 'the documentation: gallery, reference, tables',
    knows: [
      'web/attention',
      'web/export',
      'web/controls',
      'web/views/parts',
      'web/routes',
      'web/strings',
    ],
  },
  'web/lessons': {
    holds: 'the lessons: their steps, their text, the tensors that they draw',
    knows: [
      'web/workbench',
      'web/scope',
      'web/session',
      'web/export',
      'web/controls',
      'web/views/parts',
      'web/attention',
      'web/engine/syntax',
      'web/routes',
      'web/strings',
    ],
    types: ['web/engine/host', 'web/engine/lab'],
  },
  'web/workbench': {
    holds: '`<bert-workbench>`: changes to the model and their effects, and what heads do',
    knows: [
      'web/scope',
      'web/session',
      'web/export',
      'web/controls',
      'web/views/parts',
      'web/attention',
      'web/engine/syntax',
      'web/engine',
      'web/strings',
    ],
  },
  'web/notebook': {
    holds: "the front end of the Python package's widget, and the package",
    knows: [
      'web/scope',
      'web/session',
      'web/views/parts',
      'web/attention',
      'web/engine/files',
      'web/strings',
    ],
  },
  'web/scope': {
    holds: '`<bert-scope>`: the fields of its state and of addresses, controls',
    knows: [
      'web/session',
      'web/export',
      'web/views',
      'web/controls',
      'web/views/parts',
      'web/attention',
      'web/engine/index.js',
      'web/engine/text',
      'web/engine',
      'web/strings',
    ],
  },
  'web/export': {
    holds: 'what a reader takes along: pictures, data files, saved pages, embed code',
    knows: ['web/views', 'web/views/parts', 'web/attention', 'web/engine/files', 'web/strings'],
  },
  'web/views': {
    holds: 'the list of views, and their style sheets',
    knows: [
      'web/views/model',
      'web/views/head',
      'web/views/matrix',
      'web/views/neuron',
      'web/controls',
      'web/views/parts',
      'web/attention',
    ],
  },
  'web/views/model': {
    holds: 'every head of every layer as a thumbnail',
    knows: ['web/views/head', 'web/views/parts', 'web/attention', 'web/strings'],
  },
  'web/views/head': {
    holds: 'lines between tokens',
    knows: ['web/views/parts', 'web/attention', 'web/strings'],
  },
  'web/views/matrix': {
    holds: 'weights as a heat map',
    knows: ['web/views/parts', 'web/attention', 'web/strings'],
  },
  'web/views/neuron': {
    holds: 'the arithmetic of one head',
    knows: ['web/views/parts', 'web/attention', 'web/strings'],
  },
  'web/controls': {
    holds: 'buttons, fields and dialogs, for the page and the element',
    knows: ['web/views/parts'],
  },
  'web/session': {
    holds: 'what asks the engine: texts that run, the models of a page, what a reader allows',
    knows: [
      'web/attention',
      'web/views/parts',
      'web/engine/index.js',
      'web/engine/text',
      'web/engine',
      'web/strings',
    ],
  },
  'web/views/parts': {
    holds: 'what several views draw: token columns, colours, numbers, the map of heads',
    knows: ['web/attention', 'web/strings'],
  },
  'web/offline': {
    holds: 'what the single offline file has in place of the network',
    knows: ['web/attention', 'web/engine/host'],
  },
  'web/attention': {
    holds: 'attention as data, without a DOM: snapshots, selection, words, comparison, import',
    knows: ['web/engine/text', 'web/engine', 'web/strings'],
  },
  'web/routes': {
    holds: 'which part of the application an address names',
    knows: [],
  },
  'web/strings': {
    holds: 'every string that a reader sees, in each language',
    knows: [],
  },
  'scripts/cli': {
    holds: 'the command line',
    knows: [
      'web/engine',
      'web/engine/syntax',
      'web/engine/host',
      'web/engine/files',
      'web/engine/text',
    ],
  },
  'web/engine/index.js': {
    holds: 'the engine as pages import it',
    knows: ['web/engine/client', 'web/engine/lab', 'web/engine'],
    types: ['web/engine/host', 'web/engine/files'],
  },
  'web/engine/client': {
    holds: "the page's side of the engine: asks the worker",
    knows: ['web/engine'],
    types: ['web/engine/host', 'web/engine/lab', 'web/engine/files', 'web/engine/text'],
  },
  'web/engine/syntax': {
    holds: 'treebanks, and what they say of heads',
    knows: ['web/engine'],
    types: ['web/engine/host', 'web/engine/text'],
  },
  'web/engine/host': {
    holds: "the worker's side: the WebAssembly module and the models in it",
    knows: ['web/engine/lab', 'web/engine/files', 'web/engine/text', 'web/engine'],
  },
  'web/engine/lab': {
    holds: 'attention built from scratch, one operation at a time',
    knows: ['web/engine'],
  },
  'web/engine/files': {
    holds: 'model files: where they come from, and their formats',
    knows: ['web/engine'],
  },
  'web/engine/text': {
    holds: 'text to tokens: tokenizers, vocabularies',
    knows: ['web/engine'],
  },
  'web/engine': {
    holds: 'what both threads share: errors, options, interventions, the shape of the module',
    knows: [],
  },
};

const order = Object.keys(rooms);

/** Files that nobody imports: a page, a worker, a package or a bundler's pattern names them. */
const entries = [
  '^web/page/(main|embed|service-worker)\\.js$',
  '^web/engine/(index|host/worker)\\.js$',
  '^web/attention/attention-worker\\.js$',
  '^web/scope/(element|frozen)\\.js$',
  '^web/views/index\\.js$',
  '^web/lessons/[^/]+/steps\\.js$',
  // The loaders of languages name their files by a pattern.
  '^web/strings/[a-z]+/',
  // The frozen build has them in place of others.
  '^web/strings/given-strings\\.js$',
  '^web/scope/no-reader-changes-codec\\.js$',
  '^web/offline/',
  '^web/notebook/(widget|start-worker|default-model|frozen-script)\\.js$',
  '^scripts/',
  '\\.d\\.ts$',
];

/** The files of a room: those in its folder, and in folders that are no rooms of their own. @param {string} room */
function filesOf(room) {
  if (room.endsWith('.js')) return {path: `^${room}$`};
  const others = order.filter((other) => other.startsWith(`${room}/`));
  return {
    path: `^${room}/`,
    pathNot: others.map((other) => (other.endsWith('.js') ? `^${other}$` : `^${other}/`)),
  };
}

for (const [room, {knows, types = []}] of Object.entries(rooms)) {
  for (const other of [...knows, ...types]) {
    if (order.indexOf(other) > order.indexOf(room)) continue;
    throw new Error(`${room} knows ${other}, which does not stand below it`);
  }
}

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const forbidden = Object.entries(rooms).flatMap(([room, {knows, types = []}]) =>
  order
    .filter((other) => other !== room && !knows.includes(other))
    .map((other) => ({
      name: `${room} does not know ${other}`,
      severity: 'error',
      from: filesOf(room),
      to: {...filesOf(other), ...(types.includes(other) && {dependencyTypesNot: ['type-only']})},
    })),
);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...forbidden,
    {
      name: 'no cycle of imports',
      severity: 'error',
      from: {},
      to: {circular: true, viaOnly: {dependencyTypesNot: ['type-only']}},
    },
    {
      name: 'every file is imported',
      severity: 'error',
      module: {path: '^web/', pathNot: entries, numberOfDependentsLessThan: 1},
      from: {},
    },
    {
      // A module waits for its catalogue. It would wait for ever if the catalogue's file needed the module's file.
      name: 'a catalogue imports nothing but its own files',
      severity: 'error',
      from: {path: '^web/strings/([a-z]+)/'},
      to: {pathNot: '^web/strings/$1/', dependencyTypesNot: ['type-only']},
    },
    {
      name: 'every file is in a room',
      severity: 'error',
      from: {pathNot: order.map((room) => `^${room}(/|$)`)},
      to: {},
    },
    {name: 'every import is found', severity: 'error', from: {}, to: {couldNotResolve: true}},
  ],
  options: {
    includeOnly: '^(web|scripts/cli)/',
    // Types are imported in JSDoc, which needs TypeScript's parser.
    parser: 'tsc',
    detectJSDocImports: true,
    tsPreCompilationDeps: true,
  },
};
