/** What the build reads from the docstrings and from the README's tables. */

/** A parameter, an option, a property or an attribute. */
export interface Field {
  name: string;
  type: string;
  isOptional: boolean;
  description: string;
}

/** An export, a method, or a type that another entry mentions. */
export interface Entry {
  name: string;
  signature: string;
  description: string;
  /** The parameters of a function, or the properties of a class. */
  fields: Field[];
  /** The description of the result. */
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
  /** The types that other entries mention. */
  types: Entry[];
}

export interface Table {
  head: string[];
  rows: string[][];
}
