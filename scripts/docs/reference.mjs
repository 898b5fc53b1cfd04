/** The API reference, from the docstrings of the package's entry points. */

import {fileURLToPath} from 'node:url';
import {API} from 'typescript/unstable/sync';
import {isClassDeclaration} from 'typescript/unstable/ast/is';
import {SyntaxKind} from 'typescript/unstable/ast';
import {attributeOf} from '../../web/scope/state.js';

/** @import {Checker, Project, Symbol} from 'typescript/unstable/sync' */
/** @import {Entry, Field, Reference} from '../../web/docs/documented.d.ts' */
/** @import {JSDocParameterTag, JSDocTag, Node} from 'typescript/unstable/ast' */

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));

const CONFIG = path('../../web/tsconfig.json');
const MODULES = [
  {name: 'bertscope', file: path('../../web/engine/index.js')},
  {name: 'bertscope/views', file: path('../../web/views/index.js')},
];
const ELEMENT = path('../../web/scope/bert-scope.js');
const PROPERTIES = path('../../web/scope/scope-properties.js');
const STATE = path('../../web/scope/state.js');

/** @returns {Reference} */
export function readReference() {
  const api = new API();
  try {
    const project = api.updateSnapshot({openProjects: [CONFIG]}).getProject(CONFIG);
    if (!project) throw new Error(`${CONFIG}: expected a TypeScript project, found none`);
    return new Reader(project).read();
  } finally {
    api.close();
  }
}

class Reader {
  #project;
  /** @type {Checker} */
  #checker;
  /** Names that have an entry, and those that wait for one. @type {Set<string>} */
  #known = new Set();
  /** @type {Map<string, Symbol>} */
  #wanted = new Map();

  /** @param {Project} project */
  constructor(project) {
    this.#project = project;
    this.#checker = project.checker;
  }

  read() {
    const modules = MODULES.map(({name, file}) => {
      const exported = this.#exportsOf(file).filter((symbol) => this.#isValue(symbol));
      for (const symbol of exported) this.#known.add(symbol.name);
      return {name, entries: exported.map((symbol) => this.#entry(symbol))};
    });
    const element = this.#element();
    /** @type {Entry[]} */
    const types = [];
    while (this.#wanted.size) {
      const [[name, symbol]] = this.#wanted;
      this.#wanted.delete(name);
      this.#known.add(name);
      types.push(this.#isClass(symbol) ? this.#entry(symbol) : this.#type(symbol));
    }
    types.sort((a, b) => a.name.localeCompare(b.name, 'en'));
    return {modules, element, types};
  }

  /** @param {string} file @returns {Symbol[]} */
  #exportsOf(file) {
    const source = this.#project.program.getSourceFile(file);
    const module = source && this.#checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file}: expected a module of ${CONFIG}, found none`);
    return this.#checker.getExportsOfModule(module).map((symbol) => this.#target(symbol));
  }

  /** What is exported again elsewhere, where it is declared. @param {Symbol} symbol */
  #target(symbol) {
    const {kind} = this.#declaration(symbol) ?? {};
    const isAlias = kind === SyntaxKind.ExportSpecifier || kind === SyntaxKind.ImportSpecifier;
    return isAlias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  /** @param {Symbol} symbol @returns {Node | undefined} */
  #declaration(symbol) {
    return symbol.declarations[0]?.resolve(this.#project);
  }

  /** @param {Symbol} symbol */
  #isValue(symbol) {
    return symbol.valueDeclaration !== undefined;
  }

  /** @param {Symbol} symbol */
  #isClass(symbol) {
    const node = this.#declaration(symbol);
    return node !== undefined && isClassDeclaration(node);
  }

  /** @param {Symbol} symbol @returns {Entry} */
  #entry(symbol) {
    if (this.#isClass(symbol)) return this.#class(symbol);
    const type = this.#checker.getTypeOfSymbol(symbol);
    const isFunction = type && this.#checker.getSignaturesOfType(type, 0).length > 0;
    if (isFunction) return this.#function(symbol);
    return {
      name: symbol.name,
      signature: `${symbol.name}: ${this.#typeOf(symbol)}`,
      description: this.#description(symbol),
      fields: [],
      returns: '',
      methods: [],
    };
  }

