import type { CallArguments } from './generated-client/generated-client.js';
import { DESTINATION_SAMPLES } from '../../support/resources/destination-samples.js';
import { clientFixture, type ClientFixture, contractIn, DIALECTS } from './generated-client/client-fixture.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';

/** Failures that the contract declares and there is no way to, and why. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  'createAuthKeysCode 409': 'Codes are random, and conflict with nothing.',
  'createPresetsChatCompletions 409': 'A preset that is there gets its next version, one writer after the other.',
  'listModelsUser 404': 'Every key belongs to a user.',
  'listOrganizationMembers 404': 'Every management key belongs to an organization.',
  'updateGuardrail 409': 'Nothing of a guardrail has to be the only one of its kind.',
  'updateObservabilityDestination 409':
    'Neither its type nor its workspace changes, so there are never more of a type.',
};

/** Every parameter of a path, naming nothing that is there. */
const NOWHERE = {
  author: 'nobody',
  hash: '0'.repeat(64),
  id: UNKNOWN_UUID,
  interval: 'daily',
  slug: 'nothing',
  version: 1,
} as const;

const DESTINATION = { type: 'langfuse', name: 'Traces', config: DESTINATION_SAMPLES.langfuse.config } as const;

/** A body that has nothing wrong with it, for operations that look for something by their path or body. */
const BODIES: Readonly<Record<string, object>> = {
  bulkAddWorkspaceMembers: { user_ids: ['user_nobody'] },
  bulkAssignKeysToGuardrail: { key_hashes: [NOWHERE.hash] },
  bulkAssignMembersToGuardrail: { member_user_ids: ['user_nobody'] },
  bulkRemoveWorkspaceMembers: { user_ids: ['user_nobody'] },
  bulkUnassignKeysFromGuardrail: { key_hashes: [NOWHERE.hash] },
  bulkUnassignMembersFromGuardrail: { member_user_ids: ['user_nobody'] },
  createPresetsChatCompletions: {},
  createScimGroupMapping: { scim_group_id: UNKNOWN_UUID, workspace_id: UNKNOWN_UUID },
  exchangeAuthCodeForAPIKey: { code: 'no-such-code' },
  updateGuardrail: {},
  updateKeys: {},
  updateObservabilityDestination: {},
  updateScimGroupMapping: { role: 'admin' },
  updateWorkspace: {},
  upsertWorkspaceBudget: { limit_usd: 1 },
};

describe.each(DIALECTS)('errors of a client generated from the public contract, in the dialect %s', (dialect) => {
  const contract = contractIn(dialect);

  let fixture: ClientFixture;

  beforeAll(async () => {
    fixture = await clientFixture(contract, dialect);
  });

  afterAll(() => fixture.app.stop());

  /** Everything that declares a failure and can fail so. */
  const declaring = (status: number): string[] =>
    fixture.client.operationIds.filter(
      (operationId) =>
        contract.operations.get(operationId)!.answers.has(status) && !(`${operationId} ${status}` in UNREACHABLE),
    );

  const lookingFor = (operationId: string): CallArguments => ({
    path: NOWHERE,
    ...(operationId in BODIES && { body: BODIES[operationId] }),
  });

  it('are in the form of the contract for faulty requests: 400', async () => {
    const { client, key, organization } = fixture;
    const wrong: Readonly<Record<string, CallArguments>> = {
      createPresetsChatCompletions: { body: { model: 'nobody/nothing' } },
      // The default workspace goes only where that is confirmed, of which the contract knows nothing.
      deleteWorkspace: { path: { id: organization.workspaceId } },
      // The contract takes this for optional.
      deleteScimGroupMapping: {},
      deleteWorkspaceBudget: { path: { ...NOWHERE, interval: 'yearly' } },
      getPreset: { path: { slug: 'No Slug' } },
      getPresetVersion: { path: { slug: 'No Slug', version: 1 } },
      getWorkspaceBudget: { path: { ...NOWHERE, interval: 'yearly' } },
      listModelsCount: { query: { output_modalities: 'nothing' } },
    };
    for (const operationId of declaring(400)) {
      const { body } = contract.operations.get(operationId)!;
      const generic = body ? { body: { no_such_field: true } } : { query: { offset: -1 } };
      await client.refuse(operationId, 400, key, { path: NOWHERE, ...(wrong[operationId] ?? generic) });
    }
  });

  it('are in the form of the contract without a credential: 401', async () => {
    for (const operationId of declaring(401)) {
      await fixture.client.refuse(operationId, 401, undefined, lookingFor(operationId));
    }
  });

  it('are in the form of the contract for a credential of the wrong kind: 403', async () => {
    const { app, client, organization } = fixture;
    const { plaintext } = await app.factory.client(organization);
    for (const operationId of declaring(403)) {
      await client.refuse(operationId, 403, plaintext, lookingFor(operationId));
    }
  });

  it('are in the form of the contract for missing objects: 404', async () => {
    const { app, client, key } = fixture;
    // Where SCIM is not set up, there are neither groups nor mappings.
    const { managementKey: withoutScim } = await app.factory.organization();
    const further: Readonly<Record<string, CallArguments>> = {
      createPresetsChatCompletions: { query: { workspace_id: UNKNOWN_UUID } },
      deleteScimGroupMapping: { query: { keep_members: true } },
    };
    for (const operationId of declaring(404)) {
      const who = operationId.startsWith('listScim') ? withoutScim : key;
      await client.refuse(operationId, 404, who, { ...lookingFor(operationId), ...further[operationId] });
    }
  });

  it('are in the form of the contract for conflicts: 409', async () => {
    const { app, client, key, organization } = fixture;
    const scimGroupId = await app.factory.scimGroup(organization);
    const mapping = { body: { scim_group_id: scimGroupId, workspace_id: organization.workspaceId } };
    await client.call('createScimGroupMapping', key, mapping);
    await client.refuse('createScimGroupMapping', 409, key, mapping);
    const destination = { body: DESTINATION };
    for (let count = 0; count < 5; count++) await client.call('createObservabilityDestination', key, destination);
    await client.refuse('createObservabilityDestination', 409, key, destination);
  });

  it('were tried with every error status that the contract declares', () => {
    expect(fixture.client.unmet([400, 401, 403, 404, 409])).toEqual(Object.keys(UNREACHABLE).sort());
  });
});
