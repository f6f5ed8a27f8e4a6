import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { api, answered } from '../../api/client';
import { nameOfMember, useKeys, useMembers, useNames } from '../../api/names';
import { useChange } from '../../api/use-change';
import { DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { type Option, SelectField } from '../../components/fields';
import { ListPager } from '../../components/lists';
import { Section } from '../../components/page';
import { Time } from '../../components/values';

const LIMIT = 100;

/** The keys that a guardrail is assigned to. */
export function KeyAssignments({ id }: { readonly id: string }): ReactNode {
  const params = { path: { id } };
  const [offset, setOffset] = useState(0);
  const query = { offset, limit: LIMIT };
  const assigned = useQuery({
    placeholderData: keepPreviousData,
    queryKey: ['guardrails', id, 'keys', query],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/guardrails/{id}/assignments/keys', { params: { ...params, query }, signal })),
  });
  const keys = useKeys();
  const assign = useChange({
    run: (hash: string) =>
      answered(api.POST('/api/v1/guardrails/{id}/assignments/keys', { params, body: { key_hashes: [hash] } })),
    invalidates: ['guardrails'],
    says: 'The guardrail was assigned.',
  });
  const unassign = useChange({
    run: (hash: string) =>
      answered(api.POST('/api/v1/guardrails/{id}/assignments/keys/remove', { params, body: { key_hashes: [hash] } })),
    invalidates: ['guardrails'],
    says: 'The assignment was removed.',
  });
  const rows = assigned.data?.data;
  const free = keys.filter(({ hash }) => rows?.some((row) => row.key_hash === hash) === false);
  return (
    <Section title="Assigned to keys">
      <Failure error={assigned.error ?? assign.error ?? unassign.error} />
      <DataTable
        caption="Keys with this guardrail"
        rows={rows}
        keyOf={(row) => row.id}
        isBusy={assigned.isFetching}
        isPart={(assigned.data?.total_count ?? 0) > (rows?.length ?? 0)}
        empty="It is assigned to no key."
        columns={[
          { name: 'Key', cell: (row) => <Link href={`/keys/${row.key_hash}`}>{row.key_name}</Link> },
          { name: 'Assigned', cell: (row) => <Time at={row.created_at} /> },
          {
            name: 'Action',
            cell: (row) => (
              <button
                type="button"
                aria-label={`Remove from ${row.key_name}`}
                onClick={() => unassign.mutate(row.key_hash)}
              >
                Remove
              </button>
            ),
          },
        ]}
      />
      <ListPager offset={offset} limit={LIMIT} list={assigned} onMove={setOffset} />
      <Assign
        label="Key"
        options={free.map(({ hash, name, label }) => [hash, `${name} (${label})`])}
        onAssign={(hash) => assign.mutate(hash)}
      />
    </Section>
  );
}

/** The members that a guardrail is assigned to. */
export function MemberAssignments({ id }: { readonly id: string }): ReactNode {
  const params = { path: { id } };
  const [offset, setOffset] = useState(0);
  const query = { offset, limit: LIMIT };
  const names = useNames();
  const members = useMembers();
  const assigned = useQuery({
    placeholderData: keepPreviousData,
    queryKey: ['guardrails', id, 'members', query],
    queryFn: ({ signal }) =>
      answered(
        api.GET('/api/v1/guardrails/{id}/assignments/members', {
          params: { ...params, query },
          signal,
        }),
      ),
  });
  const assign = useChange({
    run: (user: string) =>
      answered(api.POST('/api/v1/guardrails/{id}/assignments/members', { params, body: { member_user_ids: [user] } })),
    invalidates: ['guardrails'],
    says: 'The guardrail was assigned.',
  });
  const unassign = useChange({
    run: (user: string) =>
      answered(
        api.POST('/api/v1/guardrails/{id}/assignments/members/remove', { params, body: { member_user_ids: [user] } }),
      ),
    invalidates: ['guardrails'],
    says: 'The assignment was removed.',
  });
  const rows = assigned.data?.data;
  const free = members.filter((member) => rows?.some((row) => row.user_id === member.id) === false);
  return (
    <Section title="Assigned to members">
      <Failure error={assigned.error ?? assign.error ?? unassign.error} />
      <DataTable
        caption="Members with this guardrail"
        rows={rows}
        keyOf={(row) => row.id}
        isBusy={assigned.isFetching}
        isPart={(assigned.data?.total_count ?? 0) > (rows?.length ?? 0)}
        empty="It is assigned to no member."
        columns={[
          { name: 'Member', cell: (row) => names.member(row.user_id) },
          {
            name: 'Applies to',
            cell: (row) =>
              row.applies_everywhere === true ? 'all keys of the member' : 'their keys of this workspace',
          },
          { name: 'Assigned', cell: (row) => <Time at={row.created_at} /> },
          {
            name: 'Action',
            cell: (row) => (
              <button
                type="button"
                aria-label={`Remove from ${names.member(row.user_id)}`}
                onClick={() => unassign.mutate(row.user_id)}
              >
                Remove
              </button>
            ),
          },
        ]}
      />
      <ListPager offset={offset} limit={LIMIT} list={assigned} onMove={setOffset} />
      <Assign
        label="Member"
        options={free.map((member) => [member.id, nameOfMember(member)])}
        onAssign={(user) => assign.mutate(user)}
      />
    </Section>
  );
}

interface AssignProps {
  readonly label: string;
  readonly options: readonly Option[];
  readonly onAssign: (value: string) => void;
}

function Assign({ label, options, onAssign }: AssignProps): ReactNode {
  const [chosen, setChosen] = useState('');
  if (options.length === 0) return null;
  const value = options.some(([option]) => option === chosen) ? chosen : '';
  return (
    <div className="filters assign">
      <SelectField label={label} value={value} options={[['', 'Choose …'], ...options]} onChange={setChosen} />
      <button type="button" aria-disabled={value === ''} onClick={() => value !== '' && onAssign(value)}>
        Assign
      </button>
    </div>
  );
}
