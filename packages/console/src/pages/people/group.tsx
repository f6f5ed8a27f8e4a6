import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { api, answered } from '../../api/client';
import { Failure } from '../../components/failure';
import { useFilters } from '../../components/filters';
import { pageQuery, SearchedTable } from '../../components/lists';
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
  const query = pageQuery(filters, LIMIT, 'name');
  const members = useQuery({
    queryKey: ['groups', id, 'members', query],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/scim/groups/{id}/members', { params: { path: { id }, query }, signal })),
    placeholderData: keepPreviousData,
  });
  const name = groups.data?.find((group) => group.id === id)?.display_name;
  return (
    <Page title={name ?? 'Group'} crumbs={[{ label: 'Groups', to: '/groups' }]}>
      <Failure error={members.error} />
      <SearchedTable
        caption="Members of the group"
        filters={filters}
        query={query}
        list={members}
        keyOf={({ user_id: user }) => user}
        empty="The directory has put nobody into this group."
        columns={[
          {
            name: 'Name',
            sortAs: 'name',
            cell: (member) => <Link href={`/members/${member.user_id}`}>{member.name}</Link>,
          },
          { name: 'E-mail', sortAs: 'email', cell: ({ email }) => email },
          { name: 'State', cell: ({ status }) => <MemberStatus status={status} /> },
          { name: 'In the group since', cell: (member) => <Time at={member.created_at} /> },
        ]}
      />
    </Page>
  );
}
