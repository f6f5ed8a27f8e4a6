import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { answered, api, ifMatch, tagOfShown } from '../../api/client';
import { useMay } from '../../api/session';
import { useChange } from '../../api/use-change';
import type { Column } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { FilterBar, TextFilter, useFilters } from '../../components/filters';
import { PagedTable, pageQuery } from '../../components/lists';
import { ManagedMark } from '../../components/managed';
import { Page } from '../../components/page';
import { type Alert, AlertState, KINDS, stagesSentence, useReceivers, useSubjects } from './alert-words';

const LIMIT = 50;

/** The alerts of the organization: what each is about, when it notifies, and whom. */
export function AlertsPage(): ReactNode {
  const filters = useFilters();
  const may = useMay();
  const [, navigate] = useLocation();
  const query = pageQuery(filters, LIMIT, '-created_at');
  const alerts = useQuery({
    queryKey: ['alerts', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/alerts', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  const rows = alerts.data?.data;
  const subjectOf = useSubjects(rows ?? []);
  const receiversOf = useReceivers(rows ?? []);
  const turn = useChange({
    run: async ({ id, enabled, updated_at: state }: Alert) => {
      const path = { id };
      const read = api.GET('/api/v1/alerts/{id}', { params: { path } });
      const header = ifMatch(await tagOfShown(read, (now) => now.updated_at === state));
      return answered(api.PATCH('/api/v1/alerts/{id}', { params: { path, header }, body: { enabled: !enabled } }));
    },
    invalidates: ['alerts', 'alert'],
    says: ({ data }) => `${data.name} is ${data.enabled ? 'enabled' : 'disabled'}.`,
  });
  const columns: readonly Column<Alert>[] = [
    {
      name: 'Name',
      sortAs: 'name',
      cell: ({ id, name }) => (
        <>
          <Link href={`/alerts/${id}`}>{name}</Link>
          <ManagedMark section="alerts" id={id} />
        </>
      ),
    },
    { name: 'State', cell: (alert) => <AlertState alert={alert} /> },
    { name: 'About', cell: ({ kind }) => KINDS[kind].label },
    { name: 'Of', cell: subjectOf },
    { name: 'Notifies', cell: stagesSentence },
    { name: 'Tells', cell: receiversOf },
    ...(may('alerts_write')
      ? [
          {
            name: 'Actions',
            cell: (alert: Alert) => (
              <button
                type="button"
                aria-label={`${alert.enabled ? 'Disable' : 'Enable'} ${alert.name}`}
                onClick={() => turn.mutate(alert)}
              >
                {alert.enabled ? 'Disable' : 'Enable'}
              </button>
            ),
          },
        ]
      : []),
  ];
  return (
    <Page
      title="Alerts"
      actions={
        may('alerts_write') && (
          <button type="button" className="primary" onClick={() => navigate('/alerts/new')}>
            Create an alert
          </button>
        )
      }
    >
      <p>
        They tell a webhook or addresses once in each window when a limit is nearly used up, a key expires, or a
        destination pauses.
      </p>
      <FilterBar filters={filters}>
        <TextFilter filters={filters} name="search" label="Search" />
      </FilterBar>
      <Failure error={alerts.error ?? turn.error} />
      <PagedTable
        caption="Alerts"
        columns={columns}
        filters={filters}
        query={query}
        list={alerts}
        keyOf={({ id }) => id}
        empty="There are no alerts yet. Create one, and a webhook or your addresses are told before a budget is used up."
      />
    </Page>
  );
}
