/** What the build makes of the docstrings and of the README's tables, for these pages. */

/** A parameter, an option, a property or an attribute. */
export interface Field {
  name: string;
  type: string;
  isOptional: boolean;
  description: string;
}

/** Something that is exported, a method of it, or a type that others name. */
export interface Entry {
  name: string;
  signature: string;
  description: string;
  /** Of a function its parameters, of a class its properties. */
  fields: Field[];
  /** What the docstring says beyond the type. */
  returns: string;
  methods: Entry[];
}

export interface Reference {
  modules: {name: string; entries: Entry[]}[];
  element: {
    description: string;
    attributes: Field[];
    properties: Field[];
    methods: Entry[];
    events: {name: string; description: string}[];
  };
  /** Those that the others name. */
  types: Entry[];
}

export interface Table {
  head: string[];
  rows: string[][];
}
