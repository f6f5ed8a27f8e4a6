import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answered, api } from '../../api/client';
import { useMembers, useNames, nameOfMember } from '../../api/names';
import type { Schema } from '../../api/types';
import { type Column, DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import {
  FilterBar,
  LinkedFilter,
  Pager,
  SelectFilter,
  TextFilter,
  TimeFilter,
  useFilters,
} from '../../components/filters';
import { Page } from '../../components/page';
import { Time } from '../../components/values';
import { ChainHead } from './chain-head';

type Event = Schema<'AuditEvent'>;

const LIMIT = 50;

/** The filters that the operation takes. */
const FILTERS = ['actor', 'action', 'target', 'since', 'until'] as const;

/**
 * The audit trail, latest first. The operation lists the chain from its beginning, so the page asks how long it is and then for the end of
 * it.
 */
export function AuditPage(): ReactNode {
  const filters = useFilters();
  const names = useNames();
  const members = useMembers();
  const set = Object.fromEntries(
    FILTERS.filter((name) => filters.get(name) !== '').map((name) => [name, filters.get(name)]),
  );
  const offset = Number(filters.get('offset'));
  const events = useQuery({
    queryKey: ['audit', set, offset],
    queryFn: async ({ signal }) => {
      const ask = (query: { offset: number; limit: number }): Promise<Schema<'ListAuditEventsResponse'>> =>
        answered(api.GET('/api/v1/audit-events', { params: { query: { ...set, ...query } }, signal }));
      const { total_count: total } = await ask({ offset: 0, limit: 1 });
      const end = Math.max(0, total - offset);
      const first = Math.max(0, end - LIMIT);
      if (end === 0) return { total, data: [] };
      return { total, data: (await ask({ offset: first, limit: end - first })).data.toReversed() };
    },
    placeholderData: keepPreviousData,
  });
  const columns: readonly Column<Event>[] = [
    { name: 'When', cell: ({ created_at: at }) => <Time at={at} /> },
    { name: 'Who', cell: ({ actor }) => <Actor actor={actor} name={names.member(actor.id)} /> },
    {
      name: 'What',
      cell: ({ action }) => (
        <button type="button" className="plain" onClick={() => filters.set({ action })}>
          {action}
        </button>
      ),
    },
    {
      name: 'On',
      cell: ({ target }) => (
        <button type="button" className="plain" onClick={() => filters.set({ target: target.id })}>
          {target.type} <code>{shortened(target.id)}</code>
        </button>
      ),
    },
    { name: 'Changes', cell: ({ changes }) => <Changes changes={changes} /> },
    { name: 'From', cell: ({ address }) => address },
    { name: 'Position', cell: ({ sequence, hash }) => <span title={`Hash ${hash}`}>{sequence}</span>, isNumber: true },
  ];
  return (
    <Page title="Audit trail">
      <FilterBar filters={filters}>
        <SelectFilter
          filters={filters}
          name="actor"
          label="Who"
          options={[
            ['', 'Anyone'],
            ...members.map((member) => [member.id, nameOfMember(member)] as const),
            ['command_line', 'Command line'],
            ['anonymous', 'Without a credential'],
          ]}
        />
        <TextFilter filters={filters} name="action" label="Action" />
        <TimeFilter filters={filters} name="since" label="Since" />
        <TimeFilter filters={filters} name="until" label="Until" />
        <LinkedFilter filters={filters} name="target" label="Object" shown={shortened(filters.get('target'))} />
      </FilterBar>
      <Failure error={events.error} />
      <DataTable
        caption="Audit trail"
        columns={columns}
        rows={events.data?.data}
        keyOf={({ id }) => id}
        isPart={(events.data?.total ?? 0) > (events.data?.data.length ?? 0)}
        isBusy={events.isFetching}
        empty="No event matches the filters."
      />
      <Pager
        offset={offset}
        limit={LIMIT}
        shown={events.data?.data.length ?? 0}
        total={events.data?.total ?? 0}
        onMove={(to) => filters.set({ offset: to === 0 ? '' : String(to) })}
      />
      <ChainHead />
    </Page>
  );
}

/** Who did it: a member by name, else by what kind of caller it was. */
function Actor({ actor, name }: { readonly actor: Schema<'AuditEventActor'>; readonly name: string }): ReactNode {
  const kind = actor.kind.replaceAll('_', ' ');
  if (actor.id === null) return kind;
  return (
    <>
      {name} <span className="quiet">{kind}</span>
    </>
  );
}

/** The changed fields with their values before and after, on demand. */
function Changes({ changes }: { readonly changes: Event['changes'] }): ReactNode {
  const fields = Object.entries(changes ?? {});
  if (fields.length === 0) return null;
  return (
    <details>
      <summary>{fields.map(([name]) => name).join(', ')}</summary>
      <ul className="changes">
        {fields.map(([name, change]) => (
          <li key={name}>
            <code>{name}</code>: {valueOf(change, 'before')} → {valueOf(change, 'after')}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A value as the trail has it; of one that is too large its digest. */
function valueOf(change: object, side: 'before' | 'after'): ReactNode {
  const values = change as Readonly<Record<string, unknown>>;
  const value = values[side] ?? values[`${side}_digest`];
  if (value === undefined) return <span className="quiet">nothing</span>;
  return <code>{JSON.stringify(value)}</code>;
}

/** The beginning of an id, which is enough to tell it from others on a page. */
function shortened(id: string): string {
  return id.length > 13 ? `${id.slice(0, 12)}…` : id;
}
