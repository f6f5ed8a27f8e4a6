import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { addressOf, api, answered } from '../../api/client';
import { CreateSignInConnectionRequest } from '../../api/descriptions';
import { useMay, useSession } from '../../api/session';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { CheckField, requestFields, TextField } from '../../components/fields';
import { setterOf, useKeptForm } from '../../components/kept-form';
import { useWholeList, WholeTable } from '../../components/lists';
import { ManagedMark } from '../../components/managed';
import { Page, Section } from '../../components/page';
import { Badge, Time } from '../../components/values';
import { SettingsParts } from './settings-parts';
import { ConnectionFields, toRequest, USUAL } from './sign-in-fields';

/** The identity providers that members sign in with, and what is registered there. */
export function SignInPage(): ReactNode {
  const may = useMay();
  const [isAdding, setAdding] = useState(false);
  const connections = useWholeList(['sign-in-connections'], (page, signal) =>
    answered(api.GET('/api/v1/sign-in/connections', { params: { query: page }, signal })),
  );
  return (
    <Page
      title="Sign-in"
      crumbs={[{ label: 'Settings', to: '/settings' }]}
      actions={
        may('sign_in_write') && (
          <button type="button" className="primary" onClick={() => setAdding(true)}>
            Add an identity provider
          </button>
        )
      }
    >
      <SettingsParts />
      <Failure error={connections.error} />
      <WholeTable
        caption="Identity providers"
        list={connections}
        keyOf={({ id }) => id}
        empty="There is no identity provider yet. Until there is one, an operator makes links that sign people in: gatehouse sign-in-link."
        columns={[
          {
            name: 'Name',
            cell: ({ id, name }) => (
              <>
                <Link href={`/settings/sign-in/${id}`}>{name}</Link>
                <ManagedMark section="sign_in_connections" id={id} />
              </>
            ),
          },
          { name: 'Issuer', cell: ({ issuer }) => issuer },
          { name: 'State', cell: ({ enabled }) => <ConnectionState isEnabled={enabled} /> },
          { name: 'Makes members', cell: ({ creates_members: creates }) => (creates ? 'Yes' : 'No') },
          { name: 'Added', cell: (connection) => <Time at={connection.created_at} /> },
        ]}
      />
      <Section title="What to register there">
        <Registration />
      </Section>
      {isAdding && <AddConnection onClose={() => setAdding(false)} />}
    </Page>
  );
}

/** Whether people can sign in with a provider. */
export function ConnectionState({ isEnabled }: { readonly isEnabled: boolean }): ReactNode {
  return isEnabled ? <Badge tone="good">Enabled</Badge> : <Badge tone="warning">Disabled</Badge>;
}

/** The addresses of this deployment that an identity provider is told. */
function Registration(): ReactNode {
  const session = useSession();
  const organization = session?.organization.id ?? '';
  return (
    <>
      <p>A web application with the authorization code flow, and these addresses:</p>
      <Facts
        facts={[
          ['Redirect URI', <code>{addressOf('auth/callback')}</code>],
          ['After the sign-out', <code>{addressOf('auth/login')}</code>],
          ['Back-channel logout', <code>{addressOf('auth/backchannel-logout')}</code>],
          ['Initiate login', <code>{addressOf(`auth/login?organization=${organization}`)}</code>],
        ]}
      />
    </>
  );
}

/** What stands in the form of a new identity provider, but for the secret, which is not kept. */
const NEW_CONNECTION = { settings: USUAL, issuer: '', client: '', isEnabled: true };

function AddConnection({ onClose }: { readonly onClose: () => void }): ReactNode {
  const kept = useKeptForm('new identity provider', () => NEW_CONNECTION);
  const { settings, issuer, client, isEnabled } = kept.draft;
  const [secret, setSecret] = useState('');
  const set = setterOf(kept);
  const add = useChange({
    run: () =>
      answered(
        api.POST('/api/v1/sign-in/connections', {
          body: { ...toRequest(settings, secret), issuer, client_id: client, enabled: isEnabled },
        }),
      ),
    invalidates: ['sign-in-connections'],
    says: ({ data }) => (data.enabled ? `People can sign in with ${data.name}.` : `${data.name} was added, disabled.`),
    then: onClose,
  });
  const of = requestFields(CreateSignInConnectionRequest, add.error);
  return (
    <FormDialog
      title="Add an identity provider"
      submit="Add the identity provider"
      change={add}
      kept={kept}
      onClose={onClose}
    >
      <p>
        Register this redirect URI there: <code>{addressOf('auth/callback')}</code>
      </p>
      <ConnectionFields
        value={settings}
        onChange={(changed) => set({ settings: changed })}
        secret={secret}
        onSecret={setSecret}
        secretHint="Leave it empty for a client that has none."
        error={add.error}
      >
        <TextField
          label="Issuer"
          type="url"
          {...of('issuer')}
          isRequired
          maxLength={2_000}
          value={issuer}
          onChange={(changed) => set({ issuer: changed })}
        />
        <TextField
          label="Client ID"
          {...of('client_id')}
          isRequired
          maxLength={500}
          value={client}
          onChange={(changed) => set({ client: changed })}
        />
      </ConnectionFields>
      <CheckField
        label="Enabled"
        {...of('enabled')}
        value={isEnabled}
        onChange={(changed) => set({ isEnabled: changed })}
      />
    </FormDialog>
  );
}
