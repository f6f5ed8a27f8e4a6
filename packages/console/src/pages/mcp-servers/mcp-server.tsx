import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { answered, api, ifMatch, type Tagged, tagged } from '../../api/client';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { useKeptForm } from '../../components/kept-form';
import { ManagedNote } from '../../components/managed';
import { Page, Section } from '../../components/page';
import { PageForm } from '../../components/page-form';
import { duration, Time } from '../../components/values';
import { draftOf, NEW_SERVER, toRequest } from './mcp-server-draft';
import { McpServerFields } from './mcp-server-fields';
import { McpServerState } from './mcp-servers';
import { McpTools } from './mcp-tools';

type McpServer = Schema<'McpServer'>;

const CRUMBS = [{ label: 'MCP servers', to: '/mcp-servers' }];

/** What shows a server, and is asked anew when one has changed. */
const SHOWN = ['mcp-servers', 'mcp-server'];

/** A new server. Then its page is shown, where its tools are asked for and approved. */
export function NewMcpServerPage(): ReactNode {
  const [, navigate] = useLocation();
  const { draft, change, forget } = useKeptForm('new MCP server', () => NEW_SERVER);
  const [secret, setSecret] = useState('');
  const create = useChange({
    run: () =>
      answered(api.POST('/api/v1/mcp-servers', { body: { ...toRequest(draft, secret), name: draft.name.trim() } })),
    invalidates: SHOWN,
    says: 'The server was added. Test it to see its tools.',
    then: ({ data }) => {
      forget();
      navigate(`/mcp-servers/${data.id}`, { replace: true });
    },
  });
  return (
    <Page title="New MCP server" crumbs={CRUMBS}>
      <PageForm submit="Add the server" change={create}>
        <McpServerFields draft={draft} onChange={change} secret={secret} onSecret={setSecret} error={create.error} />
      </PageForm>
    </Page>
  );
}

/** One server: its settings, and its tools with what is approved of them. */
export function McpServerPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const [, navigate] = useLocation();
  const may = useMay();
  const [isDeleting, setDeleting] = useState(false);
  const found = useQuery({
    queryKey: ['mcp-server', id],
    queryFn: ({ signal }) => tagged(api.GET('/api/v1/mcp-servers/{id}', { params: { path: { id } }, signal })),
  });
  const test = useChange({
    run: () => answered(api.POST('/api/v1/mcp-servers/{id}/test', { params: { path: { id } } })),
    invalidates: SHOWN,
    says: ({ data }) => (data.succeeded ? 'The server gave its tools.' : 'The server gave no tools.'),
  });
  const server = found.data?.data;
  return (
    <Page
      title={server?.name ?? 'MCP server'}
      crumbs={CRUMBS}
      actions={
        server !== undefined &&
        may('mcp_servers_write') && (
          <>
            <button type="button" aria-disabled={test.isPending} onClick={() => test.mutate()}>
              {test.isPending ? 'Testing …' : 'Test'}
            </button>
            <button type="button" className="danger" onClick={() => setDeleting(true)}>
              Delete
            </button>
          </>
        )
      }
    >
      <Failure error={found.error ?? test.error} />
      {test.data !== undefined && <TestResult result={test.data.data} />}
      {server !== undefined && (
        <>
          <ManagedNote section="mcp_servers" id={id} />
          <Facts
            facts={[
              ['State', <McpServerState server={server} />],
              ['Why it gave no tools', server.failure],
              ['Tools were asked for', server.checked_at === null ? 'Never' : <Time at={server.checked_at} />],
              ['Revisions of the protocol', server.revisions.join(', ') || null],
              ['Calls', <Link href={`/requests?server=${server.name}`}>Its calls</Link>],
              ['Created', <Time at={server.created_at} />],
              ['Changed', <Time at={server.updated_at} />],
            ]}
          />
          <div className="beside">
            <McpTools id={id} server={server.name} />
            <EditMcpServer key={`${id} ${found.data!.tag}`} known={found.data!} />
          </div>
          {isDeleting && (
            <DeleteMcpServer
              known={found.data!}
              onClose={() => setDeleting(false)}
              onDeleted={() => navigate('/mcp-servers')}
            />
          )}
        </>
      )}
    </Page>
  );
}

function TestResult({ result }: { readonly result: Schema<'McpServerTestResult'> }): ReactNode {
  if (!result.succeeded) {
    return (
      <div className="failure" role="alert">
        <p>The server gave no tools: {result.failure}</p>
      </div>
    );
  }
  return (
    <p role="status">
      It gave {result.tools} tools in {duration(result.milliseconds)}, in the revision {result.protocol_version}.
      {result.unusable_tools > 0 && ` It names ${result.unusable_tools} more that are not used.`}
    </p>
  );
}

function EditMcpServer({ known: { data: server, tag } }: { readonly known: Tagged<McpServer> }): ReactNode {
  const { id } = server;
  const may = useMay();
  const { draft, change, forget } = useKeptForm(`MCP server ${id} ${tag}`, () => draftOf(server));
  const [secret, setSecret] = useState('');
  const save = useChange({
    run: () =>
      answered(
        api.PATCH('/api/v1/mcp-servers/{id}', {
          params: { path: { id }, header: ifMatch(tag) },
          body: toRequest(draft, secret),
        }),
      ),
    invalidates: SHOWN,
    says: 'The server was saved.',
    then: forget,
  });
  return (
    <Section title="Settings">
      <PageForm submit={may('mcp_servers_write') ? 'Save' : undefined} busy="Saving …" isWide change={save}>
        <McpServerFields
          draft={draft}
          onChange={change}
          secret={secret}
          onSecret={setSecret}
          error={save.error}
          mask={server.secret}
        />
      </PageForm>
    </Section>
  );
}

interface DeleteMcpServerProps {
  /** The server as it was shown when the dialog was opened. */
  readonly known: Tagged<McpServer>;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeleteMcpServer({ known, onClose, onDeleted }: DeleteMcpServerProps): ReactNode {
  const [{ data: server, tag }] = useState(known);
  const remove = useChange({
    run: () =>
      answered(api.DELETE('/api/v1/mcp-servers/{id}', { params: { path: { id: server.id }, header: ifMatch(tag) } })),
    invalidates: ['mcp-servers'],
    says: `${server.name} was deleted.`,
    then: onDeleted,
  });
  return (
    <FormDialog
      title={`Delete ${server.name}?`}
      submit="Delete the server"
      isDangerous
      change={remove}
      onClose={onClose}
    >
      <p>Its secret and all approvals of its tools are gone with it. Nobody can use them from then on.</p>
    </FormDialog>
  );
}
