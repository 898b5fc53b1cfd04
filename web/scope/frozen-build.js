/** Whether this is the frozen build, which saved pages carry: it has no engine and no export. */
export const isFrozenBuild = import.meta.env?.MODE === 'frozen';
