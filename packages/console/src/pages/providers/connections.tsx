import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answered, api, ApiError } from '../../api/client';
import { useSession } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { type Column, DataTable } from '../../components/data-table';
import { FormDialog } from '../../components/dialog';
import { Failure } from '../../components/failure';
import { TextField } from '../../components/fields';
import { useFilters } from '../../components/filters';
import { ListPager } from '../../components/lists';
import { Page } from '../../components/page';
import { PageForm } from '../../components/page-form';
import { Badge, duration } from '../../components/values';
import { ConnectProvider } from './connect-provider';
import type { OperatorHeaders } from './connection-draft';
import { ProviderParts } from './provider-parts';

type Connection = Schema<'ProviderConnection'>;
type Test = Schema<'ProviderConnectionTest'>;

const LIMIT = 100;

const SOURCES = {
  builtin: 'built in',
  database: 'stored',
  environment: 'variables',
} as const satisfies Readonly<Record<Connection['sources'][number], string>>;

/** The connections of the deployment, for who has the key of the operator: it is forgotten with the page. */
export function ConnectionsPage(): ReactNode {
  const [headers, setHeaders] = useState<OperatorHeaders>();
  return headers === undefined ? <OperatorKey onGiven={setHeaders} /> : <Connections headers={headers} />;
}

function listed(
  headers: OperatorHeaders,
  offset: number,
  signal?: AbortSignal,
): Promise<Schema<'ListProviderConnectionsResponse'>> {
  const params = { query: { offset, limit: LIMIT } };
  return answered(api.GET('/api/v1/provider-connections', { params, headers, ...(signal && { signal }) }));
}

/** Asks for the key of the operator, and tries it. */
function OperatorKey({ onGiven }: { readonly onGiven: (headers: OperatorHeaders) => void }): ReactNode {
  const [key, setKey] = useState('');
  const organization = useSession()?.organization.id ?? 'org_...';
  const show = useChange({
    run: async () => {
      const headers = { Authorization: `Bearer ${key.trim()}` };
      await listed(headers, 0);
      return headers;
    },
    invalidates: [],
    says: 'The connections are shown.',
    then: onGiven,
  });
  const isOther = show.error instanceof ApiError && show.error.reason === 'route_not_found';
  return (
    <Page title="Connections">
      <ProviderParts />
      <p>
        Connections of the deployment serve all organizations, so they are the operator’s. To use providers through
        accounts of your own, add <em>own keys</em>.
      </p>
      <details open={isOther}>
        <summary>How to become the operator</summary>
        <ol>
          <li>
            Set <code>OPERATOR_ORGANIZATION_ID={organization}</code> for the service.
          </li>
          <li>
            Make a key:{' '}
            <code>gatehouse management-key --organization {organization} --name Operator --scopes providers_write</code>
          </li>
        </ol>
      </details>
      <PageForm submit="Show the connections" change={show}>
        <TextField
          label="Key of the operator"
          type="password"
          hint="A management key with the scope `providers_write`, or `providers_read` to look. This page forgets it when you leave it."
          issue={isOther ? 'This organization is not the operator’s, so no key is accepted here.' : undefined}
          isRequired
          value={key}
          onChange={setKey}
        />
      </PageForm>
    </Page>
  );
}

/** What is asked of the person: another connection, one made anew, or whether one is to go. */
type Asked = { readonly is: 'new' } | { readonly is: 'change' | 'delete'; readonly connection: Connection };

