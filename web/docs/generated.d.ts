/** The modules of `documented()` and `downloads()` in vite.config.js. */

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

/** Bytes by the names of files in the folder `download` beside the page. */
declare module 'virtual:downloads' {
  const sizes: Record<string, number>;
  export default sizes;
}
