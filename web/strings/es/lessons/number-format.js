const format = new Intl.NumberFormat('es-MX');

/** Writes a number as Mexican Spanish does. @param {number} number */
export const formatNumber = (number) => format.format(number);
