/** Generates the API reference from the docstrings of the package's entry points, with TypeDoc. */

import {fileURLToPath} from 'node:url';
import {Application, Comment, ReflectionKind, ReflectionType, makeRecursiveVisitor} from 'typedoc';
import {attributeOf, fields as stateFields} from '../../web/scope/state-fields.js';

/** @import {CommentDisplayPart, DeclarationReflection, ParameterReflection, Reflection, SignatureReflection, SomeType} from 'typedoc' */
/** @import {Entry, Field, Reference} from '../../web/docs/documented.d.ts' */
/** @import {FieldName} from '../../web/scope/state-fields.js' */

/** @typedef {DeclarationReflection | ParameterReflection} Member */

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));

/** @type {Partial<import('typedoc').TypeDocOptions>} */
const options = {
  entryPoints: ['engine/index.js', 'views/index.js', 'scope/bert-scope.js'].map((name) =>
    path(`../../web/${name}`),
  ),
  tsconfig: path('../../web/tsconfig.json'),
  compilerOptions: {types: []},
  // `npm run check` already checks the types.
  skipErrorChecking: true,
  // This plugin adds the types that the API mentions and does not export.
  plugin: ['typedoc-plugin-missing-exports'],
  sort: ['source-order'],
  sortEntryPoints: false,
  excludeExternals: true,
  excludePrivate: true,
  disableSources: true,
  blockTags: ['@fires', '@param', '@returns', '@template', '@throws', '@type'],
  logLevel: 'Error',
};

/** @returns {Promise<Reference>} */
export async function generateReference() {
  const app = await Application.bootstrapWithPlugins(options);
  const project = await app.convert();
  if (project?.children?.length !== 3) throw new Error('expected three modules from TypeDoc');
  const [engine, views, element] = project.children;
  return new Generator().reference(engine, views, element);
}

class Generator {
  /** The types that the entries mention. @type {Set<Reflection>} */
  #mentioned = new Set();

