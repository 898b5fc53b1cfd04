/**
 * Writes comma-separated values (RFC 4180). Numbers keep all the digits of a float32, and no cell is
 * read as a formula by a spreadsheet.
 *
 * @param {readonly (readonly (string | number)[])[]} rows
 */
export function csv(rows) {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** @param {string | number} value */
function cell(value) {
  if (typeof value === 'number') return String(Number(value.toPrecision(9)));
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
