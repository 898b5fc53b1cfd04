/** The modules of `documented()` in vite.config.js. */

declare module 'virtual:reference' {
  export const reference: import('./documented.d.ts').Reference;
}

declare module 'virtual:readme-tables' {
  export const tables: Record<string, import('./documented.d.ts').Table>;
}
