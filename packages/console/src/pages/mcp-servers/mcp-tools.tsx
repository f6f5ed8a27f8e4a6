import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { answered, api } from '../../api/client';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { Failure } from '../../components/failure';
import { Section } from '../../components/page';
import { Badge, Time, type Tone } from '../../components/values';

type Tool = Schema<'McpTool'>;

/** What each state means for those who want to use a tool. */
const STATES = {
  approved: ['good', 'Approved'],
  new: ['warning', 'New: not approved'],
  changed: ['bad', 'In quarantine: it has changed since it was approved'],
  gone: ['neutral', 'Not offered any more'],
} as const satisfies Readonly<Record<Tool['state'], readonly [Tone, string]>>;

interface McpToolsProps {
  readonly id: string;
  /** The name of the server. */
  readonly server: string;
}

/** The tools of a server as they were seen last: each is approved as it is looked at here, or not at all. */
export function McpTools({ id, server }: McpToolsProps): ReactNode {
  const may = useMay();
  const found = useQuery({
    queryKey: ['mcp-server', id, 'tools'],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/mcp-servers/{id}/tools', { params: { path: { id } }, signal })),
  });
  const params = { path: { id } };
  const approve = useChange({
    run: (tools: readonly Tool[]) =>
      answered(
        api.POST('/api/v1/mcp-servers/{id}/tools/approve', {
          params,
          body: { tools: tools.map(({ name, digest }) => ({ name, digest })) },
        }),
      ),
    invalidates: ['mcp-server'],
    says: 'Approved, as long as they stay so.',
  });
  const revoke = useChange({
    run: ({ name }: Tool) =>
      answered(api.POST('/api/v1/mcp-servers/{id}/tools/revoke', { params, body: { tools: [name] } })),
    invalidates: ['mcp-server'],
    says: 'It is not approved any more.',
  });
  const tools = found.data?.data;
  const waiting = tools?.filter(({ state }) => state === 'new' || state === 'changed') ?? [];
  const isPending = approve.isPending || revoke.isPending;
  return (
    <Section
      title="Tools"
      actions={
        may('mcp_servers_write') &&
        waiting.length > 1 && (
          <button type="button" aria-disabled={isPending} onClick={() => approve.mutate(waiting)}>
            Approve all {waiting.length}
          </button>
        )
      }
    >
      <Failure error={found.error ?? approve.error ?? revoke.error} />
      {tools?.length === 0 && <p className="empty">None were seen yet. Test the server to ask for them.</p>}
      {tools?.some(({ state }) => state === 'approved') === true && (
        <p className="quiet">
          A key may use approved tools where one of its <Link href="/guardrails">guardrails</Link> allows them: as{' '}
          <code>{server}/*</code>, or one by one.
        </p>
      )}
      <ul className="plain-list">
        {tools?.map((tool) => (
          <li key={tool.name} className="tool">
            <h3>
              <code>{tool.name}</code> <Badge tone={STATES[tool.state][0]}>{STATES[tool.state][1]}</Badge>
            </h3>
            <Definition tool={tool} />
            <p>
              <Link href={`/requests?tool=${encodeURIComponent(`${server}/${tool.name}`)}`}>Calls of {tool.name}</Link>
            </p>
            {may('mcp_servers_write') && (
              <div className="actions">
                {(tool.state === 'new' || tool.state === 'changed') && (
                  <button
                    type="button"
                    aria-label={`Approve ${tool.name}`}
                    aria-disabled={isPending}
                    onClick={() => approve.mutate([tool])}
                  >
                    Approve
                  </button>
                )}
                {tool.approved_at !== null && (
                  <button
                    type="button"
                    aria-label={`Revoke the approval of ${tool.name}`}
                    aria-disabled={isPending}
                    onClick={() => revoke.mutate(tool)}
                  >
                    Revoke
                  </button>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What the server says of a tool, and what of it differs from what was approved. */
function Definition({ tool: { name, definition, difference, seen_at: at } }: { readonly tool: Tool }): ReactNode {
  const { description } = definition;
  return (
    <>
      {typeof description === 'string' && <p className="said">{description}</p>}
      <p className="quiet">
        As it is since <Time at={at} />
      </p>
      {difference !== null && (
        <details open>
          <summary>What has changed</summary>
          <pre tabIndex={0} aria-label={`What has changed of ${name}`}>
            {JSON.stringify(difference, null, 2)}
          </pre>
        </details>
      )}
      <details>
        <summary>All that the server says of it</summary>
        <pre tabIndex={0} aria-label={`Definition of ${name}`}>
          {JSON.stringify(definition, null, 2)}
        </pre>
      </details>
    </>
  );
}
