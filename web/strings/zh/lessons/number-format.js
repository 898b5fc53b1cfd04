const format = new Intl.NumberFormat('zh');

/** Writes a number as Chinese does. @param {number} number */
export const formatNumber = (number) => format.format(number);
