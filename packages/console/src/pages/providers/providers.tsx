import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { answered, api } from '../../api/client';
import type { Schema } from '../../api/types';
import { type Column, DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { FilterBar, SelectFilter, TextFilter, useFilters } from '../../components/filters';
import { Page } from '../../components/page';
import { Badge, count, duration, Meter, Time } from '../../components/values';
import { FAILING, type ProviderUsage, useProviderUsage } from '../overview/usage-steps';
import { Condition, EndpointsHealth, useProvidersHealth } from './health';
import { ProviderParts } from './provider-parts';

/** A provider, and what it was asked in the last 24 hours; undefined where it was not. */
interface Row {
  readonly slug: string;
  readonly name: string;
  readonly usage: ProviderUsage | undefined;
  /** Undefined where the organization cannot use it. */
  readonly health: Schema<'ProviderHealth'> | undefined;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'Provider',
    cell: ({ slug, name }) => (
      <>
        <Link href={`/requests?provider=${encodeURIComponent(slug)}`}>{name}</Link>
        <code className="label">{slug}</code>
      </>
    ),
  },
  {
    name: 'Connection',
    cell: ({ health }) =>
      health === undefined ? <span className="quiet">not connected</span> : <Badge tone="good">Connected</Badge>,
  },
  {
    name: 'Now',
    cell: ({ health }) =>
      health && (
        <>
          <Condition condition={health.condition} />
          <EndpointsHealth endpoints={health.endpoints} nameOf={({ model }) => model} />
        </>
      ),
  },
  { name: 'In 24 hours', cell: ({ usage }) => <Health usage={usage} /> },
  { name: 'Answered', cell: ({ usage }) => usage && count(usage.answered), isNumber: true },
  { name: 'Not answered', cell: ({ usage }) => usage && count(usage.failed), isNumber: true },
  {
    name: 'Time to the first token',
    cell: ({ usage }) => (usage?.latencyMs == null ? null : duration(usage.latencyMs)),
    isNumber: true,
  },
  {
    name: 'Models',
    cell: ({ slug, name }) => (
      <Link href={`/models?providers=${encodeURIComponent(slug)}`} aria-label={`Models of ${name}`}>
        Models
      </Link>
    ),
  },
];

/** The providers with how well they answer now, and have answered in the last 24 hours: first those that can be used, by how often they were asked. */
export function ProvidersPage(): ReactNode {
  const providers = useQuery({
    queryKey: ['providers'],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/providers', { signal })),
  });
  const filters = useFilters();
  const [search, use] = [filters.get('search').toLowerCase(), filters.get('use')];
  const usage = useProviderUsage();
  const health = useProvidersHealth();
  const used = new Map((usage.data ?? []).map((one) => [one.slug, one]));
  const now = new Map((health.data?.providers ?? []).map((one) => [one.provider, one]));
  const rows = providers.data?.data
    .filter(({ slug, name }) => slug.includes(search) || name.toLowerCase().includes(search))
    .map(({ slug, name }): Row => ({ slug, name, usage: used.get(slug), health: now.get(slug) }))
    .filter((row) => use !== 'usable' || row.health !== undefined)
    .toSorted((one, other) => usableOf(other) - usableOf(one) || askedOf(other) - askedOf(one));
  return (
    <Page title="Providers">
      <ProviderParts />
      <p className="quiet">
        What the requests of the organization got. “Now” is what{' '}
        {health.data?.is_shared === true ? 'all replicas see' : 'one replica sees'}
        {health.data !== undefined && (
          <>
            {' '}
            since <Time at={health.data.observed_since} />
          </>
        )}
        ; it is empty for providers that are not connected. Connect one with{' '}
        <Link href="/providers/keys">a key of your own</Link>, or as the operator{' '}
        <Link href="/providers/connections">for the deployment</Link>.
      </p>
      <FilterBar filters={filters}>
        <TextFilter filters={filters} name="search" label="Name" />
        <SelectFilter
          filters={filters}
          name="use"
          label="Show"
          options={[
            ['', 'All'],
            ['usable', 'Connected'],
          ]}
        />
      </FilterBar>
      <Failure error={providers.error ?? usage.error ?? health.error} />
      <DataTable
        caption="Providers"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ slug }) => slug}
        isBusy={providers.isFetching}
        empty={filters.isSet ? 'No provider matches the filters.' : 'The catalog has no providers yet.'}
      />
    </Page>
  );
}

function usableOf({ health }: Row): number {
  return health === undefined ? 0 : 1;
}

function askedOf({ usage }: Row): number {
  return usage === undefined ? 0 : usage.answered + usage.failed;
}

function Health({ usage }: Pick<Row, 'usage'>): ReactNode {
  if (usage === undefined) return <span className="quiet">not asked</span>;
  const { name, answered: good, failed } = usage;
  const asked = good + failed;
  const isFailing = failed >= asked * FAILING;
  const tone = good === 0 ? 'bad' : isFailing ? 'warning' : 'good';
  return (
    <span className="spend">
      <Badge tone={tone}>{good === 0 ? 'Not answering' : isFailing ? 'Failing' : 'Answering'}</Badge>{' '}
      {Math.floor((good / asked) * 100)} %
      <Meter used={good} limit={asked} label={`Share of requests that ${name} has answered`} isGood />
    </span>
  );
}
