import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { api, answered, ifMatch, type Tagged, tagged } from '../../api/client';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { CheckField } from '../../components/fields';
import { useKeptForm } from '../../components/kept-form';
import { ManagedNote } from '../../components/managed';
import { Page } from '../../components/page';
import { Time } from '../../components/values';
import { ConnectionState } from './sign-in';
import { ConnectionFields, settingsOf, toRequest } from './sign-in-fields';

type Connection = Schema<'SignInConnection'>;

const CRUMBS = [
  { label: 'Settings', to: '/settings' },
  { label: 'Sign-in', to: '/settings/sign-in' },
];

/** One identity provider: how people sign in with it, and how that is changed. */
export function SignInConnectionPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const [, navigate] = useLocation();
  const may = useMay();
  const [open, setOpen] = useState<'edit' | 'remove'>();
  const found = useQuery({
    queryKey: ['sign-in-connection', id],
    queryFn: ({ signal }) => tagged(api.GET('/api/v1/sign-in/connections/{id}', { params: { path: { id } }, signal })),
  });
  const toggle = useChange({
    run: ({ data: { enabled }, tag }: Tagged<Connection>) =>
      answered(
        api.PATCH('/api/v1/sign-in/connections/{id}', {
          params: { path: { id }, header: ifMatch(tag) },
          body: { enabled: !enabled },
        }),
      ),
    invalidates: ['sign-in-connections', 'sign-in-connection'],
    says: ({ data }) => (data.enabled ? 'People can sign in with it.' : 'Nobody can sign in with it any more.'),
  });
  const connection = found.data?.data;
  const close = (): void => setOpen(undefined);
  return (
    <Page
      title={connection?.name ?? 'Identity provider'}
      crumbs={CRUMBS}
      actions={
        connection !== undefined &&
        may('sign_in_write') && (
          <>
            <button type="button" onClick={() => setOpen('edit')}>
              Edit
            </button>
            <button type="button" aria-disabled={toggle.isPending} onClick={() => toggle.mutate(found.data!)}>
              {connection.enabled ? 'Disable' : 'Enable'}
            </button>
            <button type="button" className="danger" onClick={() => setOpen('remove')}>
              Remove
            </button>
          </>
        )
      }
    >
      <Failure error={found.error ?? toggle.error} />
      {connection !== undefined && (
        <>
          <ManagedNote section="sign_in_connections" id={id} />
          <Facts
            facts={[
              ['State', <ConnectionState isEnabled={connection.enabled} />],
              ['Issuer', connection.issuer],
              ['Client ID', <code>{connection.client_id}</code>],
              ['Client secret', connection.has_client_secret ? 'Stored, and never shown' : 'None'],
              ['Scopes', connection.scopes.join(' ')],
              ['Makes members', connection.creates_members ? 'Yes' : 'No'],
              ['Claim with the directory’s id', connection.external_id_claim],
              ['Claim that decides about roles', connection.role_claim],
              ['Its values that make an administrator', connection.admin_values?.join(', ')],
              ['Claim with the groups of a person', connection.group_claim],
              ['A new sign-in counts without auth_time', connection.step_up_without_auth_time ? 'Yes' : 'No'],
              ['Added', <Time at={connection.created_at} />],
              ['Changed', connection.updated_at && <Time at={connection.updated_at} />],
            ]}
          />
          {open === 'edit' && <EditConnection known={found.data!} onClose={close} />}
          {open === 'remove' && (
            <RemoveConnection known={found.data!} onClose={close} onRemoved={() => navigate('/settings/sign-in')} />
          )}
        </>
      )}
    </Page>
  );
}

interface ChangeConnectionProps {
  /** The identity provider as it was shown when the dialog was opened. */
  readonly known: Tagged<Connection>;
  readonly onClose: () => void;
}

function EditConnection({ known, onClose }: ChangeConnectionProps): ReactNode {
  const [{ data: connection, tag }] = useState(known);
  const kept = useKeptForm(`identity provider ${connection.id} ${tag}`, () => ({
    settings: settingsOf(connection),
    forgetsSecret: false,
  }));
  const { settings, forgetsSecret } = kept.draft;
  const [secret, setSecret] = useState('');
  const save = useChange({
    run: () =>
      answered(
        api.PATCH('/api/v1/sign-in/connections/{id}', {
          params: { path: { id: connection.id }, header: ifMatch(tag) },
          body: { ...toRequest(settings, secret), ...(forgetsSecret && { client_secret: null }) },
        }),
      ),
    invalidates: ['sign-in-connections', 'sign-in-connection'],
    says: 'The identity provider was saved.',
    then: onClose,
  });
  return (
    <FormDialog title={`Edit ${connection.name}`} submit="Save" change={save} kept={kept} onClose={onClose}>
      <ConnectionFields
        value={settings}
        onChange={(changed) => kept.change({ settings: changed, forgetsSecret })}
        secret={secret}
        onSecret={setSecret}
        secretHint={connection.has_client_secret ? 'Leave it empty to keep the one there is.' : 'There is none.'}
        error={save.error}
      />
      {connection.has_client_secret && (
        <CheckField
          label="Forget the client secret"
          value={forgetsSecret}
          onChange={(forgets) => kept.change({ settings, forgetsSecret: forgets })}
        />
      )}
    </FormDialog>
  );
}

interface RemoveConnectionProps extends ChangeConnectionProps {
  readonly onRemoved: () => void;
}

function RemoveConnection({ known, onClose, onRemoved }: RemoveConnectionProps): ReactNode {
  const [{ data: connection, tag }] = useState(known);
  const remove = useChange({
    run: () =>
      answered(
        api.DELETE('/api/v1/sign-in/connections/{id}', {
          params: { path: { id: connection.id }, header: ifMatch(tag) },
        }),
      ),
    invalidates: ['sign-in-connections'],
    says: `${connection.name} was removed.`,
    then: onRemoved,
  });
  return (
    <FormDialog
      title={`Remove ${connection.name}?`}
      submit="Remove the identity provider"
      isDangerous
      change={remove}
      onClose={onClose}
    >
      <p>
        Who has signed in with it is signed out, and nobody signs in with it any more: perhaps not even you. Members
        stay, and so does who they were there. An operator makes links that sign people in:{' '}
        <code>gatehouse sign-in-link</code>.
      </p>
    </FormDialog>
  );
}
