/** The element of a page that was saved: it has no engine, and cannot save itself again. */
export const isFrozenBuild = import.meta.env?.MODE === 'frozen';
