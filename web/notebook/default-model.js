/** The address of the embedded model, which the Python package brings. */
export const defaultModel = 'given:bertscope-default';
/** The package does not contain it. */
export const datesModel = '';
