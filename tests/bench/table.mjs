/**
 * @param {string} title
 * @param {string[]} header
 * @param {(string | number)[][]} rows
 * @returns {string} The table as text; columns of numbers are aligned to the right.
 */
export function table(title, header, rows) {
  const cells = [header, ...rows.map((row) => row.map(String))];
  const widths = header.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const isNumber = header.map((_, column) =>
    rows.every((row) => /^-?\d/.test(String(row[column]))),
  );
  const lines = cells.map((row) =>
    row
      .map((cell, i) => (isNumber[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
      .join('  ')
      .trimEnd(),
  );
  return [title, ...lines].join('\n');
}
