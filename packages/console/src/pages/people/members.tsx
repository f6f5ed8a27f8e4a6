import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { api, answered } from '../../api/client';
import { CreateOrganizationMemberRequest } from '../../api/descriptions';
import { nameOfMember } from '../../api/names';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { Failure } from '../../components/failure';
import { requestFields, SelectField, TextField } from '../../components/fields';
import { FilterBar, SelectFilter, TextFilter, useFilters } from '../../components/filters';
import { setterOf, useKeptForm } from '../../components/kept-form';
import { PagedTable, pageQuery } from '../../components/lists';
import { Page } from '../../components/page';
import { MemberStatus, ROLES } from './member-status';

const LIMIT = 100;

const SHOWN = [
  ['', 'Active members'],
  ['all', 'All members'],
] as const;

const KINDS = [
  ['person', 'A person'],
  ['service', 'A service: an account for software'],
] as const;

type Kind = (typeof KINDS)[number][0];
type Role = Schema<'OrganizationMember'>['role'];

/** The members of the organization, and how one is added. */
export function MembersPage(): ReactNode {
  const filters = useFilters();
  const may = useMay();
  const [isAdding, setAdding] = useState(false);
  const query = {
    ...pageQuery(filters, LIMIT, '-created_at'),
    include_deactivated: filters.get('shown') === 'all' ? ('true' as const) : ('false' as const),
  };
  const members = useQuery({
    queryKey: ['members', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/organization/members', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Members"
      actions={
        may('organization_members_write') && (
          <button type="button" className="primary" onClick={() => setAdding(true)}>
            Add a member
          </button>
        )
      }
    >
      <FilterBar filters={filters}>
        <TextFilter filters={filters} name="search" label="Search" />
        <SelectFilter filters={filters} name="shown" label="Shown" options={SHOWN} />
      </FilterBar>
      <Failure error={members.error} />
      <PagedTable
        caption="Members"
        filters={filters}
        query={query}
        list={members}
        keyOf={({ id }) => id}
        empty="There are no members."
        columns={[
          {
            name: 'Name',
            sortAs: 'name',
            cell: (member) => <Link href={`/members/${member.id}`}>{nameOfMember(member)}</Link>,
          },
          { name: 'E-mail', sortAs: 'email', cell: ({ email }) => email },
          { name: 'Role', cell: ({ role }) => ROLES.find(([name]) => name === role)?.[1] ?? role },
          { name: 'Kind', cell: ({ kind }) => (kind === 'service' ? 'Service' : 'Person') },
          { name: 'State', cell: ({ status }) => <MemberStatus status={status} /> },
        ]}
      />
      {isAdding && <AddMember onClose={() => setAdding(false)} />}
    </Page>
  );
}

interface MemberDraft {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly kind: Kind;
}

const NEW_MEMBER: MemberDraft = { name: '', email: '', role: 'org:member', kind: 'person' };

function AddMember({ onClose }: { readonly onClose: () => void }): ReactNode {
  const kept = useKeptForm<MemberDraft>('new member', () => NEW_MEMBER);
  const { name, email, role, kind } = kept.draft;
  const set = setterOf(kept);
  const add = useChange({
    run: () =>
      answered(
        api.POST('/api/v1/organization/members', { body: { name, role, kind, ...(email !== '' && { email }) } }),
      ),
    invalidates: ['members'],
    says: `${name} was added.`,
    then: onClose,
  });
  const of = requestFields(CreateOrganizationMemberRequest, add.error);
  return (
    <FormDialog title="Add a member" submit="Add the member" change={add} kept={kept} onClose={onClose}>
      <TextField
        label="Name"
        isRequired
        maxLength={256}
        value={name}
        {...of('name')}
        onChange={(changed) => set({ name: changed })}
      />
      <SelectField
        label="Kind"
        {...of('kind')}
        value={kind}
        options={KINDS}
        onChange={(chosen) => set({ kind: chosen as Kind })}
      />
      <TextField
        label="E-mail address"
        type="email"
        isRequired={kind === 'person'}
        {...of('email')}
        value={email}
        onChange={(changed) => set({ email: changed })}
      />
      <SelectField
        label="Role"
        value={role}
        options={ROLES}
        {...of('role')}
        onChange={(chosen) => set({ role: chosen as Role })}
      />
    </FormDialog>
  );
}
