import { setImmediate as nextTurn } from 'node:timers/promises';

/** The media type of a table, whose first line has the names of the columns (RFC 4180, section 3). */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** The rows that are written in one turn of the event loop. */
const ROWS_IN_TURN = 500;

/** What a cell must be quoted for. */
const QUOTED = /[",\r\n]|^\s|\s$/;

/** How a formula begins in spreadsheets, in some languages also in full width, whatever blanks stand before it. */
const FORMULA = /^\s*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/**
 * A table as CSV (RFC 4180), in pieces. A text that a spreadsheet would take for a formula gets an apostrophe in front, with which the
 * spreadsheet shows it as it is.
 *
 * @param columns the names of the columns, with the text of a row; null is an empty cell
 */
export async function csvOf<Row>(
  columns: Readonly<Record<string, (row: Row) => string | null>>,
  rows: readonly Row[],
): Promise<Buffer[]> {
  const cells = Object.values(columns);
  const pieces = [Buffer.from(lineOf(Object.keys(columns)))];
  for (let first = 0; first < rows.length; first += ROWS_IN_TURN) {
    const lines = rows
      .slice(first, first + ROWS_IN_TURN)
      .map((row) => lineOf(cells.map((cellOf) => cellOf(row) ?? '')));
    pieces.push(Buffer.from(lines.join('')));
    await nextTurn();
  }
  return pieces;
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
