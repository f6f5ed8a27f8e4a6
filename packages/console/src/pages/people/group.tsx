import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { api, answered } from '../../api/client';
import { DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { Pager, useFilters } from '../../components/filters';
import { Page } from '../../components/page';
import { Time } from '../../components/values';
import { useGroups } from './groups';
import { MemberStatus } from './member-status';

const LIMIT = 100;

/** Who is in a group of the directory, which alone decides that. */
export function GroupPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const filters = useFilters();
  const groups = useGroups();
  const offset = Number(filters.get('offset'));
  const members = useQuery({
    queryKey: ['groups', id, 'members', offset],
    queryFn: ({ signal }) =>
      answered(
        api.GET('/api/v1/scim/groups/{id}/members', {
          params: { path: { id }, query: { offset, limit: LIMIT } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  const name = groups.data?.find((group) => group.id === id)?.display_name;
  return (
    <Page title={name ?? 'Group'} crumbs={[{ label: 'Groups', to: '/groups' }]}>
      <Failure error={members.error} />
      <DataTable
        caption="Members of the group"
        rows={members.data?.data}
        keyOf={({ user_id: user }) => user}
        isPart={(members.data?.total_count ?? 0) > (members.data?.data.length ?? 0)}
        isBusy={members.isFetching}
        empty="The directory has put nobody into this group."
        columns={[
          { name: 'Name', cell: (member) => <Link href={`/members/${member.user_id}`}>{member.name}</Link> },
          { name: 'E-mail', cell: ({ email }) => email },
          { name: 'State', cell: ({ status }) => <MemberStatus status={status} /> },
          { name: 'In the group since', cell: (member) => <Time at={member.created_at} /> },
        ]}
      />
      <Pager
        offset={offset}
        limit={LIMIT}
        shown={members.data?.data.length ?? 0}
        total={members.data?.total_count ?? 0}
        onMove={(to) => filters.set({ offset: to === 0 ? '' : String(to) })}
      />
    </Page>
  );
}
