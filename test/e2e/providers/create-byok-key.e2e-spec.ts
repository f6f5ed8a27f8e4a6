import type { BYOKKeyResponse } from '../../../src/modules/providers/own-keys/dto/byok-key.dto.js';
import { TestApplication } from '../../support/application/test-application.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { storedText } from '../../support/database/stored-text.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import type { Answer } from '../../support/network/api-client.js';
import {
  newProviderKey,
  PROVIDER_LABEL,
  PROVIDER_SECRET,
  providerKeyState,
} from '../../support/resources/provider-keys.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

const UNKNOWN_HASH = '0'.repeat(64);

describe('createBYOKKey', () => {
  const app = sharedApplication({ variables: { QUOTA_WORKSPACE_PROVIDER_KEYS: '3' } });
  const organization = organizationPerTest(app);

  beforeAll(() => app.factory.starterCatalog());

  const create = (json: object): Promise<Answer<BYOKKeyResponse>> =>
    app.api.post('/byok', { key: organization.managementKey, json });

  const DEFAULTS = {
    name: null,
    disabled: false,
    is_fallback: false,
    is_required: false,
    is_byok_only: false,
    declared_zdr: null,
    allowed_models: null,
    allowed_api_key_hashes: null,
    allowed_user_ids: null,
    sort_order: 0,
  };

  it('answers 201 with the defaults and the key masked, and records the creation', async () => {
    const answer = await create({ provider: 'OpenAI', key: PROVIDER_SECRET });

    expect(answer.status).toBe(201);
    expectToFitContract('createBYOKKey', 201, answer.body);
    const { id, created_at, ...fields } = answer.body.data;
    expect(id).toMatch(UUID_V7);
    expect(created_at).toMatch(TIMESTAMP);
    const shown = { provider: 'openai', workspace_id: organization.workspaceId, label: PROVIDER_LABEL, ...DEFAULTS };
    expect(fields).toEqual(shown);
    expect(await auditEventsOf(app, id)).toEqual([
      {
        action: 'provider_key.create',
        target_type: 'provider_key',
        target_id: id,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: {
          provider: { after: 'openai' },
          workspace_id: { after: organization.workspaceId },
          label: { after: PROVIDER_LABEL },
          disabled: { after: false },
          is_fallback: { after: false },
          is_required: { after: false },
          is_byok_only: { after: false },
          sort_order: { after: 0 },
        },
      },
    ]);
  });

  it('answers 201 with every field, models by their canonical slugs and repetitions dropped', async () => {
    const { hash } = await app.factory.key(organization);
    const workspace_id = await app.factory.workspace(organization);
    const rules = { is_fallback: true, is_required: true, declared_zdr: false };
    const fields = { name: 'Production', disabled: true, ...rules, workspace_id };
    const lists = { allowed_api_key_hashes: [hash, hash], allowed_user_ids: [organization.userId] };

    const answer = await create({
      ...fields,
      ...lists,
      provider: 'anthropic',
      key: '12345678',
      allowed_models: ['openai/gpt-5.4', 'openai/gpt-5.4'],
    });

    expect(answer.status).toBe(201);
    const { allowed_models: models } = answer.body.data;
    expect(models).toEqual([expect.stringMatching(/^openai\/gpt-5\.4-\d{8}$/)]);
    expect(answer.body.data).toMatchObject({
      ...fields,
      label: '****',
      allowed_api_key_hashes: [hash],
      allowed_user_ids: [organization.userId],
    });
  });

  it('answers 201 to a key that is the only way to its provider, and 400 to a fallback that is', async () => {
    const { is_byok_only } = await newProviderKey(app, organization, { is_byok_only: true, declared_zdr: true });
    expect(is_byok_only).toBe(true);
    const before = await providerKeyState(app);

    const answer = await create({ provider: 'openai', key: PROVIDER_SECRET, is_byok_only: true, is_fallback: true });

    const paths = ['is_byok_only'];
    expectRefusal(answer, { status: 400, reason: 'fallback_without_shared', paths, userId: organization.userId });
    expect(await providerKeyState(app)).toEqual(before);
  });

  it('answers 201 to a list that allows nothing, which is not a list that allows all', async () => {
    const { allowed_models, allowed_user_ids } = await newProviderKey(app, organization, {
      allowed_models: [],
      allowed_user_ids: [],
    });

    expect([allowed_models, allowed_user_ids]).toEqual([[], []]);
  });

  it('answers 201 with the next place among the keys for the same provider in the same workspace', async () => {
    const workspace_id = await app.factory.workspace(organization);
    const places = [];
    for (const fields of [{}, { provider: 'groq' }, {}, { workspace_id }]) {
      places.push((await newProviderKey(app, organization, fields)).sort_order);
    }

    expect(places).toEqual([0, 0, 1, 0]);
  });

  it('answers 201 to keys for a well-known provider that the catalog does not have', async () => {
    const other = await TestApplication.start();
    const owner = await other.factory.organization();

    expect((await newProviderKey(other, owner, { provider: 'mistral' })).provider).toBe('mistral');
    await other.stop();
  });

  it('stores the key nowhere but encrypted, and logs it nowhere', async () => {
    await newProviderKey(app, organization, { key: 'sk-LOOK-FOR-ME-0123' });

    for (const text of [...(await storedText(app)).values(), app.logLines.join('')]) {
      expect(text).not.toContain('LOOK-FOR-ME');
      expect(text).not.toContain(Buffer.from('LOOK-FOR-ME').toString('hex'));
    }
  });

  it.each([
    [{}, ['provider', 'key']],
    [{ provider: 'openai', key: '' }, ['key', 'key']],
    [{ provider: 'openai', key: 'two words' }, ['key']],
    [{ provider: 'openai', key: 'kéy' }, ['key']],
    [{ provider: 'openai', key: 'line\nbreak' }, ['key']],
    [{ provider: 'openai', key: 'x'.repeat(4_097) }, ['key']],
    [{ provider: 'openai', key: null }, ['key']],
    [{ provider: 7, key: 'sk' }, ['provider']],
    [{ provider: 'openai', key: 'sk', name: 'x'.repeat(256) }, ['name']],
    [{ provider: 'openai', key: 'sk', workspace_id: 'default' }, ['workspace_id']],
    [{ provider: 'openai', key: 'sk', allowed_api_key_hashes: [] }, ['allowed_api_key_hashes']],
    [{ provider: 'openai', key: 'sk', allowed_api_key_hashes: ['ABC'] }, ['allowed_api_key_hashes[0]']],
    [{ provider: 'openai', key: 'sk', allowed_models: Array(101).fill('openai/gpt-5.4') }, ['allowed_models']],
    [{ provider: 'openai', key: 'sk', allowed_user_ids: Array(101).fill('user_1') }, ['allowed_user_ids']],
    [{ provider: 'openai', key: 'sk', disabled: null }, ['disabled']],
    [{ provider: 'openai', key: 'sk', sort_order: 1 }, ['sort_order']],
  ])('answers 400 to %j and changes nothing', async (json, paths) => {
    const before = await providerKeyState(app);

    const answer = await create(json);

    const { userId } = organization;
    expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId });
    expect(await providerKeyState(app)).toEqual(before);
  });

  it.each([
    ['unknown_provider', { provider: 'nobody' }, 'provider'],
    ['workspace_not_found', { workspace_id: UNKNOWN_UUID }, 'workspace_id'],
    ['unknown_model', { allowed_models: ['openai/gpt-5.4', 'openai/none'] }, 'allowed_models[1]'],
    ['key_not_found', { allowed_api_key_hashes: [UNKNOWN_HASH] }, 'allowed_api_key_hashes[0]'],
    ['user_not_found', { allowed_user_ids: ['user_nobody'] }, 'allowed_user_ids[0]'],
    ['masked_credential', { key: PROVIDER_LABEL }, 'key'],
    ['masked_credential', { key: '****' }, 'key'],
  ])('answers 400 %s to %j and changes nothing', async (reason, fields, place) => {
    const before = await providerKeyState(app);

    const answer = await create({ provider: 'openai', key: PROVIDER_SECRET, ...fields });

    expectRefusal(answer, { status: 400, reason, paths: [place], userId: organization.userId });
    expect(await providerKeyState(app)).toEqual(before);
  });

  it('answers 400 quota_exceeded to one key too many in a workspace, also to several at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ provider: 'openai', key: 'sk-many' })));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 400, 400, 400, 400, 400]);
    const places = answers.filter(({ status }) => status === 201).map(({ body }) => body.data.sort_order);
    expect(places.sort()).toEqual([0, 1, 2]);
    expectRefusal(
      answers.find(({ status }) => status === 400)!,
      {
        status: 400,
        reason: 'quota_exceeded',
        paths: [''],
        detail: { quota: 'workspace_provider_keys', limit: 3 },
        userId: organization.userId,
      },
    );
    const workspace_id = await app.factory.workspace(organization);
    expect((await create({ provider: 'openai', key: 'sk-elsewhere', workspace_id })).status).toBe(201);
  });

  it('answers 500 where the key of the process is not that of the database, and stores nothing', async () => {
    await newProviderKey(app, organization);
    const variables = { ENCRYPTION_KEY: '22'.repeat(32) };
    const replica = await TestApplication.start({ database: app.database, variables });
    const before = await providerKeyState(app);

    const json = { provider: 'openai', key: PROVIDER_SECRET };
    const answer = await replica.api.post('/byok', { key: organization.managementKey, json });

    expect(answer.status).toBe(500);
    expect(await providerKeyState(app)).toEqual(before);
    await replica.stop();
  });
});
