import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { answered, api } from '../../api/client';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import type { Column } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { FilterBar, TextFilter, useFilters } from '../../components/filters';
import { PagedTable, pageQuery } from '../../components/lists';
import { ManagedMark } from '../../components/managed';
import { Page, Section } from '../../components/page';
import { Badge, Time } from '../../components/values';
import { SettingsParts } from '../settings/settings-parts';
import { ActingKey } from './acting-key';
import { Issuers, useIssuers } from './issuers';

type Policy = Schema<'FederationPolicy'>;

const LIMIT = 50;

/** How workloads, such as jobs and pods, get access without a key of their own: whose tokens are exchanged, and for what. */
export function FederationPage(): ReactNode {
  return (
    <Page title="Workload federation" crumbs={[{ label: 'Settings', to: '/settings' }]}>
      <SettingsParts />
      <p>
        A job or a pod exchanges the signed token that it has for one of 15 minutes that acts as an API key, so that no
        key is stored where it runs. An issuer signs such tokens; a policy says which of them are exchanged.
      </p>
      <Issuers />
      <Policies />
    </Page>
  );
}

/** Whether tokens are exchanged by a policy. */
export function PolicyState({ isEnabled }: { readonly isEnabled: boolean }): ReactNode {
  return isEnabled ? <Badge tone="good">Enabled</Badge> : <Badge>Disabled</Badge>;
}

function Policies(): ReactNode {
  const filters = useFilters();
  const may = useMay();
  const [, navigate] = useLocation();
  const issuers = useIssuers().data;
  const query = pageQuery(filters, LIMIT, '-created_at');
  const policies = useQuery({
    queryKey: ['federation-policies', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/federation/policies', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  const nameOfIssuer = (id: string): string => issuers?.find((issuer) => issuer.id === id)?.name ?? id;
  const columns: readonly Column<Policy>[] = [
    {
      name: 'Name',
      sortAs: 'name',
      cell: ({ id, name }) => (
        <>
          <Link href={`/settings/federation/${id}`}>{name}</Link>
          <ManagedMark section="federation_policies" id={id} />
        </>
      ),
    },
    {
      name: 'State',
      cell: ({ enabled }) => <PolicyState isEnabled={enabled} />,
      sortBy: ({ enabled }) => (enabled ? 'Enabled' : 'Disabled'),
    },
    { name: 'Tokens of', cell: ({ issuer_id: issuer }) => nameOfIssuer(issuer) },
    { name: 'Subject', cell: ({ subject }) => (subject === null ? 'By the condition' : <code>{subject}</code>) },
    { name: 'Condition', cell: ({ condition }) => condition !== null && <code>{condition}</code> },
    { name: 'Acts as', cell: ({ key_hash: hash }) => <ActingKey hash={hash} /> },
    { name: 'Changed', cell: ({ updated_at: at }) => <Time at={at} /> },
  ];
  return (
    <Section
      title="Policies"
      actions={
        may('federation_write') && (
          <button type="button" onClick={() => navigate('/settings/federation/new')}>
            Add a policy
          </button>
        )
      }
    >
      <FilterBar filters={filters}>
        <TextFilter filters={filters} name="search" label="Search" />
      </FilterBar>
      <Failure error={policies.error} />
      <PagedTable
        caption="Policies"
        columns={columns}
        filters={filters}
        query={query}
        list={policies}
        keyOf={({ id }) => id}
        empty={
          issuers?.length === 0
            ? 'There are no policies yet. Add an issuer first, then a policy that names it.'
            : 'There are no policies yet. Add one, which says which tokens act as which API key.'
        }
      />
    </Section>
  );
}
