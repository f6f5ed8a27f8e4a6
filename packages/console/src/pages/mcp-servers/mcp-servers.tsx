import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { answered, api } from '../../api/client';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import type { Column } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { useWholeList, WholeTable } from '../../components/lists';
import { ManagedMark } from '../../components/managed';
import { Page } from '../../components/page';
import { Badge, Time } from '../../components/values';

const COLUMNS: readonly Column<Schema<'McpServer'>>[] = [
  {
    name: 'Name',
    cell: ({ id, name }) => (
      <>
        <Link href={`/mcp-servers/${id}`}>{name}</Link>
        <ManagedMark section="mcp_servers" id={id} />
      </>
    ),
  },
  { name: 'State', cell: (server) => <McpServerState server={server} /> },
  { name: 'Address', cell: ({ url }) => <code>{url}</code> },
  { name: 'Asked', cell: ({ checked_at: at }) => (at === null ? 'Never' : <Time at={at} />) },
  { name: 'Changed', cell: ({ updated_at: at }) => <Time at={at} /> },
];

/** Whether a server may be used, and gave its tools when it was asked last. */
export function McpServerState({ server }: { readonly server: Schema<'McpServer'> }): ReactNode {
  if (!server.enabled) return <Badge>Disabled</Badge>;
  if (server.failure !== null) return <Badge tone="bad">Does not answer</Badge>;
  return server.checked_at === null ? <Badge tone="warning">Not asked yet</Badge> : <Badge tone="good">Answers</Badge>;
}

/** The MCP servers of the organization: servers of tools that clients reach with their keys. */
export function McpServersPage(): ReactNode {
  const may = useMay();
  const [, navigate] = useLocation();
  const servers = useWholeList(['mcp-servers'], (page, signal) =>
    answered(api.GET('/api/v1/mcp-servers', { params: { query: page }, signal })),
  );
  return (
    <Page
      title="MCP servers"
      actions={
        may('mcp_servers_write') && (
          <button type="button" className="primary" onClick={() => navigate('/mcp-servers/new')}>
            Add a server
          </button>
        )
      }
    >
      <p>Clients use their tools with a key, once they are approved here and guardrails allow them.</p>
      <Failure error={servers.error} />
      <WholeTable
        caption="MCP servers"
        columns={COLUMNS}
        list={servers}
        keyOf={({ id }) => id}
        empty="There are no MCP servers yet. Add one, and approve its tools."
      />
    </Page>
  );
}
