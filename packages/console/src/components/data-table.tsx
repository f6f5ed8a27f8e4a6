import { type ReactNode, useState } from 'react';
import { ColumnChoice, useHiddenColumns } from './column-choice';
import { type SortValue, valueOfCell } from './sort-value';

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are aligned at their ends. */
  readonly isNumber?: boolean;
  /** What rows are sorted by where the column's head is pressed, if that is not the text or the time that the cell shows. */
  readonly sortBy?: (row: Row) => SortValue;
  /** What the service sorts the list by where the column's head is pressed, in lists that it sorts. */
  readonly sortAs?: string;
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
  /** The name under which the browser keeps which columns are shown; without it all are. */
  readonly kept?: string;
  /** The names of columns that are hidden until someone has chosen which are shown. */
  readonly hiddenAtFirst?: readonly string[];
  /** Whether there are rows on other pages, without which an order would mean nothing. */
  readonly isPart?: boolean;
  /** The order in which the service has sorted the rows, as it calls it, and how another one is asked for. */
  readonly order?: { readonly sort: string; readonly onSort: (sort: string) => void };
}

/** Which column rows are sorted by, and how; undefined for the order in which they came. */
interface Sorting {
  readonly name: string;
  readonly isDescending: boolean;
}

/**
 * A table of rows. The first column heads its row. It scrolls by itself where the window is narrow. A press on the head of a column sorts the
 * rows, another one the other way around, and a third gives back the order in which they came. The service is asked for the orders that it has
 * itself; by other columns rows are sorted where all of them are there.
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  empty,
  isBusy = false,
  kept,
  hiddenAtFirst = [],
  isPart = false,
  order,
}: DataTableProps<Row>): ReactNode {
  const [sorting, setSorting] = useState<Sorting>();
  const [hidden, setHidden] = useHiddenColumns(kept, hiddenAtFirst);
  if (rows === undefined) return <p className="quiet">{isBusy ? 'Loading …' : ''}</p>;
  if (rows.length === 0) return <p className="empty">{empty}</p>;
  const asked = order === undefined ? undefined : sortingOf(order.sort, columns);
  const ask = (column: Column<Row>, next: Sorting | undefined): void => {
    const isOfService = order !== undefined && column.sortAs !== undefined;
    setSorting(isOfService ? undefined : next);
    if (!isOfService) return;
    // The service has always some order, so there is none to give back.
    const isDescending = next?.isDescending ?? asked?.isDescending === false;
    order.onSort(`${isDescending ? '-' : ''}${column.sortAs}`);
  };
  const shown = columns.filter(({ name }, index) => index === 0 || !hidden.includes(name));
  return (
    <>
      {kept !== undefined && (
        <ColumnChoice names={columns.slice(1).map(({ name }) => name)} hidden={hidden} onChange={setHidden} />
      )}
      <div className="table-scroll" role="region" aria-label={caption} tabIndex={0} aria-busy={isBusy}>
        <table>
          <caption className="hidden">{caption}</caption>
          <thead>
            <tr>
              {shown.map((column) => (
                <ColumnHead
                  key={column.name}
                  column={column}
                  canSort={
                    rows.length > 1 &&
                    (isAskedFor(column, order) ||
                      (!isPart && rows.some((row) => sortValueOf(column, row) !== undefined)))
                  }
                  sorting={sorting ?? asked}
                  onSort={(next) => ask(column, next)}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted(rows, columns, sorting).map((row) => (
              <tr key={keyOf(row)}>
                {shown.map(({ name, cell, isNumber = false }, index) =>
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
    </>
  );
}

interface ColumnHeadProps<Row> {
  readonly column: Column<Row>;
  readonly canSort: boolean;
  readonly sorting: Sorting | undefined;
  readonly onSort: (sorting: Sorting | undefined) => void;
}

/** How a sorted column says so: with a sign beside its name, which is not read out, because the column says it itself. */
const SIGNS = { ascending: '▲', descending: '▼' } as const;

function ColumnHead<Row>({ column, canSort, sorting, onSort }: ColumnHeadProps<Row>): ReactNode {
  const { name, isNumber = false } = column;
  const className = isNumber ? 'number' : undefined;
  if (!canSort) {
    return (
      <th scope="col" className={className}>
        {name}
      </th>
    );
  }
  const order = sorting?.name === name ? (sorting.isDescending ? 'descending' : 'ascending') : undefined;
  // Of numbers and times people look for the greatest first.
  const first = { name, isDescending: isNumber };
  const next =
    sorting?.name !== name ? first : sorting.isDescending === isNumber ? { name, isDescending: !isNumber } : undefined;
  return (
    <th scope="col" className={className} aria-sort={order}>
      <button type="button" className="sort" onClick={() => onSort(next)}>
        {name}
        {order !== undefined && <span aria-hidden="true"> {SIGNS[order]}</span>}
      </button>
    </th>
  );
}

/** Whether the service sorts the rows by a column. */
function isAskedFor<Row>({ sortAs }: Column<Row>, order: DataTableProps<Row>['order']): boolean {
  return order !== undefined && sortAs !== undefined;
}

/** How the service has sorted rows, by the name of a column; undefined where no column shows what it has sorted by. */
function sortingOf<Row>(sort: string, columns: readonly Column<Row>[]): Sorting | undefined {
  const isDescending = sort.startsWith('-');
  const column = columns.find(({ sortAs }) => sortAs !== undefined && sortAs === (isDescending ? sort.slice(1) : sort));
  return column && { name: column.name, isDescending };
}

/** What a row is sorted by in a column; null or undefined where it has nothing there. */
function sortValueOf<Row>({ sortBy, cell, isNumber = false }: Column<Row>, row: Row): SortValue {
  return sortBy === undefined ? valueOfCell(cell(row), isNumber) : sortBy(row);
}

const COLLATOR = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Rows in another order: those without a value last. */
function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | undefined,
): readonly Row[] {
  const column = columns.find(({ name }) => name === sorting?.name);
  if (column === undefined || sorting === undefined) return rows;
  const direction = sorting.isDescending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [first, second] = [sortValueOf(column, one), sortValueOf(column, other)];
    if (first == null || second == null) return Number(first == null) - Number(second == null);
    return direction * compared(first, second);
  });
}

function compared(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : COLLATOR.compare(String(one), String(other));
}
