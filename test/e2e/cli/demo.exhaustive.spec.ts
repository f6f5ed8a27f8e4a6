import { createHash } from 'node:crypto';
import type { Demonstration } from '../../../src/cli/demo/demonstration.js';
import { DESTINATION_TYPES } from '../../../src/modules/observability/destination-settings.js';
import { type Answer, ApiClient, type RequestOptions } from '../../support/network/api-client.js';
import { DataDirectory } from '../../support/processes/data-directory.js';
import { GatehouseProcess } from '../../support/processes/gatehouse-process.js';

// Starting processes takes its time where many of them do so at once.

const WORKSPACE = { id: expect.stringMatching(/^[0-9a-f-]{36}$/), slug: expect.stringMatching(/^[a-z0-9-]+$/) };

const HASH = /^[0-9a-f]{64}$/;

/** What the command promises, to the last field: scripts depend on it. */
const PROMISED = {
  base_url: 'http://localhost:3000/api/v1',
  management_key: expect.stringMatching(/^mk-gate-v2-\w+-\w+$/),
  api_key: expect.stringMatching(/^sk-gate-v2-\w+-\w+$/),
  client_secret: expect.stringMatching(/^cs-gate-v2-\w+-\w+$/),
  other_client_secret: expect.stringMatching(/^cs-gate-v2-\w+-\w+$/),
  organization_id: expect.stringMatching(/^org_\w+$/),
  user_id: expect.stringMatching(/^user_\w+$/),
  default_workspace: WORKSPACE,
  workspace: WORKSPACE,
  scim_group_ids: Array<unknown>(3).fill(WORKSPACE.id),
  scim_mapping: {
    id: WORKSPACE.id,
    scim_group_id: WORKSPACE.id,
    workspace_id: WORKSPACE.id,
    user_ids: Array<unknown>(2).fill(expect.stringMatching(/^user_\w+$/)),
  },
  preset_slug: expect.stringMatching(/^[a-z0-9-]+$/),
  destination_ids: Array<unknown>(DESTINATION_TYPES.length).fill(WORKSPACE.id),
  api_key_hash: expect.stringMatching(HASH),
  client_key_hash: expect.stringMatching(HASH),
  limited_key: { key: expect.stringMatching(/^sk-gate-v2-\w+-\w+$/), hash: expect.stringMatching(HASH) },
  disabled_key_hash: expect.stringMatching(HASH),
  spending_key: { key: expect.stringMatching(/^sk-gate-v2-\w+-\w+$/), hash: expect.stringMatching(HASH) },
  partner_key: {
    key: expect.stringMatching(/^sk-gate-v2-\w+-\w+$/),
    hash: expect.stringMatching(HASH),
    external_user: 'customer-4711',
  },
  connect_client: {
    id: WORKSPACE.id,
    client_secret: expect.stringMatching(/^cs-gate-v2-\w+-\w+$/),
    callback_urls: [expect.stringMatching(/^https:/), expect.stringMatching(/^http:\/\/localhost/)],
  },
  guarded_key: {
    api_key: expect.stringMatching(/^sk-gate-v2-\w+-\w+$/),
    hash: expect.stringMatching(HASH),
    user_id: expect.stringMatching(/^user_\w+$/),
    workspace_id: WORKSPACE.id,
    workspace_guardrail_id: WORKSPACE.id,
    member_guardrail_id: WORKSPACE.id,
    key_guardrail_id: WORKSPACE.id,
  },
  authorization_codes: [
    { code: expect.any(String), code_verifier: expect.any(String), code_challenge_method: 'S256' },
    { code: expect.any(String), code_verifier: expect.any(String), code_challenge_method: 'plain' },
    { code: expect.any(String), code_verifier: null, code_challenge_method: null },
  ],
  models: expect.any(Array),
  other_organization: {
    organization_id: expect.stringMatching(/^org_\w+$/),
    management_key: expect.stringMatching(/^mk-gate-v2-\w+-\w+$/),
    workspace: WORKSPACE,
    destination_id: WORKSPACE.id,
  },
};

interface List {
  readonly data: Readonly<Record<string, unknown>>[];
  readonly total_count: number;
}