  /** @param {Symbol} symbol @returns {Entry} */
  #class(symbol) {
    const {fields, methods} = this.#members(symbol);
    const description = this.#description(symbol);
    return {
      name: symbol.name,
      signature: `class ${symbol.name}`,
      description,
      fields,
      returns: '',
      methods,
    };
  }

  /** What a class has for its users; not what it inherits. @param {Symbol} symbol */
  #members(symbol) {
    const file = this.#declaration(symbol)?.getSourceFile().fileName;
    const own = this.#checker
      .getPropertiesOfType(this.#checker.getDeclaredTypeOfSymbol(symbol))
      .filter((member) => !member.name.includes('#'))
      .filter((member) => this.#declaration(member)?.getSourceFile().fileName === file);
    const isMethod = (/** @type {Symbol} */ member) =>
      this.#declaration(member)?.kind === SyntaxKind.MethodDeclaration;
    const fields = own.filter((member) => !isMethod(member)).map((member) => this.#field(member));
    const methods = own.filter(isMethod).map((member) => this.#function(member));
    return {fields, methods};
  }

  /** @param {Symbol} symbol @returns {Field} */
  #field(symbol) {
    const node = this.#declaration(symbol);
    const written = node && tagsOf(node).find(({kind}) => kind === SyntaxKind.JSDocTypeTag);
    return {
      name: symbol.name,
      type: written ? this.#written(written) : this.#typeOf(symbol),
      isOptional: false,
      // What stands behind `@type {…}` in a docstring of one line.
      description: [this.#description(symbol), written ? commentOf(written) : '']
        .filter(Boolean)
        .join(' '),
    };
  }

  /** @param {Symbol} symbol @returns {Entry} */
  #function(symbol) {
    const node = this.#declaration(symbol);
    const tags = node ? tagsOf(node) : [];
    const parameters = tags.filter(({kind}) => kind === SyntaxKind.JSDocParameterTag);
    const returned = tags.find(({kind}) => kind === SyntaxKind.JSDocReturnTag);
    const listed = parameters.map((tag) => {
      const {name, type, isOptional} = this.#parameter(tag);
      return `${name}${isOptional ? '?' : ''}: ${type}`;
    });
    const result = returned ? this.#written(returned) : this.#returnType(symbol);
    return {
      name: symbol.name,
      signature: `${symbol.name}(${listed.join(', ')})${result ? `: ${result}` : ''}`,
      description: this.#description(symbol),
      fields: parameters.flatMap((tag) => {
        const nested = nestedOf(tag);
        return nested.length
          ? nested.map((option) => this.#parameter(option))
          : [this.#parameter(tag)].filter(({description}) => description);
      }),
      returns: returned ? commentOf(returned) : '',
      methods: [],
    };
  }

  /** A type by name, with what it holds. @param {Symbol} symbol @returns {Entry} */
  #type(symbol) {
    const node = this.#declaration(symbol);
    const tag = node && typedefOf(node, symbol.name);
    const properties = tag ? nestedOf(tag) : [];
    return {
      name: symbol.name,
      signature:
        properties.length || !tag
          ? `type ${symbol.name}`
          : `type ${symbol.name} = ${this.#written(tag)}`,
      description: tag ? commentOf(tag) : '',
      fields: properties.map((property) => this.#parameter(property)),
      returns: '',
      methods: [],
    };
  }

  #element() {
    const [scope] = this.#exportsOf(ELEMENT).filter(({name}) => name === 'BertScope');
    const [properties] = this.#exportsOf(PROPERTIES).filter(({name}) => name === 'ScopeProperties');
    const {fields: own, methods} = this.#members(scope);
    const fields = [...this.#members(properties).fields, ...own];
    const described = this.#state().map((field) => {
      const attribute = attributeOf(/** @type {any} */ (field.name));
      return {isAttribute: attribute !== false, field: {...field, name: attribute || field.name}};
    });
    const events = this.#checker
      .getJsDocTagsOfSymbol(scope)
      .filter(({name}) => name === 'fires')
      .map(({text = ''}) => {
        const [name, ...said] = text.split(/\s+/);
        return {name, description: said.join(' ')};
      });
    if (!events.length) throw new Error(`${ELEMENT}: expected events, found none`);
    return {
      description: this.#description(scope),
      attributes: described.filter(({isAttribute}) => isAttribute).map(({field}) => field),
      properties: [
        ...described.filter(({isAttribute}) => !isAttribute).map(({field}) => field),
        ...fields,
      ],
      methods: methods.filter(({description}) => description),
      events,
    };
  }

  /** The fields of the state, with the types of their values. @returns {Field[]} */
  #state() {
    const [table] = this.#exportsOf(STATE).filter(({name}) => name === 'fields');
    const type = this.#checker.getTypeOfSymbol(table);
    if (!type) throw new Error(`${STATE}: expected fields, found none`);
    return this.#checker.getPropertiesOfType(type).map((symbol) => {
      const field = this.#checker.getTypeOfSymbol(symbol);
      const [initial] = field
        ? this.#checker.getPropertiesOfType(field).filter(({name}) => name === 'initial')
        : [];
      const node = this.#declaration(symbol);
      const written = this.#typeOf(initial);
      if (node) for (const [name] of written.matchAll(/\b[A-Z]\w+/g)) this.#want(name, node);
      const description = this.#description(symbol);
      return {name: symbol.name, type: written, isOptional: false, description};
    });
  }

  /** @param {JSDocTag} tag @returns {Field} */
  #parameter(tag) {
    const {name, isBracketed} = /** @type {JSDocParameterTag} */ (tag);
    const nested = nestedOf(tag);
    const whole = name.getText();
    return {
      name: whole,
      type: nested.length ? 'object' : this.#written(tag),
      isOptional: isBracketed,
      description: commentOf(tag),
    };
  }

  /** A type as its author wrote it; the types it names get entries. @param {JSDocTag} tag */
  #written(tag) {
    const {typeExpression} = /** @type {JSDocParameterTag} */ (tag);
    if (!typeExpression) return '';
    const text = plain(typeExpression.getText()).replace(/^\{|\}$/g, '');
    for (const [name] of text.matchAll(/\b[A-Z]\w+/g)) this.#want(name, typeExpression);
    return text.trim();
  }

  /** @param {string} name @param {Node} where */
  #want(name, where) {
    if (this.#known.has(name) || this.#wanted.has(name)) return;
    const place = {document: where.getSourceFile().fileName, position: where.pos};
    const found = this.#checker.resolveName(name, typeOrAlias, place);
    const symbol = found && this.#target(found);
    const file = symbol && this.#declaration(symbol)?.getSourceFile().fileName;
    if (symbol && file?.includes('/web/')) this.#wanted.set(name, symbol);
  }

  /** @param {Symbol} symbol */
  #typeOf(symbol) {
    const type = this.#checker.getTypeOfSymbol(symbol);
    return type ? this.#checker.typeToString(type) : '';
  }

  /** @param {Symbol} symbol */
  #returnType(symbol) {
    const type = this.#checker.getTypeOfSymbol(symbol);
    const [signature] = type ? this.#checker.getSignaturesOfType(type, 0) : [];
    const returned = signature && this.#checker.getReturnTypeOfSignature(signature);
    return returned ? this.#checker.typeToString(returned) : '';
  }

  /** @param {Symbol} symbol */
  #description(symbol) {
    const said = plain(this.#checker.getDocumentationCommentOfSymbol(symbol));
    const node = this.#declaration(symbol);
    return said || (node ? commentOf(docOf(node)) : '');
  }
}

