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
import { Badge, count, Time } from '../../components/values';
import { type ServerUsage, useServersUsage } from './server-usage';

type UsageByServer = ReadonlyMap<string, ServerUsage>;

const columnsOf = (usage: UsageByServer | undefined): readonly Column<Schema<'McpServer'>>[] => [
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
  {
    name: 'Calls in 24 hours',
    cell: ({ name }) => usage && <Calls server={name} calls={usage.get(name)?.calls ?? 0} />,
    isNumber: true,
  },
  { name: 'Failed', cell: ({ name }) => usage && count(usage.get(name)?.failed ?? 0), isNumber: true },
  { name: 'Tool errors', cell: ({ name }) => usage && count(usage.get(name)?.toolErrors ?? 0), isNumber: true },
  { name: 'Address', cell: ({ url }) => <code>{url}</code> },
  { name: 'Asked', cell: ({ checked_at: at }) => (at === null ? 'Never' : <Time at={at} />) },
  { name: 'Changed', cell: ({ updated_at: at }) => <Time at={at} /> },
];

function Calls({ server, calls }: { readonly server: string; readonly calls: number }): ReactNode {
  return (
    <Link href={`/requests?server=${server}`} aria-label={`${count(calls)} calls of ${server}`}>
      {count(calls)}
    </Link>
  );
}

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
  const usage = useServersUsage();
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
      <Failure error={servers.error ?? usage.error} />
      <WholeTable
        caption="MCP servers"
        columns={columnsOf(usage.data)}
        list={servers}
        keyOf={({ id }) => id}
        empty="There are no MCP servers yet. Add one, and approve its tools."
      />
    </Page>
  );
}