describe('gatehouse demo', () => {
  let directory: DataDirectory;
  let made: Demonstration;

  beforeAll(async () => {
    directory = await DataDirectory.make();
  });

  afterAll(async () => {
    await GatehouseProcess.killAll();
    await directory.remove();
  });

  const demo = async (): Promise<Demonstration> => {
    const { code, stdout, stderr } = await GatehouseProcess.command(['demo', '--json'], { DATA_DIR: directory.path });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([expect.stringMatching(/^\{.*\}$/), '']);
    return JSON.parse(stdout) as Demonstration;
  };

  it('works without a running server, and leaves none running', async () => {
    made = await demo();

    expect(made).toEqual(PROMISED);
    expect(made.models.some((model) => model.endsWith(':free'))).toBe(true);
    expect(directory.servers()).toEqual([]);
  });

  describe('beside a running service', () => {
    let service: GatehouseProcess;
    let api: ApiClient;

    beforeAll(async () => {
      service = GatehouseProcess.service({ DATA_DIR: directory.path });
      api = new ApiClient(`${await service.origin()}/api/v1`);
    });

    afterAll(async () => {
      expect((await service.stop()).code).toBe(0);
    });

    it('works again beside its earlier objects, and leaves the server running, which answers 200', async () => {
      const again = await demo();

      expect(again).toEqual(PROMISED);
      expect(again.organization_id).not.toBe(made.organization_id);
      expect(directory.servers()).not.toEqual([]);
      const keys = [made, again].flatMap((one) => [one.management_key, one.other_organization.management_key]);
      for (const key of keys) expect((await api.get('/guardrails', { key })).status).toBe(200);
    });

    it('creates the objects that every operation needs to be answered 200', async () => {
      const { management_key: key, workspace, default_workspace: defaultWorkspace } = made;
      const ok = async <Body>(answer: Promise<Answer<Body>>, status = 200): Promise<Body> => {
        const { status: answered, text, body } = await answer;
        expect({ answered, text }).toEqual({ answered: status, text });
        return body;
      };
      const list = (path: string, as = key): Promise<List> => ok(api.get<List>(path, { key: as }));
      const post = (path: string, options: RequestOptions, status = 200): Promise<Record<string, unknown>> =>
        ok(api.post<Record<string, unknown>>(path, options), status);

      const members = await list(`/workspaces/${workspace.slug}/members`);
      expect(members.total_count).toBe(3);
      expect(await list(`/workspaces/${defaultWorkspace.id}/members`)).toMatchObject({ total_count: 3 });
      for (const interval of ['daily', 'weekly', 'monthly', 'lifetime']) {
        await ok(api.delete(`/workspaces/${workspace.id}/budgets/${interval}`, { key }));
      }
      for (const id of made.scim_group_ids) {
        await post('/scim/group-mappings', { key, json: { scim_group_id: id, workspace_id: workspace.id } });
      }
      // Besides the one that it has created itself.
      expect((await list('/scim/group-mappings')).total_count).toBe(4);
      expect((await list('/scim/groups')).total_count).toBe(4);
      const { workspace_id: mappedWorkspace, user_ids: mapped } = made.scim_mapping;
      const joined = await list(`/workspaces/${mappedWorkspace}/members`);
      expect(joined.data.map(({ user_id: userId }) => userId).sort()).toEqual([...mapped].sort());
      expect((await list(`/presets/${made.preset_slug}/versions`)).data.map(({ version }) => version)).toEqual([
        1, 2, 3,
      ]);
      expect((await list('/images/models', made.api_key)).data.length).toBeGreaterThan(0);
      for (const model of made.models) await ok(api.get(`/model/${model}`, { key: made.api_key }));
      const types: unknown[] = [];
      for (const id of made.destination_ids) {
        const { data } = await ok(api.get<{ data: { type: string } }>(`/observability/destinations/${id}`, { key }));
        types.push(data.type);
      }
      expect(types).toEqual(DESTINATION_TYPES);
      await post('/guardrails', { key, json: { name: 'Made with the demonstration' } }, 201);
      for (const { code, code_verifier, code_challenge_method } of made.authorization_codes) {
        const proof = code_verifier === null ? {} : { code_verifier, code_challenge_method };
        const { user_id: userId } = await post('/auth/keys', { key, json: { code, ...proof } });
        expect(userId).toBe(made.user_id);
      }
    });

    it('creates a key with a limit, a disabled key, and a Connect client (403 for an unknown code)', async () => {
      const { management_key: key, limited_key: limited, disabled_key_hash: disabled, connect_client: client } = made;
      const read = async (path: string, as = key): Promise<unknown> => (await api.get(path, { key: as })).body;

      expect(await read('/key', limited.key)).toMatchObject({ data: { limit: 25, limit_remaining: 25 } });
      expect(await read(`/keys/${limited.hash}`)).toMatchObject({ data: { limit_reset: 'monthly', disabled: false } });
      expect(await read(`/keys/${disabled}`)).toMatchObject({ data: { disabled: true } });
      expect(await read(`/connect/clients/${client.id}`)).toMatchObject({
        data: { callback_urls: client.callback_urls },
      });
      const exchange = await api.post('/auth/keys', { key: client.client_secret, json: { code: 'none' } });
      expect(exchange.status).toBe(403);
    });

    it('creates a key that has spent a part of its limit', async () => {
      const { management_key: key, spending_key: spending } = made;

      const { body } = await api.get(`/keys/${spending.hash}`, { key });

      expect(body).toMatchObject({ data: { limit: 10, limit_remaining: 6, usage: 4, byok_usage: 0.5 } });
      expect((await api.get('/key', { key: spending.key })).body).toMatchObject({ data: { usage: 4 } });
    });

    it('creates a key for a user of a partner', async () => {
      const { management_key: key, partner_key: partner } = made;

      const { body } = await api.get(`/keys/${partner.hash}`, { key });

      expect(body).toMatchObject({ data: { external_user: partner.external_user } });
    });

    it('creates an entry for every list to answer 200 with', async () => {
      const { management_key: key, guarded_key: guarded } = made;
      const lists = [
        '/audit-events',
        '/connect/clients',
        '/guardrails/assignments/keys',
        '/guardrails/assignments/members',
        `/guardrails/${guarded.key_guardrail_id}/assignments/keys`,
        `/guardrails?workspace_id=${guarded.workspace_id}`,
        '/keys',
        '/observability/destinations',
        '/organization/members',
        '/presets',
        '/scim/groups',
        '/scim/group-mappings',
        '/workspaces',
      ];

      for (const path of lists) {
        const { status, body } = await api.get<List>(path, { key });
        expect([path, status, body.data.length > 0]).toEqual([path, 200, true]);
      }
    });

    it('records the creation of its keys and clients with the user who ran it', async () => {
      const { management_key: key, api_key_hash: apiKey, client_key_hash: clientKey, guarded_key: guarded } = made;
      const recorded = async (action: string): Promise<string[]> => {
        const path = `/audit-events?actor=command_line&action=${action}`;
        const { data } = (await api.get<{ data: { target: { id: string } }[] }>(path, { key })).body;
        return data.map(({ target }) => target.id);
      };
      const managementKey = createHash('sha256').update(key).digest('hex');
      const clients = (await api.get<List>('/connect/clients', { key })).body.data;
      // The third was created as the operation creates one.
      const issued = clients.filter(({ id }) => id !== made.connect_client.id).map(({ id }) => id);

      expect(await recorded('key.create')).toEqual([managementKey, apiKey, clientKey, guarded.hash]);
      expect(await recorded('connect_client.create')).toEqual(issued);
      expect(issued).toHaveLength(2);
    });

    it('creates keys that only the right callers can read: 200, 401 and 404, and a second organization', async () => {
      const remove = async (hash: string, key: string): Promise<number> =>
        (await api.delete(`/keys/${hash}`, { key })).status;
      const { client_key_hash: clientKey, api_key_hash: apiKey, other_organization: other } = made;

      expect(await remove(clientKey, made.other_client_secret)).toBe(404);
      expect(await remove(apiKey, made.client_secret)).toBe(404);
      expect(await remove(clientKey, made.client_secret)).toBe(200);
      expect(await remove(apiKey, made.management_key)).toBe(200);
      expect((await api.get('/images/models', { key: made.api_key })).status).toBe(401);
      const path = `/observability/destinations/${other.destination_id}`;
      expect((await api.get(path, { key: made.management_key })).status).toBe(404);
      expect((await api.get(path, { key: other.management_key })).status).toBe(200);
    });
  });
});
