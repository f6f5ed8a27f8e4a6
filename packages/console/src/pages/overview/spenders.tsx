import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type AnalyticsRow, analyticsRows, numberOf } from '../../api/analytics';
import { DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { count, usd } from '../../components/values';
import { type RangeName, REFRESH_MS, spanOf } from './usage-steps';

/** How many of a kind are named. */
const NAMED = 5;

/** What spending can be told apart by: a dimension, where its name stands, and the pages of one of them. */
interface Kind {
  readonly title: string;
  readonly dimension: string;
  readonly name?: string;
  /** What those are called that have none. */
  readonly unset: string;
  /** The filter of requests. */
  readonly filter: string;
  /** The value of that filter; absent where it is the id. */
  readonly filtered?: (id: string) => string;
  /** The page of the thing itself. */
  readonly page?: (id: string) => string;
  /** The metric of those that come first; absent for what they have spent. */
  readonly order?: string;
  /** Whether requests without any are left out. */
  readonly isNamedOnly?: boolean;
}

const KINDS: readonly Kind[] = [
  {
    title: 'Keys',
    dimension: 'api_key_id',
    name: 'api_key_name',
    unset: 'None',
    filter: 'key_hash',
    page: (id) => `/keys/${id}`,
  },
  {
    title: 'Members',
    dimension: 'user',
    name: 'user_name',
    unset: 'None',
    filter: 'user_id',
    page: (id) => `/members/${encodeURIComponent(id)}`,
  },
  { title: 'Models', dimension: 'model', name: 'model_name', unset: 'None was asked', filter: 'model' },
  { title: 'Providers', dimension: 'provider', name: 'provider_name', unset: 'None was asked', filter: 'provider' },
  {
    title: 'Tools',
    dimension: 'tool',
    unset: 'None',
    filter: 'model',
    filtered: (id) => `mcp:${id}`,
    order: 'request_count',
    isNamedOnly: true,
  },
  { title: 'Labels', dimension: 'label', unset: 'Without labels', filter: 'label' },
];

/** Who and what has spent the most in a time: of each kind the first few. */
export function Spenders({ range }: { readonly range: RangeName }): ReactNode {
  return (
    <div className="spenders">
      {KINDS.map((kind) => (
        <SpendersOfKind key={kind.dimension} kind={kind} range={range} />
      ))}
    </div>
  );
}

function SpendersOfKind({ kind, range }: { readonly kind: Kind; readonly range: RangeName }): ReactNode {
  const { title, dimension, order = 'total_usage', isNamedOnly = false } = kind;
  const rows = useQuery({
    queryKey: ['usage', 'spenders', dimension, range],
    queryFn: async ({ signal }) => {
      const found = await analyticsRows(
        {
          metrics: ['total_usage', 'request_count', 'refused_count'],
          dimensions: [dimension],
          time_range: spanOf(range),
          order_by: { field: order, direction: 'desc' },
          limit: isNamedOnly ? NAMED + 1 : NAMED,
        },
        signal,
      );
      return isNamedOnly ? found.filter((row) => row[dimension] !== null).slice(0, NAMED) : found;
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  return (
    <section>
      <h3>{title}</h3>
      <Failure error={rows.error} />
      <DataTable
        caption={`${title} that ${order === 'total_usage' ? 'have spent' : 'were asked'} the most`}
        columns={[
          { name: title.slice(0, -1), cell: (row: AnalyticsRow) => <Spender kind={kind} row={row} /> },
          { name: 'Spent', cell: (row) => usd(numberOf(row['total_usage'])), isNumber: true },
          { name: 'Requests', cell: (row) => <Requests kind={kind} row={row} range={range} />, isNumber: true },
        ]}
        rows={rows.data}
        keyOf={(row) => String(row[dimension])}
        isBusy={rows.isFetching}
        empty={isNamedOnly ? 'None was asked.' : 'Nothing was asked.'}
      />
    </section>
  );
}

interface SpenderProps {
  readonly kind: Kind;
  readonly row: AnalyticsRow;
}

/** The id of what a row is about; undefined where it is about requests without any. */
function idOf({ kind, row }: SpenderProps): string | undefined {
  const id = row[kind.dimension];
  return typeof id === 'string' ? id : undefined;
}

function nameOf({ kind, row }: SpenderProps): string {
  const name = kind.name === undefined ? undefined : row[kind.name];
  return typeof name === 'string' ? name : (idOf({ kind, row }) ?? kind.unset);
}

/** What a row is about, with its page where it still is. */
function Spender(props: SpenderProps): ReactNode {
  const { kind, row } = props;
  const id = idOf(props);
  const isGone = kind.name !== undefined && row[kind.name] == null;
  if (id === undefined) return <span className="quiet">{kind.unset}</span>;
  if (kind.page === undefined || isGone) return nameOf(props);
  return <Link href={kind.page(id)}>{nameOf(props)}</Link>;
}

/** How many requests it had, with the way to them. */
function Requests({ range, ...props }: SpenderProps & { readonly range: RangeName }): ReactNode {
  const { kind, row } = props;
  const id = idOf(props);
  const requests = count(numberOf(row['request_count']) + numberOf(row['refused_count']));
  if (id === undefined) return requests;
  const query = new URLSearchParams({ [kind.filter]: kind.filtered?.(id) ?? id, since: spanOf(range).start });
  return (
    <Link href={`/requests?${query}`} aria-label={`${requests} requests of ${nameOf(props)}`}>
      {requests}
    </Link>
  );
}
