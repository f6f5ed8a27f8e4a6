import type { ReactNode } from 'react';

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are aligned at their ends. */
  readonly isNumber?: boolean;
}

interface DataTableProps<Row> {
  /** What the table has, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined before the first answer. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  readonly empty: ReactNode;
  /** Whether other rows are on their way; those that are there stay. */
  readonly isBusy?: boolean;
}

/** A table of rows. The first column heads its row. It scrolls by itself where the window is narrow. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  empty,
  isBusy = false,
}: DataTableProps<Row>): ReactNode {
  if (rows === undefined) return <p className="quiet">{isBusy ? 'Loading …' : ''}</p>;
  if (rows.length === 0) return <p className="empty">{empty}</p>;
  return (
    <div className="table-scroll" role="region" aria-label={caption} tabIndex={0} aria-busy={isBusy}>
      <table>
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber = false }) => (
              <th key={name} scope="col" className={isNumber ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, isNumber = false }, index) =>
                index === 0 ? (
                  <th key={name} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={name} className={isNumber ? 'number' : undefined}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