  /**
   * @param {DeclarationReflection} engine
   * @param {DeclarationReflection} views
   * @param {DeclarationReflection} element
   * @returns {Reference}
   */
  reference(engine, views, element) {
    const [engineExports, viewsExports] = [exportsOf(engine), exportsOf(views)];
    const scope = /** @type {DeclarationReflection} */ (element.getChildByName('BertScope'));
    const exported = [...engineExports, ...viewsExports, scope];
    const reference = {
      modules: [
        {name: 'bertscope', entries: engineExports.map((each) => this.#entry(each))},
        {name: 'bertscope/views', entries: viewsExports.map((each) => this.#entry(each))},
      ],
      element: this.#element(scope),
    };
    /** @type {Entry[]} */
    const types = [];
    // Making an entry can add types to the set, and the loop visits those too.
    for (const type of this.#mentioned) {
      if (!exported.includes(/** @type {DeclarationReflection} */ (type))) {
        types.push(this.#entry(/** @type {DeclarationReflection} */ (type)));
      }
    }
    types.sort((a, b) => a.name.localeCompare(b.name, 'en'));
    return {...reference, types};
  }

  /** @param {DeclarationReflection} reflection @returns {Entry} */
  #entry(reflection) {
    const {name, kind, type, signatures} = reflection;
    if (signatures) return this.#function(signatures[0]);
    const entry = {name, description: textOf(reflection), fields: [], returns: '', methods: []};
    if (kind === ReflectionKind.Variable) {
      return {...entry, signature: `${name}: ${this.#written(type)}`};
    }
    if (kind === ReflectionKind.TypeAlias && !isObject(type)) {
      return {...entry, signature: `type ${name} = ${this.#written(type)}`};
    }
    return {
      ...entry,
      signature: `${kind === ReflectionKind.Class ? 'class' : 'type'} ${name}`,
      ...this.#members(isObject(type) ? type.declaration : reflection),
    };
  }

  /** @param {SignatureReflection} signature @returns {Entry} */
  #function(signature) {
    const {name, parameters = [], type} = signature;
    const listed = parameters.map((parameter) => {
      const field = this.#field(parameter);
      return `${field.name}${field.isOptional ? '?' : ''}: ${field.type}`;
    });
    return {
      name,
      signature: `${name}(${listed.join(', ')}): ${this.#written(type)}`,
      description: textOf(signature),
      fields: parameters.flatMap((parameter) => this.#parameter(parameter)),
      returns: tagsOf(signature, '@returns').join(' '),
      methods: [],
    };
  }

  /** @param {DeclarationReflection} reflection */
  #members({children = []}) {
    const own = children.filter(
      ({kind, flags, overwrites}) =>
        kind !== ReflectionKind.Constructor && !flags.isStatic && !overwrites,
    );
    const isMethod = (/** @type {DeclarationReflection} */ {kind}) =>
      kind === ReflectionKind.Method;
    return {
      fields: own.filter((member) => !isMethod(member)).map((member) => this.#field(member)),
      methods: own.filter(isMethod).map((member) => this.#entry(member)),
    };
  }

  /** @param {DeclarationReflection} scope @returns {Reference['element']} */
  #element(scope) {
    const {fields, methods} = this.#members(scope);
    /** @type {Map<string, string>} */
    const names = new Map();
    for (const property of Object.keys(stateFields)) {
      const attribute = attributeOf(/** @type {FieldName} */ (property));
      if (attribute) names.set(property, attribute);
    }
    return {
      description: textOf(scope),
      attributes: fields.flatMap((field) => {
        const name = names.get(field.name);
        return name ? {...field, name} : [];
      }),
      properties: fields.filter(({name}) => !names.has(name)),
      methods: methods.filter(({description}) => description),
      events: tagsOf(scope, '@fires').map((text) => {
        const [name, ...said] = text.split(' ');
        return {name, description: said.join(' ')};
      }),
    };
  }

  /**
   * Lists a parameter if it has a description, or its options if they have descriptions.
   *
   * @param {ParameterReflection} parameter
   */
  #parameter(parameter) {
    const {name, type} = parameter;
    if (!hasDescribedProperties(type)) {
      return textOf(parameter) ? [this.#field(parameter)] : [];
    }
    const {children = []} = type.declaration;
    return children
      .map((option) => this.#field(option))
      .map((field) => ({...field, name: `${name}.${field.name}`}));
  }

  /** @param {Member} member @returns {Field} */
  #field(member) {
    const getter = 'getSignature' in member ? member.getSignature : undefined;
    const type = getter ? getter.type : member.type;
    const hasDefault =
      member.kind === ReflectionKind.Parameter && member.defaultValue !== undefined;
    return {
      name: member.name,
      type: hasDescribedProperties(type) ? 'object' : this.#written(type),
      isOptional: member.flags.isOptional || hasDefault,
      description: textOf(getter ?? member),
    };
  }

  /** @param {SomeType | undefined} type */
  #written(type) {
    this.#collect(type);
    return `${type ?? 'unknown'}`.replaceAll('<ArrayBufferLike>', '');
  }

  /** Collects the types that a type mentions. @param {SomeType | undefined} type */
  #collect(type) {
    type?.visit(
      makeRecursiveVisitor({
        reference: ({reflection}) =>
          reflection?.kindOf(ReflectionKind.SomeType | ReflectionKind.Class) &&
          this.#mentioned.add(reflection),
        reflection: ({declaration: {children = [], signatures = []}}) => {
          const parameters = signatures.flatMap((signature) => signature.parameters ?? []);
          for (const part of [...children, ...signatures, ...parameters]) this.#collect(part.type);
        },
      }),
    );
  }
}

/** @param {DeclarationReflection} module */
function exportsOf({children = []}) {
  const {Class, Function, Variable} = ReflectionKind;
  return children.filter(({kind}) => kind & (Class | Function | Variable));
}

/** @param {SomeType | undefined} type @returns {type is ReflectionType} */
function isObject(type) {
  return type instanceof ReflectionType && type.declaration.children !== undefined;
}

/** @param {SomeType | undefined} type @returns {type is ReflectionType} */
function hasDescribedProperties(type) {
  return isObject(type) && !!type.declaration.children?.some((child) => textOf(child));
}

/** @param {Reflection} reflection */
function textOf({comment}) {
  return plain(comment?.summary ?? []);
}

/** @param {Reflection} reflection @param {`@${string}`} tag */
function tagsOf({comment}, tag) {
  return comment?.getTags(tag).map(({content}) => plain(content)) ?? [];
}

/** @param {readonly CommentDisplayPart[]} parts */
function plain(parts) {
  return Comment.combineDisplayParts(parts).replaceAll(/\s+/g, ' ').trim();
}
