import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'wouter';
import { api, answered, ifMatch, type Tagged, tagged } from '../../api/client';
import { UpdateOrganizationMemberRequest } from '../../api/descriptions';
import { nameOfMember } from '../../api/names';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { requestFields, SelectField, TextField } from '../../components/fields';
import { useKeptForm } from '../../components/kept-form';
import { Page } from '../../components/page';
import { NewOwnerField } from '../keys/new-owner-field';
import { MemberStatus, ROLES } from './member-status';

type Member = Schema<'OrganizationMember'>;
type Role = Member['role'];

/** One member: role, state, and what is theirs. */
export function MemberPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const may = useMay();
  const [open, setOpen] = useState<'edit' | 'transfer' | 'deactivate' | 'erase'>();
  const found = useQuery({
    queryKey: ['members', id],
    queryFn: ({ signal }) => tagged(api.GET('/api/v1/organization/members/{id}', { params: { path: { id } }, signal })),
  });
  const reactivate = useChange({
    run: (tag: string | null) =>
      answered(
        api.PATCH('/api/v1/organization/members/{id}', {
          params: { path: { id }, header: ifMatch(tag) },
          body: { status: 'active' },
        }),
      ),
    invalidates: ['members', 'keys'],
    says: 'The member is active again, and so are the keys.',
  });
  const member = found.data?.data;
  const close = (): void => setOpen(undefined);
  return (
    <Page
      title={member === undefined ? 'Member' : nameOfMember(member)}
      crumbs={[{ label: 'Members', to: '/members' }]}
      actions={
        member !== undefined &&
        member.status !== 'ended' &&
        may('organization_members_write') && (
          <>
            <button type="button" onClick={() => setOpen('edit')}>
              Edit
            </button>
            <button type="button" onClick={() => setOpen('transfer')}>
              Transfer keys
            </button>
            {member.status === 'active' ? (
              <button type="button" className="danger" onClick={() => setOpen('deactivate')}>
                Deactivate
              </button>
            ) : (
              <>
                <button
                  type="button"
                  aria-disabled={reactivate.isPending}
                  onClick={() => reactivate.mutate(found.data!.tag)}
                >
                  Reactivate
                </button>
                <button type="button" className="danger" onClick={() => setOpen('erase')}>
                  Erase
                </button>
              </>
            )}
          </>
        )
      }
    >
      <Failure error={found.error ?? reactivate.error} />
      {member !== undefined && (
        <>
          <Facts
            facts={[
              ['State', <MemberStatus status={member.status} />],
              ['Role', ROLES.find(([name]) => name === member.role)?.[1]],
              ['Kind', member.kind === 'service' ? 'Service' : 'Person'],
              ['E-mail', member.email],
              ['Managed by', member.scim_managed ? 'A directory (SCIM)' : null],
              ['Keys', <Link href={`/keys?owner=${member.id}`}>Keys of this member</Link>],
              ['Requests', <Link href={`/requests?user_id=${member.id}`}>Requests of this member</Link>],
              ['Id', <code>{member.id}</code>],
            ]}
          />
          {open === 'edit' && <EditMember known={found.data!} onClose={close} />}
          {open === 'transfer' && <TransferKeys member={member} onClose={close} />}
          {open === 'deactivate' && <DeactivateMember known={found.data!} onClose={close} />}
          {open === 'erase' && <EraseMember member={member} onClose={close} />}
        </>
      )}
    </Page>
  );
}

interface MemberDialogProps {
  readonly member: Member;
  readonly onClose: () => void;
}

interface ChangeMemberProps {
  /** The member as shown when the dialog was opened. */
  readonly known: Tagged<Member>;
  readonly onClose: () => void;
}

function EditMember({ known, onClose }: ChangeMemberProps): ReactNode {
  const [{ data: member, tag }] = useState(known);
  const kept = useKeptForm(`member ${member.id} ${tag}`, () => ({ name: nameOfMember(member), role: member.role }));
  const { name, role } = kept.draft;
  const save = useChange({
    run: () =>
      answered(
        api.PATCH('/api/v1/organization/members/{id}', {
          params: { path: { id: member.id }, header: ifMatch(tag) },
          // What is the same is left out: a directory may own the name.
          body: { ...(name !== nameOfMember(member) && { name }), ...(role !== member.role && { role }) },
        }),
      ),
    invalidates: ['members'],
    says: 'The member was saved.',
    then: onClose,
  });
  const of = requestFields(UpdateOrganizationMemberRequest, save.error);
  return (
    <FormDialog title={`Edit ${nameOfMember(member)}`} submit="Save" change={save} kept={kept} onClose={onClose}>
      <TextField
        label="Name"
        {...of('name')}
        isRequired
        maxLength={256}
        value={name}
        onChange={(changed) => kept.change({ name: changed, role })}
      />
      <SelectField
        label="Role"
        {...of('role')}
        value={role}
        options={ROLES}
        onChange={(chosen) => kept.change({ name, role: chosen as Role })}
      />
    </FormDialog>
  );
}

function TransferKeys({ member, onClose }: MemberDialogProps): ReactNode {
  const kept = useKeptForm(`transfer of the keys of ${member.id}`, () => '');
  const { draft: owner, change } = kept;
  const transfer = useChange({
    run: () =>
      answered(
        api.POST('/api/v1/organization/members/{id}/transfer-keys', {
          params: { path: { id: member.id } },
          body: { user_id: owner },
        }),
      ),
    invalidates: ['keys', 'guardrails'],
    says: ({ data: { keys } }) => (keys === 1 ? 'One key has a new owner.' : `${keys} keys have a new owner.`),
    then: onClose,
  });
  return (
    <FormDialog
      title={`Transfer the keys of ${nameOfMember(member)}`}
      submit="Transfer the keys"
      change={transfer}
      kept={kept}
      onClose={onClose}
    >
      <p>All keys for models get a new owner. Management keys stay: they act as this member.</p>
      <NewOwnerField formerOwner={member.id} value={owner} onChange={change} error={transfer.error} />
    </FormDialog>
  );
}

function DeactivateMember({ known, onClose }: ChangeMemberProps): ReactNode {
  const [{ data: member, tag }] = useState(known);
  const deactivate = useChange({
    run: () =>
      answered(
        api.PATCH('/api/v1/organization/members/{id}', {
          params: { path: { id: member.id }, header: ifMatch(tag) },
          body: { status: 'deactivated' },
        }),
      ),
    invalidates: ['members', 'keys'],
    says: 'The member is deactivated.',
    then: onClose,
  });
  return (
    <FormDialog
      title={`Deactivate ${nameOfMember(member)}?`}
      submit="Deactivate the member"
      isDangerous
      change={deactivate}
      onClose={onClose}
    >
      <p>Their sessions end, and their keys are refused from then on, until you reactivate them. Nothing is deleted.</p>
    </FormDialog>
  );
}

function EraseMember({ member, onClose }: MemberDialogProps): ReactNode {
  const erase = useChange({
    run: () => answered(api.POST('/api/v1/organization/members/{id}/erase', { params: { path: { id: member.id } } })),
    invalidates: ['members', 'keys'],
    says: 'The person was erased. Records and sums stay.',
    then: onClose,
  });
  return (
    <FormDialog
      title={`Erase ${nameOfMember(member)}?`}
      submit="Erase the person"
      isDangerous
      change={erase}
      onClose={onClose}
    >
      <p>
        The member ends for good. Name, address, what was logged of their requests and the names of their keys are
        erased; records, costs and sums stay, without the person. This cannot be undone.
      </p>
    </FormDialog>
  );
}
