/** The modules of `documented()` in vite.config.js. */

declare module 'virtual:reference' {
  const reference: import('./documented.d.ts').Reference;
  export default reference;
}

declare module 'virtual:measured-tables' {
  const tables: Record<string, import('./documented.d.ts').Table>;
  export default tables;
}

declare module 'virtual:frozen-integrity' {
  const integrity: Record<string, string>;
  export default integrity;
}
