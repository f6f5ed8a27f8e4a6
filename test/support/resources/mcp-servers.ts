import type { McpServer } from '../../../src/modules/mcp-servers/dto/mcp-server.dto.js';
import type { McpTool } from '../../../src/modules/mcp-servers/dto/mcp-tool.dto.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { TestApplication } from '../application/test-application.js';

/** The secret of MCP servers of tests, which no answer and no log line may show. */
export const MCP_SECRET = 'mcp-server-FIRST-SECRET-0123';

let number = 0;

/** A name that no other MCP server of tests has. */
export function newServerName(): string {
  number += 1;
  return `server-${number}`;
}

/** Stores a tool of a server as if it had been seen. @returns its name and digest */
export async function seenTool(
  app: TestApplication,
  { organizationId }: Pick<NewOrganization, 'organizationId'>,
  serverId: string,
  isApproved = false,
): Promise<{ readonly name: string; readonly digest: string }> {
  const name = newServerName();
  const digest = name.padEnd(64, '0').replace(/[^0-9a-f]/g, 'a');
  const definition = JSON.stringify({ name, inputSchema: { type: 'object' } });
  await app.rows(
    `INSERT INTO mcp_tools (organization_id, server_id, name, definition, digest, approved_definition, approved_digest, approved_at, seen_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())`,
    [
      organizationId,
      serverId,
      name,
      definition,
      digest,
      ...(isApproved ? [definition, digest, new Date()] : [null, null, null]),
    ],
  );
  return { name, digest };
}

/** Makes an MCP server over HTTP, at an address where nothing is unless the fields say otherwise. */
export async function madeMcpServer(
  app: TestApplication,
  { managementKey: key }: Pick<NewOrganization, 'managementKey'>,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<McpServer> {
  const named = { name: newServerName(), url: 'https://mcp.example.com/mcp' };
  const secret = { authentication: 'bearer', secret: MCP_SECRET };
  const answer = await app.api.post<{ data: McpServer }>('/mcp-servers', {
    key,
    json: { ...named, ...secret, ...fields },
  });
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 201, text: answer.text });
  return answer.body.data;
}

/** Makes an MCP server as {@link madeMcpServer} does. @returns its id */
export async function newMcpServer(
  app: TestApplication,
  organization: Pick<NewOrganization, 'managementKey'>,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return (await madeMcpServer(app, organization, fields)).id;
}

/** Has a server asked for its tools. @returns them by their names */
export async function toolsOf(
  app: TestApplication,
  { managementKey: key }: Pick<NewOrganization, 'managementKey'>,
  id: string,
): Promise<ReadonlyMap<string, McpTool>> {
  const tested = await app.api.post<{ data: { succeeded: boolean } }>(`/mcp-servers/${id}/test`, { key });
  expect(tested.body).toMatchObject({ data: { succeeded: true } });
  const listed = await app.api.get<{ data: McpTool[] }>(`/mcp-servers/${id}/tools`, { key });
  return new Map(listed.body.data.map((tool) => [tool.name, tool]));
}

/** Approves all tools of a server as they are now. */
export async function approveAll(
  app: TestApplication,
  organization: Pick<NewOrganization, 'managementKey'>,
  id: string,
): Promise<void> {
  const tools = [...(await toolsOf(app, organization, id)).values()].map(({ name, digest }) => ({ name, digest }));
  const answer = await app.api.post(`/mcp-servers/${id}/tools/approve`, {
    key: organization.managementKey,
    json: { tools },
  });
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: answer.text });
}
