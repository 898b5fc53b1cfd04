/** Finds the programs that JavaScript modules start, and the system files that they name. */

import {dirname, resolve} from 'node:path';
import {parseAst} from 'vite';

/** @typedef {Record<string, any>} Node  a node of the syntax tree (ESTree) */

/**
 * @typedef {object} Module
 * @property {string} file
 * @property {Node[]} nodes  all nodes of its syntax tree
 * @property {Map<string, {file: string, name: string}>} imports  the imports by local name; `file` is a path or `node:…`
 * @property {Set<string>} starters  the local names of functions whose first argument is a program
 */

/**
 * @param {string} file
 * @param {string} source
 * @returns {Module}
 */
export function readModule(file, source) {
  const nodes = [...nodesOf(/** @type {Node} */ (parseAst(source)))];
  const imports = new Map();
  const starters = new Set();
  for (const node of nodes) {
    if (node.type !== 'ImportDeclaration') continue;
    const from = node.source.value;
    const path = from.startsWith('.') ? resolve('/', dirname(file), from).slice(1) : from;
    for (const {local, imported} of node.specifiers) {
      imports.set(local.name, {file: path, name: imported?.name ?? 'default'});
      if (from === 'node:child_process' && imported?.name !== 'fork') starters.add(local.name);
    }
  }
  return {file, nodes, imports, starters};
}

/**
 * Finds the functions that pass their first parameter on as a program, and repeats this until it finds no more.
 * @param {Map<string, Module>} modules The modules by file.
 */
export function findStarters(modules) {
  let before = -1;
  const count = () => [...modules.values()].reduce((sum, {starters}) => sum + starters.size, 0);
  while (before !== count()) {
    before = count();
    for (const {nodes, imports, starters} of modules.values()) {
      for (const [local, {file, name}] of imports)
        if (modules.get(file)?.starters.has(name)) starters.add(local);
      for (const node of nodes) {
        // This finds `const run = promisify(execFile)`.
        if (node.type === 'VariableDeclarator' && node.init?.callee?.name === 'promisify')
          if (starters.has(node.init.arguments[0].name)) starters.add(node.id.name);
        const first = node.type === 'FunctionDeclaration' && node.params[0]?.name;
        if (first && startsOf([...nodesOf(node.body)], starters).some(({name}) => name === first))
          starters.add(node.id.name);
      }
    }
  }
}

/**
 * @param {Module} module
 * @param {Map<string, Module>} modules
 * @returns {string[]} Names of programs and paths of system files.
 */
export function programsOf(module, modules) {
  const {nodes, starters} = module;
  const parameters = new Set(
    nodes.filter(({type}) => type === 'FunctionDeclaration').map(({params}) => params[0]?.name),
  );
  const programs = startsOf(nodes, starters).flatMap((argument) => {
    if (argument.type === 'Identifier' && parameters.has(argument.name)) return [];
    const found = valuesOf(argument, module, modules);
    if (found) return found;
    throw new Error(
      `${module.file}: expected to see which program is started, found ${argument.type}`,
    );
  });
  const paths = nodes.map(textOf).filter((text) => /^\/usr(\/[^\s/]+){2,}$/.test(text ?? ''));
  return [...programs, .../** @type {string[]} */ (paths)];
}

/** Lists all texts of a module. @param {Module} module */
export const textsOf = ({nodes}) =>
  /** @type {string[]} */ (nodes.map(textOf).filter((text) => text !== undefined));

/**
 * Lists the first arguments of calls that start a program.
 *
 * @param {Node[]} nodes
 * @param {Set<string>} starters
 * @returns {Node[]}
 */
const startsOf = (nodes, starters) =>
  nodes
    .filter(({type, callee}) => type === 'CallExpression' && starters.has(callee.name))
    .map((node) => node.arguments[0])
    .filter((argument) => argument && !starters.has(argument.name));

/**
 * Lists the texts that an expression can have, as far as the sources show them.
 * @param {Node} node
 * @param {Module} module
 * @param {Map<string, Module>} modules
 * @returns {string[] | undefined}
 */
function valuesOf(node, module, modules) {
  const all = (/** @type {Node[]} */ nodes) =>
    nodes.flatMap((each) => valuesOf(each, module, modules) ?? []);
  switch (node.type) {
    case 'Literal':
      return [String(node.value)];
    case 'TemplateLiteral':
      return [/** @type {string} */ (textOf(node))];
    case 'LogicalExpression':
      return all([node.left, node.right]);
    case 'ConditionalExpression':
      return all([node.consequent, node.alternate]);
    case 'MemberExpression':
      if (node.object.name === 'process') return [node.property.name === 'execPath' ? 'node' : ''];
      return node.object.object?.name === 'process' ? [] : undefined;
    case 'CallExpression':
      // The path that a call computes ends with one of its templates.
      return [...nodesOf(node)]
        .filter(({type}) => type === 'TemplateLiteral')
        .map((each) => String(textOf(each)));
    case 'Identifier': {
      const imported = module.imports.get(node.name);
      const source = imported ? modules.get(imported.file) : module;
      if (!source) return undefined;
      const name = imported?.name ?? node.name;
      const values = source.nodes.flatMap((each) => {
        if (each.type === 'VariableDeclarator' && each.id.name === name) return [each.init];
        return each.type === 'Property' && each.key.name === name && each.value.type === 'Literal'
          ? [each.value]
          : [];
      });
      return values.length
        ? values.flatMap((each) => valuesOf(each, source, modules) ?? [])
        : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * Gives the text of a literal. A template that is an absolute path gives its last part; in any other, `_` stands for
 * each expression.
 *
 * @param {Node} node
 */
function textOf(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral') {
    const quasis = node.quasis.map((/** @type {Node} */ quasi) => quasi.value.cooked);
    return quasis.length > 1 && !quasis.at(-1).includes('\n') && quasis[0].startsWith('/')
      ? quasis.at(-1).split('/').at(-1)
      : quasis.join('_');
  }
}

/** @param {Node} node @returns {Generator<Node>} */
function* nodesOf(node) {
  if (node.type) yield node;
  for (const child of Object.values(node))
    if (child && typeof child === 'object') yield* nodesOf(child);
}