function Connections({ headers }: { readonly headers: OperatorHeaders }): ReactNode {
  const filters = useFilters();
  const offset = Number(filters.get('offset'));
  const [asked, setAsked] = useState<Asked>();
  const [tests, setTests] = useState<ReadonlyMap<string, Test>>(new Map());
  const connections = useQuery({
    queryKey: ['provider-connections', offset],
    queryFn: ({ signal }) => listed(headers, offset, signal),
    placeholderData: keepPreviousData,
    // Nothing of it is kept once the page, and the key with it, is left.
    gcTime: 0,
  });
  const tested = (provider: string, test: Test): void => setTests((before) => new Map(before).set(provider, test));
  const test = useChange({
    run: async (provider: string) => {
      const params = { path: { provider } };
      const { data } = await answered(api.POST('/api/v1/provider-connections/{provider}/test', { params, headers }));
      return { provider, data };
    },
    invalidates: [],
    says: ({ provider, data }) => (data.accepted ? `${provider} accepts the credential.` : (data.problem ?? '')),
    then: ({ provider, data }) => tested(provider, data),
  });
  const columns: readonly Column<Connection>[] = [
    { name: 'Provider', cell: ({ provider }) => provider },
    { name: 'Dialect', cell: ({ protocol, preset }) => (preset === null ? protocol : `${preset} (${protocol})`) },
    { name: 'Address', cell: ({ base_url: url }) => url },
    { name: 'Credential', cell: (connection) => <Credential connection={connection} /> },
    { name: 'Given by', cell: ({ sources }) => sources.map((source) => SOURCES[source]).join(', ') },
    { name: 'Test', cell: ({ provider }) => <TestResult test={tests.get(provider)} /> },
    {
      name: 'Actions',
      cell: (connection) => (
        <Actions
          connection={connection}
          isTesting={test.isPending && test.variables === connection.provider}
          onTest={() => test.mutate(connection.provider)}
          onAsked={setAsked}
        />
      ),
    },
  ];
  const close = (): void => setAsked(undefined);
  return (
    <Page
      title="Connections"
      actions={
        <button type="button" className="primary" onClick={() => setAsked({ is: 'new' })}>
          Connect a provider
        </button>
      }
    >
      <ProviderParts />
      <Failure error={connections.error ?? test.error} />
      <DataTable
        caption="Connections"
        columns={columns}
        rows={connections.data?.data}
        keyOf={({ provider }) => provider}
        isPart={(connections.data?.total_count ?? 0) > (connections.data?.data.length ?? 0)}
        isBusy={connections.isFetching}
        empty="No provider is connected yet. Connect one, and all organizations can use it."
      />
      <ListPager
        offset={offset}
        limit={LIMIT}
        list={connections}
        onMove={(to) => filters.set({ offset: to === 0 ? '' : String(to) })}
      />
      {asked?.is === 'new' && <ConnectProvider headers={headers} onClose={close} onTested={tested} />}
      {asked?.is === 'change' && (
        <ConnectProvider headers={headers} connection={asked.connection} onClose={close} onTested={tested} />
      )}
      {asked?.is === 'delete' && <Disconnect headers={headers} connection={asked.connection} onClose={close} />}
    </Page>
  );
}

function Credential({
  connection: { api_key: mask, credential, usable },
}: {
  readonly connection: Connection;
}): ReactNode {
  return (
    <>
      {mask !== null && <code>{mask}</code>} {credential !== null && <span className="quiet">{credential}</span>}
      {mask === null && credential === null && <span className="quiet">none</span>}
      {!usable && <Badge tone="bad">Cannot be decrypted</Badge>}
    </>
  );
}

function TestResult({ test }: { readonly test: Test | undefined }): ReactNode {
  if (test === undefined) return null;
  return (
    <>
      <Badge tone={test.accepted ? 'good' : 'bad'}>{test.accepted ? 'Accepted' : 'Not accepted'}</Badge>
      {test.duration_ms !== null && ` in ${duration(test.duration_ms)}`}
      {test.problem !== null && <p>{test.problem}</p>}
    </>
  );
}

interface ActionsProps {
  readonly connection: Connection;
  readonly isTesting: boolean;
  readonly onTest: () => void;
  readonly onAsked: (asked: Asked) => void;
}

/** What can be done with a connection: what variables name is not changed here, and what is not stored not taken away. */
function Actions({ connection, isTesting, onTest, onAsked }: ActionsProps): ReactNode {
  const { provider, sources } = connection;
  const isFixed = sources.some((source) => source !== 'database');
  return (
    <span className="actions">
      <button
        type="button"
        aria-label={`Test ${provider}`}
        aria-disabled={isTesting}
        onClick={() => !isTesting && onTest()}
      >
        {isTesting ? 'Testing …' : 'Test'}
      </button>
      {!isFixed && (
        <button type="button" aria-label={`Change ${provider}`} onClick={() => onAsked({ is: 'change', connection })}>
          Change
        </button>
      )}
      {sources.includes('database') && (
        <button
          type="button"
          aria-label={`Disconnect ${provider}`}
          onClick={() => onAsked({ is: 'delete', connection })}
        >
          Disconnect
        </button>
      )}
    </span>
  );
}

interface DisconnectProps {
  readonly headers: OperatorHeaders;
  readonly connection: Connection;
  readonly onClose: () => void;
}

/** Asks whether a connection is to go. */
function Disconnect({ headers, connection: { provider, sources }, onClose }: DisconnectProps): ReactNode {
  const remove = useChange({
    run: () =>
      answered(api.DELETE('/api/v1/provider-connections/{provider}', { params: { path: { provider } }, headers })),
    invalidates: ['provider-connections', 'providers', 'models'],
    says: `${provider} is disconnected.`,
    then: onClose,
  });
  return (
    <FormDialog
      title={`Disconnect ${provider}?`}
      submit="Disconnect the provider"
      isDangerous
      change={remove}
      onClose={onClose}
    >
      <p>
        Requests of all organizations that begin from then on do not use the connection, and its credential is gone.
        Organizations with own keys for the provider go on using them.
      </p>
      {sources.includes('environment') && <p>What variables say of the provider stays.</p>}
    </FormDialog>
  );
}
