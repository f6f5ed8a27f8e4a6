import { randomUUID } from 'node:crypto';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { CALLBACK_URL } from '../../support/resources/authorization-codes.js';
import type { GeneratedClient } from './generated-client/generated-client.js';
import { DESTINATION_SAMPLES } from '../../support/resources/destination-samples.js';
import { pkcePair } from '../../support/application/factory.js';
import { destinationBodies, guardrailBodies, MODEL, WORKSPACE_BODIES } from './generated-client/whole-bodies.js';
import { clientFixture, contractIn, DIALECTS, vendorFields } from './generated-client/client-fixture.js';
import type { TestApplication } from '../../support/application/test-application.js';

const IN_AN_HOUR = new Date(Date.now() + 3_600_000).toISOString();

interface Data<Row> {
  readonly data: Row;
}
interface WithId {
  readonly id: string;
}
type Workspace = WithId & { readonly slug: string };
interface Key {
  readonly hash: string;
}

describe.each(DIALECTS)('a client generated from the public contract, in the dialect %s', (dialect) => {
  const contract = contractIn(dialect);

  let app: TestApplication;
  let client: GeneratedClient;
  let organization: NewOrganization;
  let key: string;
  let members: string[];
  let groups: string[];

  beforeAll(async () => {
    ({ app, client, organization, key } = await clientFixture(contract, dialect));
    // Nor has the interface an operation for whom an identity provider or another service has pushed.
    members = [
      await app.factory.member(organization.organizationId),
      await app.factory.member(organization.organizationId),
    ];
    groups = [await app.factory.scimGroup(organization), await app.factory.scimGroup(organization)];
  });

  afterAll(() => app.stop());

  const newWorkspace = async (slug: string): Promise<Workspace> =>
    (await client.call<Data<Workspace>>('createWorkspace', key, { body: { name: slug, slug } })).data;

  const newKey = (body: object = {}): Promise<Data<Key> & { readonly key: string }> =>
    client.call('createKeys', key, { body: { name: 'A key', ...body } });

  const newGuardrail = async (body: object = {}): Promise<WithId> =>
    (await client.call<Data<WithId>>('createGuardrail', key, { body: { name: 'A guardrail', ...body } })).data;

  const newDestination = async (body: object = {}): Promise<WithId> => {
    const { config } = DESTINATION_SAMPLES.langfuse;
    const whole = { type: 'langfuse', name: 'A destination', config, ...body };
    return (await client.call<Data<WithId>>('createObservabilityDestination', key, { body: whole })).data;
  };

  const newMapping = async (body: object): Promise<WithId> =>
    (await client.call<Data<WithId>>('createScimGroupMapping', key, { body })).data;

  const newCode = async (body: object = {}): Promise<string> => {
    const whole = { callback_url: CALLBACK_URL, ...body };
    return (await client.call<Data<WithId>>('createAuthKeysCode', key, { body: whole })).data.id;
  };

  /** What every list takes. */
  const page = { offset: 0, limit: 10 };

  it('manages workspaces, members and budgets: 200 and 201', async () => {
    const { id, slug } = await newWorkspace('research');
    const { settings, cleared } = WORKSPACE_BODIES;
    const whole = await client.call<Data<WithId>>('createWorkspace', key, { body: settings });
    expect(whole.data).toMatchObject(settings);
    await client.call('createWorkspace', key, { body: { name: 'Cleared', slug: 'cleared', ...cleared } });
    for (const body of [{}, { ...settings, slug: 'everything-else' }, cleared]) {
      const changed = await client.call<Data<object>>('updateWorkspace', key, { path: { id: whole.data.id }, body });
      expect(changed.data).toMatchObject(body);
    }
    await client.call('listWorkspaces', key, { query: page });
    for (const name of [id, slug]) await client.call('getWorkspace', key, { path: { id: name } });

    const body = { user_ids: members };
    await client.call('bulkAddWorkspaceMembers', key, { path: { id }, body });
    await client.call('listWorkspaceMembers', key, { path: { id }, query: page });
    await client.call('bulkRemoveWorkspaceMembers', key, { path: { id: slug }, body });

    for (const [interval, limit_usd] of Object.entries({ lifetime: 1000, monthly: 100, weekly: 10, daily: 1 })) {
      const path = { id, interval };
      await client.call('upsertWorkspaceBudget', key, { path, body: { limit_usd } });
      await client.call('upsertWorkspaceBudget', key, { path, body: { limit_usd, include_byok_in_budgets: true } });
      await client.call('getWorkspaceBudget', key, { path });
    }
    await client.call('listWorkspaceBudgets', key, { path: { id } });
    for (const interval of ['lifetime', 'monthly', 'weekly', 'daily']) {
      await client.call('deleteWorkspaceBudget', key, { path: { id, interval } });
    }
    await client.call('deleteWorkspace', key, { path: { id }, query: { confirm_default_workspace_deletion: 'true' } });
  });

  it('manages keys: 200 and 201', async () => {
    const { workspaceId, userId } = organization;
    const limits = ['daily', 'weekly', 'monthly', null].map((limit_reset) => ({ limit: 5.5, limit_reset }));
    for (const limit of limits) {
      const settings = { include_byok_in_limit: true, creator_user_id: userId, workspace_id: workspaceId };
      const external = { user: 'customer-4711', api_key: `partner-${randomUUID()}` };
      const made = await newKey({ name: 'All settings', expires_at: IN_AN_HOUR, external, ...settings, ...limit });
      const shown = { name: 'All settings', expires_at: IN_AN_HOUR, external_user: external.user };
      expect(made.data).toMatchObject({ ...shown, ...settings, ...limit });
      await client.call('getCurrentKey', external.api_key);
    }
    await newKey({ creator_user_id: null, expires_at: null, limit: null });
    await newKey({ external: { user: 'customer-4711' } });
    const { data, key: plaintext } = await newKey();

    await client.call('getCurrentKey', plaintext);
    await client.call('getCurrentKey', key);
    await client.call('getKey', key, { path: { hash: data.hash } });
    for (const include_disabled of ['true', 'false']) {
      await client.call('list', key, { query: { include_disabled, offset: 0, workspace_id: workspaceId } });
    }
    const changes = limits.map((limit) => ({ name: 'B', disabled: true, include_byok_in_limit: true, ...limit }));
    for (const body of [{}, ...changes, { limit: null }]) {
      const changed = await client.call<Data<object>>('updateKeys', key, { path: { hash: data.hash }, body });
      expect(changed.data).toMatchObject(body);
    }
    await client.call('deleteKeys', key, { path: { hash: data.hash } });
  });

  it('creates and exchanges authorization codes: 200', async () => {
    const exchange = (body: object): Promise<unknown> => client.call('exchangeAuthCodeForAPIKey', key, { body });
    await exchange({ code: await newCode() });
    await exchange({ code: await newCode({ expires_at: null }), code_challenge_method: null });

    const { verifier, challenge } = pkcePair();
    const challenges = { S256: challenge, plain: verifier };
    const intervals = ['daily', 'weekly', 'monthly'];
    for (const [method, code_challenge] of Object.entries(challenges)) {
      for (const usage_limit_type of intervals) {
        const code = await newCode({
          code_challenge,
          code_challenge_method: method,
          expires_at: IN_AN_HOUR,
          key_label: 'A label',
          limit: 10,
          spawn_agent: 'agent',
          spawn_cloud: 'cloud',
          usage_limit_type,
          workspace_id: organization.workspaceId,
        });
        await exchange({ code, code_challenge_method: method, code_verifier: verifier });
      }
    }
  });

  it('manages guardrails and assignments: 200 and 201', async () => {
    const { flags, settings, filters, scope, cleared } = guardrailBodies(vendorFields(dialect));
    const whole = { ...settings, ...filters, workspace_id: organization.workspaceId };
    const made = await client.call<Data<WithId & { content_filters: object[] }>>('createGuardrail', key, {
      body: whole,
    });
    const { allowed_models: _allowed, ignored_models: _ignored, ...others } = settings;
    // Models are shown by their canonical slugs, whatever they were named by.
    expect(made.data).toMatchObject({ ...others, content_filters: filters.content_filters });
    const { id } = made.data;
    await client.call('createGuardrail', key, { body: cleared });
    await newGuardrail();
    for (const reset_interval of ['daily', 'weekly']) await newGuardrail({ limit_usd: 1, reset_interval });
    await newGuardrail({ content_filter_builtins: [scope], ...flags(true) });
    await newGuardrail(flags(false));

    const path = { id };
    const changes = [
      {},
      { ...settings, ...filters },
      { content_filter_builtins: [scope] },
      { reset_interval: 'daily' },
      { reset_interval: 'weekly' },
      flags(true),
      cleared,
    ];
    for (const body of changes) await client.call('updateGuardrail', key, { path, body });
    await client.call('getGuardrail', key, { path });
    await client.call('listGuardrails', key, { query: { ...page, workspace_id: organization.workspaceId } });

    const keys = { key_hashes: [(await newKey()).data.hash] };
    const users = { member_user_ids: members };
    await client.call('bulkAssignKeysToGuardrail', key, { path, body: keys });
    await client.call('bulkAssignMembersToGuardrail', key, { path, body: users });
    await client.call('listGuardrailKeyAssignments', key, { path, query: page });
    await client.call('listGuardrailMemberAssignments', key, { path, query: page });
    await client.call('listKeyAssignments', key, { query: page });
    await client.call('listMemberAssignments', key, { query: page });
    await client.call('bulkUnassignKeysFromGuardrail', key, { path, body: keys });
    await client.call('bulkUnassignMembersFromGuardrail', key, { path, body: users });
    await client.call('deleteGuardrail', key, { path });
  });

  it('creates and reads presets: 200', async () => {
    const path = { slug: 'support-bot' };
    const messages = [{ role: 'system', content: 'You are helpful.' }];
    for (const body of [{}, { model: MODEL, messages, temperature: 0.2 }]) {
      await client.call('createPresetsChatCompletions', key, { path, body });
    }
    await client.call('listPresets', key, { query: page });
    await client.call('getPreset', key, { path });
    await client.call('listPresetVersions', key, { path, query: page });
    for (const version of [1, 2]) await client.call('getPresetVersion', key, { path: { ...path, version } });
  });

  it('reads the catalog with every filter: 200', async () => {
    const { key: apiKey } = await newKey();
    const model = { author: 'openai', slug: 'gpt-5.4' };
    const texts: Readonly<Record<string, string>> = {
      supported_parameters: 'tools,temperature',
      output_modalities: 'text,image',
      input_modalities: 'text,image',
      q: 'gpt',
      arch: 'GPT',
      model_authors: 'openai,anthropic',
      providers: 'openai',
      use_rss: 'true',
      use_rss_chat_links: 'true',
    };
    const { parameters } = contract.operations.get('getModels')!;
    for (const { name, schema } of parameters) {
      const numbers = [schema.minimum ?? 0, schema.maximum ?? 1];
      for (const value of schema.enum ?? (name in texts ? [texts[name]!] : numbers)) {
        await client.call('getModels', apiKey, { query: { [name]: String(value) } });
      }
    }
    await client.call('getModels', key, { query: { use_rss: 'true', use_rss_chat_links: 'true' } });
    await client.call('getModel', apiKey, { path: model });
    await client.call('listModelsCount', apiKey, { query: { output_modalities: 'all' } });
    await client.call('listModelsUser', apiKey, { query: { ...page, output_modalities: 'text,image' } });
    await client.call('listEndpoints', apiKey, { path: model });
    await client.call('listEndpointsZdr', apiKey);
    await client.call('listProviders', apiKey);
    await client.call('listImageModels', apiKey);
    await client.call('listImageModelEndpoints', apiKey, { path: { author: 'openai', slug: 'gpt-image-2' } });
  });

  it('manages observability destinations of every type: 200 and 201', async () => {
    const { hash } = (await newKey()).data;
    const { settings, cleared } = destinationBodies(hash);
    for (const [type, { config, masked }] of Object.entries(DESTINATION_SAMPLES)) {
      const whole = { ...settings, type, config, workspace_id: organization.workspaceId };
      const { id } = await newDestination(whole);
      const path = { id };
      for (const body of [{}, { ...settings, config: masked }, { regions: [...settings.regions, 'eu'] }, cleared]) {
        await client.call('updateObservabilityDestination', key, { path, body });
      }
      const { data } = await client.call<Data<object>>('getObservabilityDestination', key, { path });
      expect(data).toMatchObject({ ...settings, ...cleared, type, config: masked });
    }
    const query = { ...page, workspace_id: organization.workspaceId };
    await client.call('listObservabilityDestinations', key, { query });
    const { id } = await newDestination();
    await newDestination({ ...cleared, regions: ['eu'] });
    await client.call('deleteObservabilityDestination', key, { path: { id } });
  });

  it('manages SCIM mappings: 200 and 201', async () => {
    const { id: workspace_id } = await newWorkspace('mapped');
    const { id: other } = await newWorkspace('mapped-too');
    const [scim_group_id, group] = groups;
    const { id } = await newMapping({ scim_group_id, workspace_id });
    const mappings = [
      await newMapping({ scim_group_id, workspace_id: other, role: 'admin' }),
      await newMapping({ scim_group_id: group, workspace_id, role: 'member' }),
    ];
    const path = { id };
    for (const role of ['admin', 'member']) {
      await client.call('updateScimGroupMapping', key, { path, body: { role } });
    }
    await client.call('getScimGroupMapping', key, { path });
    await client.call('listScimGroupMappings', key, { query: page });
    await client.call('listScimGroups', key, { query: page });
    await client.call('listOrganizationMembers', key, { query: page });
    for (const [index, mapping] of mappings.entries()) {
      const query = { keep_members: [true, 'false'][index]! };
      await client.call('deleteScimGroupMapping', key, { path: { id: mapping.id }, query });
    }
  });

  it('has called every operation with every parameter, field and enum value that the contract declares', () => {
    expect(client.operationIds).toHaveLength(59);
    expect(client.untried()).toEqual([]);
  });
});
