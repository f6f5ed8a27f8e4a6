import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { madeMcpServer, MCP_SECRET, newMcpServer, seenTool } from '../../support/resources/mcp-servers.js';
import { McpServersInForce } from '../../../src/modules/mcp-servers/mcp-servers-in-force.service.js';
import { mcpServersInterface } from './mcp-servers-interface.js';

describe('MCP servers', () => {
  const { app, organization, refused, send } = mcpServersInterface();

  const secretOf = async (name: string): Promise<string | null | undefined> => {
    const { organizationId, workspaceId } = organization;
    const servers = app.application.get(McpServersInForce, { strict: false });
    return (await servers.ofName(organizationId, workspaceId, name))?.secret;
  };

  describe('updateMcpServer', () => {
    it('answers 200 with what has changed, and records that', async () => {
      const { id, name } = await madeMcpServer(app, organization);
      const change = { trusted: true, price_per_call: 1, tool_prices: { read: 2 }, timeout_ms: 900 };
      const { status, body } = await send('PATCH', `/mcp-servers/${id}`, change);
      expect({ status, data: body.data }).toMatchObject({ status: 200, data: change });
      const [, event] = await auditEventsOf(app, id);
      expect(Object.keys(event!.changes!).sort()).toEqual(Object.keys(change).sort());
      expect(await secretOf(name)).toBe(MCP_SECRET);
    });

    it('answers 200 for what it has answered itself, and changes nothing', async () => {
      const { id } = await madeMcpServer(app, organization);
      const before = await send('GET', `/mcp-servers/${id}`);
      const { data } = before.body;
      const {
        id: _,
        name: _name,
        protocol_version: _version,
        revisions: _revisions,
        checked_at: _checked,
        failure: _failure,
        ...others
      } = data;
      const { created_at: _created, updated_at: _updated, ...fields } = others;
      const answer = await send('PATCH', `/mcp-servers/${id}`, fields);
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: before.text });
      expect(await auditEventsOf(app, id)).toHaveLength(1);
    });

    it('answers 200 for another secret with the same mask, and records that it is another one', async () => {
      const { id, name } = await madeMcpServer(app, organization);
      const other = `${MCP_SECRET.slice(0, 4)}-another-${MCP_SECRET.slice(-4)}`;
      expect((await send('PATCH', `/mcp-servers/${id}`, { secret: other })).status).toBe(200);
      expect(await secretOf(name)).toBe(other);
      const [, event] = await auditEventsOf(app, id);
      expect(event!.changes).toEqual({ secret_replaced: { before: false, after: true } });
    });

    it('answers 400 for another origin without the secret, 200 with it, and keeps it at another path', async () => {
      const { id, name } = await madeMcpServer(app, organization);
      const elsewhere = { url: 'https://other.example.com/mcp' };
      refused(await send<never>('PATCH', `/mcp-servers/${id}`, elsewhere), {
        status: 400,
        paths: ['secret'],
        reason: 'credentials_required_for_new_origin',
      });
      expect((await send('PATCH', `/mcp-servers/${id}`, { url: 'https://mcp.example.com/other' })).status).toBe(200);
      expect(await secretOf(name)).toBe(MCP_SECRET);
      expect((await send('PATCH', `/mcp-servers/${id}`, { ...elsewhere, secret: 'another' })).status).toBe(200);
      expect(await secretOf(name)).toBe('another');
    });

    it('answers 200 for no authentication any more, with null for the secret, and 400 without that', async () => {
      const { id, name } = await madeMcpServer(app, organization);
      refused(await send<never>('PATCH', `/mcp-servers/${id}`, { authentication: 'none' }), {
        status: 400,
        paths: ['secret'],
      });
      const { status } = await send('PATCH', `/mcp-servers/${id}`, { authentication: 'none', secret: null });
      expect(status).toBe(200);
      expect(await secretOf(name)).toBeNull();
    });

    it('answers 400 for another name', async () => {
      const id = await newMcpServer(app, organization);
      refused(await send<never>('PATCH', `/mcp-servers/${id}`, { name: 'other' }), {
        status: 400,
        paths: ['name'],
      });
    });
  });

  describe('deleteMcpServer', () => {
    it('answers 200, deletes what was approved of its tools, and 404 from then on', async () => {
      const id = await newMcpServer(app, organization);
      await seenTool(app, organization, id, true);
      expect(await send('DELETE', `/mcp-servers/${id}`)).toMatchObject({ status: 200, body: { deleted: true } });
      expect(await app.rows('SELECT 1 FROM mcp_tools WHERE server_id = $1', [id])).toEqual([]);
      for (const path of [id, UNKNOWN_UUID, 'nowhere']) {
        refused(await send<never>('GET', `/mcp-servers/${path}`), {
          status: 404,
          reason: 'mcp_server_not_found',
        });
      }
    });
  });

  describe('listMcpServers', () => {
    it('answers 200 with those of the organization, oldest first', async () => {
      const made = [await madeMcpServer(app, organization), await madeMcpServer(app, organization)];
      const { body } = await send<{ data: object[]; total_count: number }>('GET', '/mcp-servers?limit=10');
      expect(body).toEqual({ data: made, total_count: 2 });
    });
  });

  describe('testMcpServer', () => {
    it('answers 200 with why a server cannot be asked: its name leads into a private network', async () => {
      const id = await newMcpServer(app, organization, { authentication: 'none', secret: undefined });
      await app.rows(`UPDATE mcp_servers SET url = 'https://127.0.0.1:9/mcp' WHERE id = $1`, [id]);
      const { status, body } = await send<object>('POST', `/mcp-servers/${id}/test`);
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { data: { succeeded: false, failure: 'the address leads into a private network', tools: 0 } },
      });
      const shown = await send('GET', `/mcp-servers/${id}`);
      expect(shown.body.data).toMatchObject({ failure: 'the address leads into a private network' });
    });
  });

  describe('approveMcpTools and revokeMcpTools', () => {
    it('answer 409 for a tool that there is not, and 400 for none', async () => {
      const id = await newMcpServer(app, organization);
      const tools = [{ name: 'missing', digest: '0'.repeat(64) }];
      const answer = await send<never>('POST', `/mcp-servers/${id}/tools/approve`, { tools });
      refused(answer, { status: 409, reason: 'mcp_tool_changed', detail: { tool: 'missing' } });
      const revoked = await send<never>('POST', `/mcp-servers/${id}/tools/revoke`, { tools: ['missing'] });
      refused(revoked, { status: 409, reason: 'mcp_tool_changed', detail: { tool: 'missing' } });
      for (const verb of ['approve', 'revoke']) {
        refused(await send<never>('POST', `/mcp-servers/${id}/tools/${verb}`, { tools: [] }), {
          status: 400,
          paths: ['tools'],
        });
      }
    });
  });
});
