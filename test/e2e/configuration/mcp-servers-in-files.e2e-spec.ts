import { configurationInterface } from './configuration-interface.js';

const SERVER = {
  name: 'github',
  url: 'https://mcp.example.com/mcp',
  authentication: 'bearer',
  secret: { env: 'MCP_TOKEN' },
  workspaces: ['production'],
  price_per_call: 0.01,
};
const WORKSPACES = [{ slug: 'production', name: 'Production' }];
const SECRETS = { secrets: { 'env:MCP_TOKEN': 'ghp_0123456789abcdef' } };

interface Shown {
  readonly data: { readonly id: string; readonly secret: string; readonly workspace_ids: readonly string[] }[];
}

describe('MCP servers in files', () => {
  const { apply, plan, send } = configurationInterface();

  const servers = async (): Promise<Shown['data']> => (await send<Shown>('GET', '/mcp-servers')).body.data;

  it('are made (200) with a secret from outside and workspaces by their slugs, and exported so', async () => {
    expect((await apply({ workspaces: WORKSPACES, mcp_servers: [SERVER] }, SECRETS)).status).toBe(200);
    const { id } = (await send<{ data: { id: string } }>('GET', '/workspaces/production')).body.data;
    expect(await servers()).toMatchObject([
      { name: 'github', authentication: 'bearer', secret: 'ghp_...cdef', workspace_ids: [id], price_per_call: 0.01 },
    ]);
    const exported = await send<{ data: { document: object } }>('GET', '/configuration/export');
    expect(exported.body.data.document).toMatchObject({
      mcp_servers: [{ name: 'github', workspaces: ['production'], price_per_call: 0.01 }],
    });
    expect(JSON.stringify(exported.body)).not.toContain('ghp');
  });

  it('are changed in what a file says, and keep the rest (200)', async () => {
    await apply({ workspaces: WORKSPACES, mcp_servers: [SERVER] }, SECRETS);
    const { body } = await apply({ mcp_servers: [{ name: 'github', url: SERVER.url, workspaces: null }] });
    expect(body.data.changes).toMatchObject([
      { action: 'update', name: 'github', fields: [{ field: 'workspaces', before: ['production'], after: null }] },
    ]);
    expect(await servers()).toMatchObject([{ secret: 'ghp_...cdef', workspace_ids: null, price_per_call: 0.01 }]);
  });

  it('are refused with 400 for a name that cannot be changed, a workspace that there is none of, and a secret in the file', async () => {
    await apply({ workspaces: WORKSPACES, mcp_servers: [SERVER] }, SECRETS);
    const refused = async (server: object): Promise<string[]> => {
      const { status, body } = await plan({ mcp_servers: [server] });
      expect(status).toBe(400);
      return body.error.metadata.issues.map(({ path }) => path);
    };
    const at = 'files[0].documents[0].mcp_servers[0]';
    expect(await refused({ name: 'gitlab', url: SERVER.url, renamed_from: 'github' })).toEqual([`${at}.name`]);
    expect(await refused({ name: 'other', url: SERVER.url, workspaces: ['none'] })).toEqual([`${at}.workspaces[0]`]);
    expect(await refused({ ...SERVER, secret: 'ghp_plain' })).toEqual([`${at}.secret`]);
  });

  it('are deleted with prune only where no guardrail names them, or with cascade (200)', async () => {
    const guardrails = [{ name: 'Agents', allowed_mcp_tools: ['github/search_code'] }];
    const others = [{ name: 'Others', allowed_mcp_tools: ['gitlab/*'] }];
    const workspaces = WORKSPACES;
    await apply({ workspaces, mcp_servers: [SERVER], guardrails: [...guardrails, ...others] }, SECRETS);

    const refused = await apply({ workspaces, guardrails: [...guardrails, ...others] }, { prune: true });
    expect([refused.status, refused.body.error.metadata.conflicts]).toEqual([
      409,
      [
        expect.objectContaining({
          reason: 'has_dependents',
          name: 'github',
          detail: expect.stringContaining('Agents'),
        }),
      ],
    ]);
    expect(JSON.stringify(refused.body)).not.toContain('Others');
    expect(await servers()).toHaveLength(1);

    const options = { prune: true, cascade: true };
    expect((await apply({ workspaces, guardrails: [...guardrails, ...others] }, options)).status).toBe(200);
    expect(await servers()).toEqual([]);
  });

  it('are deleted with prune (200) where the guardrails that name them go as well, or name them no more', async () => {
    const agents = { name: 'Agents', allowed_mcp_tools: ['github/*'] };
    const guardrails = [agents, { ...agents, name: 'Others' }];
    const { name, url } = SERVER;
    await apply({ mcp_servers: [{ name, url }], guardrails });
    const { status } = await apply({ guardrails: [{ ...agents, allowed_mcp_tools: null }] }, { prune: true });
    expect([status, await servers()]).toEqual([200, []]);
  });
});
