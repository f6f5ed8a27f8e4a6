import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { api, answered, ifMatch, type Tagged, tagged } from '../../api/client';
import { useNames } from '../../api/names';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { useKeptForm } from '../../components/kept-form';
import { ManagedNote } from '../../components/managed';
import { Page } from '../../components/page';
import { SecretDialog } from '../../components/secret-dialog';
import { count, Labels, Time, usd } from '../../components/values';
import { RotateKey } from './rotate-key';
import { KeyFields, settingsOf, toRequest } from './key-form';
import { KeyGuardrails } from './key-guardrails';
import { KeySpend, KeyState } from './key-state';
import { NewOwnerField } from './new-owner-field';

/** What is open above the page. */
type Open = 'edit' | 'rotate' | 'transfer' | 'delete' | undefined;

/** One key: its limits and spend, the guardrails that apply to it, and what can be done with it. */
export function KeyPage(): ReactNode {
  const { hash } = useParams<{ hash: string }>();
  const [, navigate] = useLocation();
  const may = useMay();
  const [open, setOpen] = useState<Open>();
  const [secret, setSecret] = useState<string>();
  const found = useQuery({
    queryKey: ['keys', hash],
    queryFn: ({ signal }) => tagged(api.GET('/api/v1/keys/{hash}', { params: { path: { hash } }, signal })),
  });
  const toggle = useChange({
    run: ({ data: { disabled }, tag }: Tagged<Schema<'Key'>>) =>
      answered(
        api.PATCH('/api/v1/keys/{hash}', {
          params: { path: { hash }, header: ifMatch(tag) },
          body: { disabled: !disabled },
        }),
      ),
    invalidates: ['keys'],
    says: ({ data }) => (data.disabled ? 'The key is disabled: it is refused from now on.' : 'The key is enabled.'),
  });
  const key = found.data?.data;
  const close = (): void => setOpen(undefined);
  return (
    <Page
      title={key?.name ?? 'Key'}
      crumbs={[{ label: 'Keys', to: '/keys' }]}
      actions={
        key !== undefined &&
        may('keys_write') && (
          <>
            <button type="button" onClick={() => setOpen('edit')}>
              Edit
            </button>
            <button type="button" onClick={() => setOpen('rotate')}>
              Rotate
            </button>
            <button type="button" aria-disabled={toggle.isPending} onClick={() => toggle.mutate(found.data!)}>
              {key.disabled ? 'Enable' : 'Disable'}
            </button>
            {may('organization_members_write') && (
              <button type="button" onClick={() => setOpen('transfer')}>
                Transfer
              </button>
            )}
            <button type="button" className="danger" onClick={() => setOpen('delete')}>
              Delete
            </button>
          </>
        )
      }
    >
      <Failure error={found.error ?? toggle.error} />
      {key !== undefined && (
        <>
          <ManagedNote section="keys" id={hash} />
          <KeyFacts apiKey={key} />
          <KeyGuardrails hash={hash} />
          {open === 'edit' && <EditKey known={found.data!} onClose={close} />}
          {open === 'rotate' && (
            <RotateKey
              name={key.name}
              stays="name, limits, spend and guardrails"
              rotate={(graceSeconds) =>
                answered(
                  api.POST('/api/v1/keys/{hash}/rotate', {
                    params: { path: { hash } },
                    body: { grace_seconds: graceSeconds },
                  }),
                )
              }
              invalidates={['keys']}
              onClose={close}
              onRotated={({ key: rotated, data }) => {
                setSecret(rotated);
                close();
                // The hash is that of the secret, so it is another one.
                navigate(`/keys/${data.hash}`, { replace: true });
              }}
            />
          )}
          {open === 'transfer' && <TransferKey apiKey={key} onClose={close} />}
          {open === 'delete' && <DeleteKey known={found.data!} onClose={close} onDeleted={() => navigate('/keys')} />}
        </>
      )}
      {secret !== undefined && (
        <SecretDialog title="The new secret of the key" secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </Page>
  );
}

function KeyFacts({ apiKey }: { readonly apiKey: Schema<'Key'> }): ReactNode {
  const names = useNames();
  const { rate_limits: rates } = apiKey;
  return (
    <Facts
      facts={[
        ['State', <KeyState apiKey={apiKey} />],
        ['Suspended because of', apiKey.suspension_causes.length > 0 ? apiKey.suspension_causes.join(', ') : null],
        ['Key', <code>{apiKey.label}</code>],
        ['Owner', names.member(apiKey.creator_user_id)],
        ['Used by', apiKey.external_user],
        ['Workspace', names.workspace(apiKey.workspace_id)],
        ['Spent', <KeySpend apiKey={apiKey} />],
        ['Spent today', usd(apiKey.usage_daily)],
        ['Spent this month', usd(apiKey.usage_monthly)],
        ['With own provider keys', apiKey.byok_usage > 0 ? usd(apiKey.byok_usage) : null],
        ['Requests per minute', rates?.requests_per_minute == null ? null : count(rates.requests_per_minute)],
        ['Tokens per minute', rates?.tokens_per_minute == null ? null : count(rates.tokens_per_minute)],
        ['Labels', apiKey.labels === undefined ? null : <Labels labels={apiKey.labels} />],
        ['Only end user', apiKey.bound_user],
        ['Allowed addresses', apiKey.allowed_addresses?.join(', ')],
        ['Last used', apiKey.last_used_at === null ? 'Never' : <Time at={apiKey.last_used_at} />],
        ['Requests', <Link href={`/requests?key_hash=${apiKey.hash}`}>Its requests</Link>],
        ['Expires', apiKey.expires_at === null ? 'Never' : <Time at={apiKey.expires_at} />],
        ['Created', <Time at={apiKey.created_at} />],
        ['Hash', <code className="long">{apiKey.hash}</code>],
      ]}
    />
  );
}

interface KeyDialogProps {
  readonly apiKey: Schema<'Key'>;
  readonly onClose: () => void;
}

interface ChangeKeyProps {
  /** The key as it was shown when the dialog was opened. */
  readonly known: Tagged<Schema<'Key'>>;
  readonly onClose: () => void;
}

function EditKey({ known, onClose }: ChangeKeyProps): ReactNode {
  const [{ data: apiKey, tag }] = useState(known);
  const kept = useKeptForm(`key ${apiKey.hash} ${tag}`, () => settingsOf(apiKey));
  const { draft: settings, change } = kept;
  const save = useChange({
    run: () =>
      answered(
        api.PATCH('/api/v1/keys/{hash}', {
          params: { path: { hash: apiKey.hash }, header: ifMatch(tag) },
          body: toRequest(settings),
        }),
      ),
    invalidates: ['keys'],
    says: 'The key was saved.',
    then: onClose,
  });
  return (
    <FormDialog title={`Edit ${apiKey.name}`} submit="Save" change={save} kept={kept} onClose={onClose}>
      <KeyFields value={settings} onChange={change} error={save.error} />
    </FormDialog>
  );
}

function TransferKey({ apiKey, onClose }: KeyDialogProps): ReactNode {
  const kept = useKeptForm(`transfer of key ${apiKey.hash}`, () => '');
  const { draft: owner, change } = kept;
  const transfer = useChange({
    run: () =>
      answered(
        api.POST('/api/v1/keys/{hash}/transfer', {
          params: { path: { hash: apiKey.hash } },
          body: { user_id: owner },
        }),
      ),
    invalidates: ['keys', 'guardrails'],
    says: 'The key has a new owner.',
    then: onClose,
  });
  return (
    <FormDialog
      title={`Transfer ${apiKey.name}`}
      submit="Transfer the key"
      change={transfer}
      kept={kept}
      onClose={onClose}
    >
      <NewOwnerField formerOwner={apiKey.creator_user_id} value={owner} onChange={change} error={transfer.error} />
    </FormDialog>
  );
}

function DeleteKey({ known, onClose, onDeleted }: ChangeKeyProps & { readonly onDeleted: () => void }): ReactNode {
  const [{ data: apiKey, tag }] = useState(known);
  const remove = useChange({
    run: () =>
      answered(api.DELETE('/api/v1/keys/{hash}', { params: { path: { hash: apiKey.hash }, header: ifMatch(tag) } })),
    invalidates: [],
    says: `The key ${apiKey.name} was deleted.`,
    then: onDeleted,
  });
  return (
    <FormDialog title={`Delete ${apiKey.name}?`} submit="Delete the key" isDangerous change={remove} onClose={onClose}>
      <p>
        Requests with <code>{apiKey.label}</code> are refused from then on. This cannot be undone; to stop a key for a
        while, disable it.
      </p>
    </FormDialog>
  );
}
