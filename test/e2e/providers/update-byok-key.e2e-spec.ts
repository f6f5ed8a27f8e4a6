import { sharedApplication } from '../../support/application/shared-application.js';
import type { BYOKKey, BYOKKeyResponse } from '../../../src/modules/providers/own-keys/dto/byok-key.dto.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import type { Answer } from '../../support/network/api-client.js';
import {
  newProviderKey,
  PROVIDER_LABEL,
  PROVIDER_SECRET,
  providerKeyState,
} from '../../support/resources/provider-keys.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

describe('updateBYOKKey', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);
  let made: BYOKKey;

  beforeAll(() => app.factory.starterCatalog());

  beforeEach(async () => {
    made = await newProviderKey(app, organization, { name: 'Before' });
  });

  const update = (json: object, id = made.id): Promise<Answer<BYOKKeyResponse>> =>
    app.api.patch(`/byok/${id}`, { key: organization.managementKey, json });

  const encrypted = async (): Promise<string> => {
    const [row] = await app.rows<{ bytes: string }>(
      "SELECT encode(encrypted_key, 'hex') AS bytes FROM provider_keys WHERE id = $1",
      [made.id],
    );
    return row!.bytes;
  };

  it.each([
    [{ name: 'After' }, { name: { before: 'Before', after: 'After' } }],
    [{ name: null }, { name: { before: 'Before', after: null } }],
    [{ disabled: true }, { disabled: { before: false, after: true } }],
    [{ is_fallback: true }, { is_fallback: { before: false, after: true } }],
    [{ is_required: true }, { is_required: { before: false, after: true } }],
    [{ is_byok_only: true }, { is_byok_only: { before: false, after: true } }],
    [{ declared_zdr: true }, { declared_zdr: { before: null, after: true } }],
    [{ allowed_models: [] }, { allowed_models: { before: null, after: [] } }],
  ])('answers 200 to %j, changes nothing else, and records it', async (json, changes) => {
    const before = await encrypted();

    const answer = await update(json);

    expect([answer.status, answer.body.data]).toEqual([200, { ...made, ...json }]);
    expectToFitContract('updateBYOKKey', 200, answer.body);
    expect(await encrypted()).toBe(before);
    expect((await auditEventsOf(app, made.id)).slice(1)).toEqual([
      {
        action: 'provider_key.update',
        target_type: 'provider_key',
        target_id: made.id,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes,
      },
    ]);
  });

  it('answers 200 with the mask of a new key, and records the change even if both masks are the same', async () => {
    const first = await update({ key: 'sk-another-0123456789-NEXT' });
    const second = await update({ key: 'sk-andmore-0123456789-NEXT' });

    expect([first.body.data.label, second.body.data.label]).toEqual(['sk-a...NEXT', 'sk-a...NEXT']);
    expect([first.status, second.status]).toEqual([200, 200]);
    const events = await auditEventsOf(app, made.id);
    expect(events.slice(1).map(({ changes }) => changes)).toEqual([
      { label: { before: PROVIDER_LABEL, after: 'sk-a...NEXT' } },
      { label: { before: 'sk-a...NEXT', after: 'sk-a...NEXT' } },
    ]);
  });

  it('answers 200 and writes nothing where nothing changes: not for what is there, nor for the mask sent back', async () => {
    const before = await providerKeyState(app);

    for (const json of [{}, { name: 'Before', disabled: false }, { key: PROVIDER_LABEL }]) {
      const answer = await update(json);
      expect([answer.status, answer.body]).toEqual([200, { data: made }]);
    }
    expect(await providerKeyState(app)).toEqual(before);
  });

  it('answers 200 and keeps a hash whose key was deleted, and a hash follows the rotation of its key', async () => {
    const [kept, rotated] = [await app.factory.key(organization), await app.factory.key(organization)];
    await update({ allowed_api_key_hashes: [kept.hash, rotated.hash] });
    const { managementKey: key } = organization;
    await app.api.delete(`/keys/${kept.hash}`, { key });
    const rotation = await app.api.post<{ data: { hash: string } }>(`/keys/${rotated.hash}/rotate`, { key });
    expect(rotation.status).toBeLessThan(300);

    const hashes = [kept.hash, rotation.body.data.hash];
    const answer = await update({ allowed_api_key_hashes: hashes, name: 'After' });

    expect([answer.status, answer.body.data.allowed_api_key_hashes]).toEqual([200, hashes]);
  });

  it.each([
    ['invalid_parameters', { provider: 'groq' }, 'provider'],
    ['invalid_parameters', { workspace_id: UNKNOWN_UUID }, 'workspace_id'],
    ['invalid_parameters', { key: 'two words' }, 'key'],
    ['invalid_parameters', { allowed_api_key_hashes: [] }, 'allowed_api_key_hashes'],
    ['unknown_model', { allowed_models: ['openai/none'] }, 'allowed_models[0]'],
    ['key_not_found', { allowed_api_key_hashes: ['0'.repeat(64)] }, 'allowed_api_key_hashes[0]'],
    ['user_not_found', { allowed_user_ids: ['user_nobody'] }, 'allowed_user_ids[0]'],
    ['masked_credential', { key: 'sk-x...wxyz' }, 'key'],
  ])('answers 400 %s to %j and changes nothing', async (reason, json, place) => {
    const before = await providerKeyState(app);

    expectRefusal(await update(json), { status: 400, reason, paths: [place], userId: organization.userId });
    expect(await providerKeyState(app)).toEqual(before);
  });

  it('answers 400 to what would make a fallback of the only way to a provider, and 200 to both changes at once', async () => {
    expect((await update({ is_byok_only: true })).status).toBe(200);

    const refused = await update({ is_fallback: true });
    const paths = ['is_byok_only'];
    expectRefusal(refused, { status: 400, reason: 'fallback_without_shared', paths, userId: organization.userId });
    const { status, body } = await update({ is_fallback: true, is_byok_only: false });
    expect([status, body.data.is_fallback]).toEqual([200, true]);
  });

  it.each([UNKNOWN_UUID, 'no-uuid'])('answers 404 to the id %s, which no key has', async (id) => {
    const answer = await update({ key: PROVIDER_SECRET }, id);

    expectRefusal(answer, { status: 404, reason: 'provider_key_not_found', userId: organization.userId });
  });
});
