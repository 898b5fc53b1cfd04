const format = new Intl.NumberFormat('en');

/** Writes a number as English does. @param {number} number */
export const formatNumber = (number) => format.format(number);
