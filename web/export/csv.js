/**
 * Comma-separated values (RFC 4180): numbers with all that a float32 has, and nothing that a
 * spreadsheet would take for a formula.
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
