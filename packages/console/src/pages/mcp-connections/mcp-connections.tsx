import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { answered, api } from '../../api/client';
import { type Column, DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { Time } from '../../components/values';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';

type Connection = Schema<'McpConnection'>;

const COLUMNS: readonly Column<Connection>[] = [
  { name: 'Server', cell: ({ server }) => server },
  { name: 'Address', cell: ({ url }) => url },
  {
    name: 'Connected',
    cell: ({ connected_at: at }) => (at === null ? <span className="quiet">not connected</span> : <Time at={at} />),
  },
  { name: 'Change', cell: (connection) => <ConnectionButton {...connection} /> },
];

/** The MCP servers that each person connects to for themselves. */
export function McpConnectionsPage(): ReactNode {
  const connections = useQuery({
    queryKey: ['mcp-connections'],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/mcp-connections', { signal })),
  });
  return (
    <Page title="Tool connections">
      <p>
        Servers of tools that your keys use in your name. You agree at the server’s own sign-in page, and its
        permissions for you decide what they can do there.
      </p>
      <Failure error={connections.error} />
      <DataTable
        caption="Tool connections"
        columns={COLUMNS}
        rows={connections.data?.data}
        keyOf={({ server }) => server}
        isBusy={connections.isFetching}
        empty="No MCP server asks for a connection of your own."
      />
    </Page>
  );
}

function ConnectionButton({ server, connected_at: at }: Connection): ReactNode {
  const connect = useChange({
    run: () => answered(api.POST('/api/v1/mcp-connections/authorize', { body: { server } })),
    invalidates: [],
    says: 'You are led to the sign-in page of the server.',
    then: ({ data }) => location.assign(data.authorization_url),
  });
  const disconnect = useChange({
    run: () => answered(api.DELETE('/api/v1/mcp-connections/{server}', { params: { path: { server } } })),
    invalidates: ['mcp-connections'],
    says: `${server} is disconnected.`,
  });
  const [change, label] = at === null ? [connect, 'Connect'] : [disconnect, 'Disconnect'];
  return (
    <>
      <button
        type="button"
        aria-label={`${label} ${server}`}
        disabled={change.isPending}
        onClick={() => change.mutate()}
      >
        {label}
      </button>
      <Failure error={change.error} />
    </>
  );
}

/** Where authorization servers send people back to: the connection is completed with what they say. */
export function McpCallbackPage(): ReactNode {
  const [, navigate] = useLocation();
  const complete = useChange({
    run: (query: string) => answered(api.POST('/api/v1/mcp-connections', { body: { query } })),
    invalidates: ['mcp-connections'],
    says: ({ data }) => `${data.server} is connected.`,
    then: () => navigate('/mcp-connections', { replace: true }),
  });
  const { mutate } = complete;
  const hasBegun = useRef(false);
  useEffect(() => {
    // A code is good once.
    if (hasBegun.current) return;
    hasBegun.current = true;
    mutate(location.search.slice(1));
  }, [mutate]);
  return (
    <Page title="Connecting" crumbs={[{ label: 'Tool connections', to: '/mcp-connections' }]}>
      {complete.error === null ? (
        <p role="status">The connection is being completed …</p>
      ) : (
        <>
          <Failure error={complete.error} />
          <p>
            <Link href="/mcp-connections">Try again</Link>
          </p>
        </>
      )}
    </Page>
  );
}
