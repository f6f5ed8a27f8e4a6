import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Column, DataTable } from './data-table';
import { TextField } from './fields';
import { type Filters, PLACES, Pager, TextFilter } from './filters';
import { textOf } from './sort-value';
import { count } from './values';

/** One page of a list, as the service answers it. */
interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly total_count?: number;
}

/** What a list is asked for that the service searches and sorts. */
export interface PageQuery<Sort extends string> {
  readonly offset: number;
  readonly limit: number;
  readonly sort: Sort;
  readonly search?: string;
}

/**
 * What the address says of a list: the page, the text that is searched, and the order.
 *
 * @param sort the order where the address has none
 */
export function pageQuery<Sort extends string>(filters: Filters, limit: number, sort: Sort): PageQuery<Sort> {
  const [offset, search, chosen] = [filters.get('offset'), filters.get('search'), filters.get('sort')];
  return {
    offset: Number(offset),
    limit,
    sort: chosen === '' ? sort : (chosen as Sort),
    ...(search !== '' && { search }),
  };
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** What is said where there are no rows at all. */
  readonly empty: ReactNode;
}

interface ListPagerProps {
  readonly offset: number;
  readonly limit: number;
  readonly list: UseQueryResult<ListPage<unknown>>;
  readonly onMove: (offset: number) => void;
}

/** The way to the other pages of a list. */
export function ListPager({ list: { data }, ...place }: ListPagerProps): ReactNode {
  const total = data?.total_count;
  return <Pager {...place} shown={data?.data.length ?? 0} {...(total !== undefined && { total })} />;
}

interface PagedTableProps<Row> extends TableProps<Row> {
  readonly filters: Filters;
  /** As the list was asked, by {@link pageQuery}. */
  readonly query: PageQuery<string>;
  readonly list: UseQueryResult<ListPage<Row>>;
}

/** A page of a list that the service searches and sorts, in the order that the address says, with the way to the other pages. */
export function PagedTable<Row>({ filters, query, list, empty, ...table }: PagedTableProps<Row>): ReactNode {
  const { offset, limit, sort } = query;
  const [rows, total] = [list.data?.data, list.data?.total_count];
  const shown = rows?.length ?? 0;
  const isWhole = offset === 0 && (total === undefined ? shown < limit : shown === total);
  return (
    <>
      <DataTable
        {...table}
        rows={rows}
        isBusy={list.isFetching}
        empty={query.search === undefined ? empty : 'Nothing matches the filters.'}
        isPart={!isWhole}
        order={{ sort, onSort: (by) => filters.set({ sort: by }) }}
      />
      <ListPager
        offset={offset}
        limit={limit}
        list={list}
        onMove={(to) => filters.set({ offset: to === 0 ? '' : String(to) })}
      />
    </>
  );
}

/** What is asked of a list that stands beside others on a page: it has its own, which is forgotten with the page. */
export function useOwnFilters(): Filters {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  return {
    get: (name) => values[name] ?? '',
    set: (changed) =>
      setValues((before) => ({ ...before, ...Object.fromEntries(PLACES.map((place) => [place, ''])), ...changed })),
    isSet: (values['search'] ?? '') !== '',
    clear: () => setValues({}),
  };
}

/** A page of a list that the service searches and sorts, with a field for what is searched above it. */
export function SearchedTable<Row>(props: PagedTableProps<Row>): ReactNode {
  const { filters, query, list, caption } = props;
  const isMore = (list.data?.total_count ?? list.data?.data.length ?? 0) > 1;
  return (
    <>
      {(isMore || query.search !== undefined) && (
        <search className="filters" aria-label={`Search in ${caption}`}>
          <TextFilter filters={filters} name="search" label="Search" />
        </search>
      )}
      <PagedTable {...props} />
    </>
  );
}

/** The most that one answer gives, and how many answers are asked for: the quotas of lists that are loaded whole are less. */
const PAGE = 100;
const PAGES = 10;

/** Loads all of a list that is short by its quota. @param ask gives the page at an offset @returns the newest first */
export function useWholeList<Row>(
  key: readonly unknown[],
  ask: (page: { readonly offset: number; readonly limit: number }, signal: AbortSignal) => Promise<ListPage<Row>>,
): UseQueryResult<readonly Row[]> {
  return useQuery({
    queryKey: [...key, 'whole'],
    queryFn: async ({ signal }) => {
      const rows: Row[] = [];
      for (let page = 0; page < PAGES; page += 1) {
        const { data } = await ask({ offset: page * PAGE, limit: PAGE }, signal);
        rows.push(...data);
        if (data.length < PAGE) break;
      }
      return rows.toReversed();
    },
    placeholderData: keepPreviousData,
  });
}

/** A list that is loaded whole, which is sorted and searched in what is shown of it. */
export function WholeTable<Row>({
  list,
  ...table
}: TableProps<Row> & { readonly list: UseQueryResult<readonly Row[]> }): ReactNode {
  const [search, setSearch] = useState('');
  const rows = list.data;
  const text = search.trim().toLowerCase();
  const matching = rows?.filter((row) =>
    table.columns.some(({ cell }) => textOf(cell(row)).toLowerCase().includes(text)),
  );
  return (
    <>
      {rows !== undefined && rows.length > 1 && (
        <search className="filters" aria-label={`Search in ${table.caption}`}>
          <TextField label="Search" type="search" value={search} onChange={setSearch} />
        </search>
      )}
      <DataTable
        {...table}
        rows={text === '' ? rows : matching}
        isBusy={list.isFetching}
        empty={text === '' ? table.empty : 'Nothing matches the search.'}
      />
      {rows?.length === PAGE * PAGES && (
        <p className="quiet">
          Only the oldest {count(PAGE * PAGES)} are shown: there may be more, which the API lists.
        </p>
      )}
    </>
  );
}
