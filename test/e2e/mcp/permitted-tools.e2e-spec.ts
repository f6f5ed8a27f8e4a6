import type { PermittedTool } from '../../../src/modules/mcp/permitted-tools/permitted-tools.dto.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { newMcpServer, seenTool } from '../../support/resources/mcp-servers.js';
import { mcpGateway } from './mcp-gateway.js';

describe('listPermittedMcpTools', () => {
  const gateway = mcpGateway();
  const { app, organization, real, send } = gateway;

  const permitted = async ({ hash }: IssuedCredential, query = ''): Promise<readonly PermittedTool[]> => {
    const path = `/guardrails/effective/mcp-tools?key_hash=${hash}${query}`;
    const { status, body } = await app.api.get<{ data: PermittedTool[] }>(path, { key: organization.managementKey });
    expect(status).toBe(200);
    return body.data;
  };

  it('answers 200 with what the key may call, and why not the others', async () => {
    await gateway.added('docs', real.modern.url, { price_per_call: 1, tool_prices: { echo: 2 } });
    const other = await newMcpServer(app, organization, { name: 'other', enabled: false, workspace_ids: [] });
    await seenTool(app, organization, other);
    const key = await gateway.guarded({
      allowed_mcp_tools: ['docs/*'],
      ignored_mcp_tools: ['docs/leak'],
      mcp_argument_rules: [{ tool: 'docs/*', schema: {} }],
    });
    const shown = (await permitted(key)).map(({ server, tool, permitted: may, reasons, price_per_call: price }) => [
      server === 'docs' ? tool : server,
      may,
      reasons,
      price,
    ]);
    expect(shown).toEqual([
      ['ask', true, [], 1],
      ['echo', true, [], 2],
      ['fail', true, [], 1],
      ['leak', false, ['ignored'], 1],
      ['work', true, [], 1],
      ['other', false, ['server_disabled', 'not_in_workspace', 'not_allowed', 'not_approved'], 0],
    ]);
    expect((await permitted(key))[1]).toMatchObject({ name: 'docs__echo', state: 'approved', argument_rules: 1 });
  });

  it('answers 200 with what one guardrail more would allow', async () => {
    await gateway.added('docs', real.modern.url);
    const key = await app.factory.key(organization);
    const { id } = await app.factory.guardrail(organization, { allowed_mcp_tools: ['docs/echo'] });
    const may = async (query?: string): Promise<string[]> =>
      (await permitted(key, query)).filter((one) => one.permitted).map(({ tool }) => tool);
    expect(await may()).toEqual([]);
    expect(await may(`&with=${id}`)).toEqual(['echo']);
  });

  it('answers 200 for 200 tools and 40 keys with just what each key is listed, and may call', async () => {
    const tools = Array.from({ length: 50 }, (_, number) => `tool-${String(number).padStart(2, '0')}`);
    const servers = ['a', 'b', 'c', 'd'];
    for (const name of servers) {
      const id = await newMcpServer(app, organization, { name, url: real.modern.url });
      await app.rows(
        `INSERT INTO mcp_tools (organization_id, server_id, name, definition, digest, approved_definition, approved_digest, approved_at, seen_at)
         SELECT $1, $2, tool, def, tool, def, tool, now(), now() FROM unnest($3::text[]) AS tool
         CROSS JOIN LATERAL (SELECT jsonb_build_object('name', tool, 'inputSchema', '{}'::jsonb) AS def) AS made`,
        [organization.organizationId, id, tools],
      );
    }
    // Nothing is there any more that says otherwise.
    await app.rows(`UPDATE mcp_servers SET url = 'http://127.0.0.1:1/mcp' WHERE organization_id = $1`, [
      organization.organizationId,
    ]);
    for (let number = 0; number < 40; number += 1) {
      const some = servers.flatMap((server, index) => {
        if ((number + index) % 5 === 0) return [`${server}/*`];
        return tools.filter((_, place) => (place * 7 + index) % 40 === number).map((tool) => `${server}/${tool}`);
      });
      const ignored = tools.filter((_, place) => place % 40 === (number + 3) % 40).map((tool) => `a/${tool}`);
      const key = await gateway.guarded({ allowed_mcp_tools: [...some, 'none/none'], ignored_mcp_tools: ignored });
      const expected = servers.flatMap((server) =>
        tools
          .filter((tool) => some.includes(`${server}/*`) || some.includes(`${server}/${tool}`))
          .filter((tool) => !ignored.includes(`${server}/${tool}`))
          .map((tool) => `${server}__${tool}`),
      );
      const evaluated = (await permitted(key)).filter((one) => one.permitted).map(({ name }) => name);
      expect(evaluated).toEqual(expected);
      const { body } = await send(key, 'tools/list');
      expect((body.result!['tools'] as { name: string }[]).map(({ name }) => name)).toEqual(expected);
    }
  });
});
