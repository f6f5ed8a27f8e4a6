import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { madeMcpServer, MCP_SECRET } from '../../support/resources/mcp-servers.js';
import { mcpServersInterface } from './mcp-servers-interface.js';

const URL = 'https://mcp.example.com/mcp';

describe('createMcpServer', () => {
  const { app, organization, refused, send } = mcpServersInterface({ QUOTA_MCP_SERVERS: '2' });

  it('answers 201 with its defaults', async () => {
    const { status, body, headers } = await send('POST', '/mcp-servers', { name: 'docs', url: URL });
    expect({ status, data: body.data }).toEqual({
      status: 201,
      data: {
        id: expect.any(String) as string,
        name: 'docs',
        url: URL,
        authentication: 'none',
        header: null,
        client_id: null,
        scope: null,
        authorization_server: null,
        secret: null,
        enabled: true,
        trusted: false,
        follow: false,
        workspace_ids: null,
        price_per_call: null,
        tool_prices: {},
        timeout_ms: 60_000,
        protocol_version: null,
        revisions: [],
        checked_at: null,
        failure: null,
        created_at: expect.any(String) as string,
        updated_at: expect.any(String) as string,
      },
    });
    expect(headers.get('etag')).not.toBeNull();
  });

  it('answers 201 with a mask of its secret, which nothing holds in the clear', async () => {
    const fields = {
      authentication: 'header',
      header: 'X-Api-Key',
      trusted: true,
      follow: true,
      workspace_ids: [organization.workspaceId, organization.workspaceId.toUpperCase()],
      price_per_call: 0.25,
      tool_prices: { read: 0.5 },
      timeout_ms: 1_000,
    };
    const made = await madeMcpServer(app, organization, fields);
    expect(made).toMatchObject({ ...fields, workspace_ids: [organization.workspaceId], secret: 'mcp-...0123' });
    const events = await auditEventsOf(app, made.id);
    expect(events).toMatchObject([{ action: 'mcp_server.create', changes: { secret: { after: 'mcp-...0123' } } }]);
    const rows = await app.rows('SELECT s::text AS row FROM mcp_servers s WHERE id = $1', [made.id]);
    expect(JSON.stringify([rows, events, app.logLines])).not.toContain(MCP_SECRET);
  });

  it.each<[fault: string, fields: object, paths: string[]]>([
    ['no name', { name: '' }, ['name']],
    ['a name with capitals', { name: 'Docs' }, ['name']],
    ['a name with an underscore', { name: 'my_docs' }, ['name']],

    ['an authentication that makes no text', { authentication: { toString: 1 } }, ['authentication']],
    ['a header without a secret', { authentication: 'header', header: 'X-Api-Key' }, ['secret']],
    ['a secret without a header', { authentication: 'header', secret: 'abc' }, ['header']],
    ['a token that is not shown', { secret: 'abc' }, ['secret']],
    ['a client without its secret', { authentication: 'oauth_client_credentials', client_id: 'a' }, ['secret']],
    ['a client of a plain token', { authentication: 'bearer', secret: 'abc', client_id: 'a' }, ['client_id']],
    [
      'a scope that is none',
      { authentication: 'oauth_member', scope: 'a  b', client_id: 'a b' },
      ['client_id', 'scope'],
    ],
    ['a header of the protocol', { authentication: 'header', header: 'Mcp-Method', secret: 'abc' }, ['header']],
    ['a secret with a line break', { authentication: 'bearer', secret: 'a\nb' }, ['secret']],

    [
      'a price below zero',
      { price_per_call: -1, tool_prices: { read: -1, 'a b': 1 } },
      ['price_per_call', 'tool_prices.read', 'tool_prices.a b'],
    ],
  ])('answers 400 for %s, and creates nothing', async (_, fields, paths) => {
    const answer = await send<never>('POST', '/mcp-servers', { name: 'docs', url: URL, ...fields });
    refused(answer, { status: 400, paths });
    expect(
      await app.rows('SELECT 1 FROM mcp_servers WHERE organization_id = $1', [organization.organizationId]),
    ).toEqual([]);
  });

  it.each<[fault: string, fields: object, path: string, reason: string]>([
    ['an address that is none', { url: 'docs' }, 'url', 'address_not_allowed'],
    ['a private address', { url: 'https://127.0.0.1/mcp' }, 'url', 'address_not_allowed'],
    ['an address with a query', { url: `${URL}?key=1` }, 'url', 'address_not_allowed'],
    [
      'a private authorization server',
      { authentication: 'oauth_member', authorization_server: 'https://10.0.0.1' },
      'authorization_server',
      'address_not_allowed',
    ],
    ['an unknown workspace', { workspace_ids: [UNKNOWN_UUID] }, 'workspace_ids[0]', 'workspace_not_found'],
    ['the mask of a secret', { authentication: 'bearer', secret: 'abcd...wxyz' }, 'secret', 'masked_credential'],
  ])('answers 400 with a reason of its own for %s', async (_, fields, path, reason) => {
    const answer = await send<never>('POST', '/mcp-servers', { name: 'docs', url: URL, ...fields });
    refused(answer, { reason, paths: [path] });
  });

  it('answers 409 for the name of another one', async () => {
    await send('POST', '/mcp-servers', { name: 'docs', url: URL });
    const answer = await send<never>('POST', '/mcp-servers', { name: 'docs', url: URL });
    refused(answer, { status: 409, reason: 'mcp_server_exists' });
  });

  it('answers 400 beyond the quota, up to which it answers 201', async () => {
    for (const name of ['one', 'two'])
      expect((await send('POST', '/mcp-servers', { name, url: URL })).status).toBe(201);
    refused(await send<never>('POST', '/mcp-servers', { name: 'three', url: URL }), {
      reason: 'quota_exceeded',
      paths: [''],
      detail: { quota: 'mcp_servers', limit: 2 },
    });
  });
});
