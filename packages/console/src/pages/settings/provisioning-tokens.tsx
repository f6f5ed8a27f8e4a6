import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, answered } from '../../api/client';
import { CreateProvisioningTokenRequest } from '../../api/descriptions';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { DataTable } from '../../components/data-table';
import { FormDialog } from '../../components/dialog';
import { Failure } from '../../components/failure';
import { requestFields, TextField } from '../../components/fields';
import { fromLocalInput } from '../../components/filters';
import { setterOf, useKeptForm } from '../../components/kept-form';
import { Section } from '../../components/page';
import { SecretDialog } from '../../components/secret-dialog';
import { Time } from '../../components/values';

type Token = Schema<'ProvisioningToken'>;

/** The tokens with which a directory provisions members and groups (SCIM 2.0). */
export function ProvisioningTokens(): ReactNode {
  const may = useMay();
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<Token>();
  const tokens = useQuery({
    queryKey: ['provisioning-tokens'],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/scim/tokens', { signal })),
  });
  return (
    <Section
      title="Provisioning by a directory (SCIM)"
      actions={
        may('scim_write') && (
          <button type="button" onClick={() => setCreating(true)}>
            Create a token
          </button>
        )
      }
    >
      <p>
        Base URL: <code>{`${location.origin}/api/v1/scim/v2`}</code>, or what stands for <code>/api/v1</code> here.
      </p>
      <Failure error={tokens.error} />
      <DataTable
        caption="Provisioning tokens"
        rows={tokens.data?.data}
        keyOf={({ id }) => id}
        isBusy={tokens.isFetching}
        empty="No directory has a token yet."
        columns={[
          { name: 'Name', cell: ({ name }) => name },
          { name: 'Token', cell: ({ label }) => <code>{label}</code> },
          { name: 'Last used', cell: (token) => <Time at={token.last_used_at} /> },
          { name: 'Created', cell: (token) => <Time at={token.created_at} /> },
          { name: 'Expires', cell: (token) => <Time at={token.expires_at} /> },
          {
            name: 'Action',
            cell: (token) =>
              may('scim_write') && (
                <button type="button" aria-label={`Revoke ${token.name}`} onClick={() => setRevoked(token)}>
                  Revoke
                </button>
              ),
          },
        ]}
      />
      {isCreating && <CreateToken onClose={() => setCreating(false)} />}
      {revoked !== undefined && <RevokeToken token={revoked} onClose={() => setRevoked(undefined)} />}
    </Section>
  );
}

/** What stands in the form of a new token; the time as its input has it. */
const NEW_TOKEN = { name: '', issuer: '', expiry: '' };

function CreateToken({ onClose }: { readonly onClose: () => void }): ReactNode {
  const kept = useKeptForm('new provisioning token', () => NEW_TOKEN);
  const { name, issuer, expiry } = kept.draft;
  const set = setterOf(kept);
  const create = useChange({
    run: () => {
      const body = { name, issuer: issuer.trim() || null, expires_at: fromLocalInput(expiry) };
      return answered(api.POST('/api/v1/scim/tokens', { body }));
    },
    invalidates: ['provisioning-tokens'],
    says: 'The token was created.',
  });
  if (create.data !== undefined) {
    return <SecretDialog title={`The token ${name}`} secret={create.data.token} onClose={onClose} />;
  }
  const of = requestFields(CreateProvisioningTokenRequest, create.error);
  return (
    <FormDialog
      title="Create a provisioning token"
      submit="Create the token"
      change={create}
      kept={kept}
      onClose={onClose}
    >
      <TextField
        label="Name"
        {...of('name')}
        isRequired
        maxLength={200}
        value={name}
        onChange={(changed) => set({ name: changed })}
      />
      <TextField
        label="Issuer"
        {...of('issuer')}
        maxLength={2_000}
        value={issuer}
        onChange={(changed) => set({ issuer: changed })}
      />
      <TextField
        label="Expires"
        type="datetime-local"
        {...of('expires_at')}
        value={expiry}
        onChange={(changed) => set({ expiry: changed })}
      />
    </FormDialog>
  );
}

function RevokeToken({ token, onClose }: { readonly token: Token; readonly onClose: () => void }): ReactNode {
  const revoke = useChange({
    run: () => answered(api.DELETE('/api/v1/scim/tokens/{id}', { params: { path: { id: token.id } } })),
    invalidates: ['provisioning-tokens'],
    says: 'The token was revoked.',
    then: onClose,
  });
  return (
    <FormDialog title={`Revoke ${token.name}?`} submit="Revoke the token" isDangerous change={revoke} onClose={onClose}>
      <p>
        The directory that has it can change nothing any more. Members and groups stay as they are, but with the last
        token of an issuer those whom the directory has identified there can sign in no more, and are signed out.
      </p>
    </FormDialog>
  );
}
