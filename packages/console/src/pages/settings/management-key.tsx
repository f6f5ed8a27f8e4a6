import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { api, answered, ifMatch, type Tagged, tagged } from '../../api/client';
import { useNames } from '../../api/names';
import { useMay, useSession } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { useKeptForm } from '../../components/kept-form';
import { Page } from '../../components/page';
import { SecretDialog } from '../../components/secret-dialog';
import { Time } from '../../components/values';
import { RotateKey } from '../keys/rotate-key';
import { KeyState } from '../keys/key-state';
import { ManagementKeyFields, settingsOf, toRequest } from './management-key-fields';

type Key = Schema<'ManagementKey'>;

const CRUMBS = [
  { label: 'Settings', to: '/settings' },
  { label: 'Management keys', to: '/settings/management-keys' },
];

/** One management key: what it may do, and what can be done with it. */
export function ManagementKeyPage(): ReactNode {
  const { hash } = useParams<{ hash: string }>();
  const [, navigate] = useLocation();
  const may = useMay();
  const session = useSession();
  const [open, setOpen] = useState<'restrict' | 'rotate' | 'revoke'>();
  const [secret, setSecret] = useState<string>();
  const found = useQuery({
    queryKey: ['management-key', hash],
    queryFn: ({ signal }) => tagged(api.GET('/api/v1/management-keys/{hash}', { params: { path: { hash } }, signal })),
  });
  const toggle = useChange({
    run: ({ data: { disabled }, tag }: Tagged<Key>) =>
      answered(
        api.PATCH('/api/v1/management-keys/{hash}', {
          params: { path: { hash }, header: ifMatch(tag) },
          body: { disabled: !disabled },
        }),
      ),
    invalidates: ['management-keys', 'management-key'],
    says: ({ data }) => (data.disabled ? 'The key is disabled: it is refused from now on.' : 'The key is enabled.'),
  });
  const key = found.data?.data;
  const close = (): void => setOpen(undefined);
  return (
    <Page
      title={key?.name ?? 'Management key'}
      crumbs={CRUMBS}
      actions={
        key !== undefined &&
        may('management_keys_write') && (
          <>
            <button type="button" onClick={() => setOpen('restrict')}>
              Restrict
            </button>
            {key.creator_user_id === session?.user.id && (
              <button type="button" onClick={() => setOpen('rotate')}>
                Rotate
              </button>
            )}
            <button type="button" aria-disabled={toggle.isPending} onClick={() => toggle.mutate(found.data!)}>
              {key.disabled ? 'Enable' : 'Disable'}
            </button>
            <button type="button" className="danger" onClick={() => setOpen('revoke')}>
              Revoke
            </button>
          </>
        )
      }
    >
      <Failure error={found.error ?? toggle.error} />
      {key !== undefined && (
        <>
          <ManagementKeyFacts managementKey={key} />
          {open === 'restrict' && <RestrictKey known={found.data!} onClose={close} />}
          {open === 'rotate' && (
            <RotateKey
              name={key.name}
              stays="name, permissions and addresses"
              rotate={(graceSeconds) =>
                answered(
                  api.POST('/api/v1/management-keys/{hash}/rotate', {
                    params: { path: { hash } },
                    body: { grace_seconds: graceSeconds },
                  }),
                )
              }
              invalidates={['management-keys']}
              onClose={close}
              onRotated={({ key: rotated, data }) => {
                setSecret(rotated);
                close();
                // The hash is that of the secret, so it is another one.
                navigate(`/settings/management-keys/${data.hash}`, { replace: true });
              }}
            />
          )}
          {open === 'revoke' && (
            <RevokeKey known={found.data!} onClose={close} onRevoked={() => navigate('/settings/management-keys')} />
          )}
        </>
      )}
      {secret !== undefined && (
        <SecretDialog title="The new secret of the key" secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </Page>
  );
}

function ManagementKeyFacts({ managementKey }: { readonly managementKey: Key }): ReactNode {
  const names = useNames();
  const { suspension_causes: causes, allowed_addresses: addresses, scopes } = managementKey;
  return (
    <>
      <Facts
        facts={[
          ['State', <KeyState apiKey={managementKey} />],
          ['Suspended because of', causes.length > 0 ? causes.join(', ') : null],
          ['Key', <code>{managementKey.label}</code>],
          ['Owner', names.member(managementKey.creator_user_id)],
          ['It may do', scopes === null ? 'Everything that its owner may do' : null],
          ['Accepted from', addresses === null ? 'Everywhere' : addresses.join(', ')],
          ['Expires', managementKey.expires_at === null ? 'Never' : <Time at={managementKey.expires_at} />],
          ['Created', <Time at={managementKey.created_at} />],
          ['Hash', <code className="long">{managementKey.hash}</code>],
        ]}
      />
      {scopes !== null && (
        <details open>
          <summary>Its permissions: {scopes.length}</summary>
          <ul className="columns">
            {scopes.map((scope) => (
              <li key={scope}>
                <code>{scope}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface ChangeKeyProps {
  /** The key as it was shown when the dialog was opened. */
  readonly known: Tagged<Key>;
  readonly onClose: () => void;
}

function RestrictKey({ known, onClose }: ChangeKeyProps): ReactNode {
  const session = useSession();
  const [{ data: key, tag }] = useState(known);
  const kept = useKeptForm(`management key ${key.hash} ${tag}`, () => settingsOf(key));
  const { draft: settings, change } = kept;
  const save = useChange({
    run: () =>
      answered(
        api.PATCH('/api/v1/management-keys/{hash}', {
          params: { path: { hash: key.hash }, header: ifMatch(tag) },
          body: toRequest(settings),
        }),
      ),
    invalidates: ['management-keys', 'management-key'],
    says: 'The key was saved.',
    then: onClose,
  });
  return (
    <FormDialog title={`Restrict ${key.name}`} submit="Save" change={save} kept={kept} onClose={onClose}>
      <ManagementKeyFields
        value={settings}
        onChange={change}
        offered={key.scopes ?? session?.permissions ?? []}
        mayBeUnrestricted={key.scopes === null}
        error={save.error}
      />
    </FormDialog>
  );
}

function RevokeKey({ known, onClose, onRevoked }: ChangeKeyProps & { readonly onRevoked: () => void }): ReactNode {
  const [{ data: key, tag }] = useState(known);
  const revoke = useChange({
    run: () =>
      answered(
        api.DELETE('/api/v1/management-keys/{hash}', { params: { path: { hash: key.hash }, header: ifMatch(tag) } }),
      ),
    invalidates: ['management-keys'],
    says: `The key ${key.name} was revoked.`,
    then: onRevoked,
  });
  return (
    <FormDialog title={`Revoke ${key.name}?`} submit="Revoke the key" isDangerous change={revoke} onClose={onClose}>
      <p>
        Requests with <code>{key.label}</code> are refused from then on. This cannot be undone; to stop a key for a
        while, disable it.
      </p>
    </FormDialog>
  );
}
