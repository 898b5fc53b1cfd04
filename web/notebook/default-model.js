/** The address of the embedded model, which the Python package brings. */
export const defaultModel = 'given:bertscope-default';
/** Not in the package. */
export const datesModel = '';