/** `SymbolFlags` of what a type's name can stand for. */
const typeOrAlias = 788_968 | 2_097_152;

/**
 * The docstring of a declaration; that of `this.name = …` is on the statement.
 *
 * @param {Node} node
 * @returns {{comment?: readonly {text?: string}[], tags?: readonly JSDocTag[]} | undefined}
 */
function docOf(node) {
  for (let at = node; at; at = at.parent) {
    const docs = /** @type {any} */ (at).jsDoc;
    if (docs) return docs.at(-1);
    if (ends.has(at.kind)) return undefined;
  }
}

/** What has its docstring itself, or none. */
const ends = new Set([
  SyntaxKind.ClassDeclaration,
  SyntaxKind.ExpressionStatement,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.GetAccessor,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.PropertyDeclaration,
  SyntaxKind.VariableStatement,
]);

/** @param {Node} node */
const tagsOf = (node) => docOf(node)?.tags ?? [];

/** @param {Node} node @param {string} name */
function typedefOf(node, name) {
  for (let at = node; at; at = at.parent) {
    const docs = /** @type {any} */ (at).jsDoc ?? [];
    for (const {tags = []} of docs) {
      for (const tag of tags) {
        if (tag.kind === SyntaxKind.JSDocTypedefTag && tag.name?.getText() === name) return tag;
      }
    }
  }
}

/** The tags of `options.kernel` in that of `options`, or those of a type's properties. @param {JSDocTag} tag */
function nestedOf(tag) {
  const {typeExpression} = /** @type {any} */ (tag);
  const literal = typeExpression?.type ?? typeExpression;
  /** @type {JSDocTag[]} */
  const nested = [];
  if (literal?.kind === SyntaxKind.JSDocTypeLiteral) {
    literal.forEachChild((/** @type {JSDocTag} */ child) => void nested.push(child));
  }
  return nested;
}

/** @param {{comment?: readonly {text?: string}[]} | undefined} doc */
function commentOf(doc) {
  return plain((doc?.comment ?? []).map(({text = ''}) => text).join(''));
}

/** One line, without the stars of the comment. @param {string} text */
function plain(text) {
  return text
    .replace(/\n\s*\*\s?/g, ' ')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}
