import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { answered, api } from '../../api/client';
import { BulkAddWorkspaceMembersRequest, BulkRemoveWorkspaceMembersRequest } from '../../api/descriptions';
import { useNames } from '../../api/names';
import { ROLE_LABELS } from '../../api/roles';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import type { Column } from '../../components/data-table';
import { FormDialog } from '../../components/dialog';
import { Failure } from '../../components/failure';
import { CheckField, requestFields } from '../../components/fields';
import { useKeptForm } from '../../components/kept-form';
import { pageQuery, SearchedTable, useOwnFilters } from '../../components/lists';
import { Section } from '../../components/page';
import { MEMBERS, SuggestList } from '../../components/suggestions';
import { Time } from '../../components/values';

type Member = Schema<'WorkspaceMember'>;

const LIMIT = 50;

/** The members of a workspace. */
export function WorkspaceMembers({ id, name }: { readonly id: string; readonly name: string }): ReactNode {
  const names = useNames();
  const isChanger = useMay()('workspaces_write');
  const filters = useOwnFilters();
  const [asked, setAsked] = useState<{ readonly is: 'add' } | { readonly is: 'remove'; readonly member: Member }>();
  const query = pageQuery(filters, LIMIT, '-created_at');
  const members = useQuery({
    queryKey: ['workspace-members', id, query],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/workspaces/{id}/members', { params: { path: { id }, query }, signal })),
    placeholderData: keepPreviousData,
  });
  const columns: readonly Column<Member>[] = [
    {
      name: 'Member',
      sortAs: 'name',
      cell: ({ user_id: user }) => <Link href={`/members/${user}`}>{names.member(user)}</Link>,
    },
    { name: 'Role', cell: ({ role }) => ROLE_LABELS[role] },
    { name: 'Member since', sortAs: 'created_at', cell: ({ created_at: at }) => <Time at={at} /> },
    ...(isChanger
      ? [
          {
            name: 'Actions',
            cell: (member: Member) => (
              <button
                type="button"
                aria-label={`Remove ${names.member(member.user_id)}`}
                onClick={() => setAsked({ is: 'remove', member })}
              >
                Remove
              </button>
            ),
          },
        ]
      : []),
  ];
  const close = (): void => setAsked(undefined);
  return (
    <Section
      title="Members"
      actions={
        isChanger && (
          <button type="button" onClick={() => setAsked({ is: 'add' })}>
            Add members
          </button>
        )
      }
    >
      <Failure error={members.error} />
      <SearchedTable
        caption="Members"
        filters={filters}
        query={query}
        list={members}
        columns={columns}
        keyOf={(member) => member.user_id}
        empty="The workspace has no members yet. Add some, so that they can make keys in it."
      />
      {asked?.is === 'add' && <AddMembers id={id} name={name} onClose={close} />}
      {asked?.is === 'remove' && <RemoveMember id={id} name={name} user={asked.member.user_id} onClose={close} />}
    </Section>
  );
}

interface ChangeProps {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

function AddMembers({ id, name, onClose }: ChangeProps): ReactNode {
  const names = useNames();
  const kept = useKeptForm<readonly string[]>(`new members of workspace ${id}`, () => []);
  const add = useChange({
    run: () => {
      const body = { user_ids: [...kept.draft] };
      return answered(api.POST('/api/v1/workspaces/{id}/members/add', { params: { path: { id } }, body }));
    },
    invalidates: ['workspace-members'],
    says: 'The members were added.',
    then: onClose,
  });
  return (
    <FormDialog title={`Add members to ${name}`} submit="Add the members" change={add} kept={kept} onClose={onClose}>
      <SuggestList
        label="Members"
        {...requestFields(BulkAddWorkspaceMembersRequest, add.error)('user_ids')}
        suggestions={MEMBERS}
        nameOf={names.member}
        value={kept.draft}
        onChange={kept.change}
      />
    </FormDialog>
  );
}

function RemoveMember({ id, name, user, onClose }: ChangeProps & { readonly user: string }): ReactNode {
  const member = useNames().member(user);
  const [suspends, setSuspends] = useState(false);
  const remove = useChange({
    run: () => {
      const body = { user_ids: [user], suspend_keys: suspends };
      return answered(api.POST('/api/v1/workspaces/{id}/members/remove', { params: { path: { id } }, body }));
    },
    invalidates: ['workspace-members', 'keys'],
    says: `${member} was removed.`,
    then: onClose,
  });
  return (
    <FormDialog
      title={`Remove ${member} from ${name}?`}
      submit="Remove the member"
      isDangerous
      change={remove}
      onClose={onClose}
    >
      <p>The person stays a member of the organization.</p>
      <CheckField
        label="Suspend their keys"
        {...requestFields(BulkRemoveWorkspaceMembersRequest, remove.error)('suspend_keys')}
        value={suspends}
        onChange={setSuspends}
      />
    </FormDialog>
  );
}
