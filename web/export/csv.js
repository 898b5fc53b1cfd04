/**
 * Writes comma-separated values (RFC 4180). Numbers keep all the digits of a float32, and no cell is
 * read as a formula by a spreadsheet.
 *
 * @param {readonly (readonly (string | number)[])[]} rows
 */
export function csv(rows) {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/**
 * The signs that begin a formula, also in their full width, and behind what a spreadsheet may leave out: quotation
 * marks, spaces of any kind, and characters that nobody sees. Some spreadsheets begin a cell after a semicolon or a
 * tab, even inside quotation marks.
 */
const formulas =
  /(^|[;\t\r\n])((?:(?![\t\r\n])["\s\p{C}\p{Default_Ignorable_Code_Point}\u2800])*)(?=[=+\-@\t\r＝＋－＠])/gu;

/** @param {string | number} value */
function cell(value) {
  if (typeof value === 'number') return String(Number(value.toPrecision(9)));
  const text = value.replace(formulas, "$1$2'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
