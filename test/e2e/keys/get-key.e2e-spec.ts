import { sharedApplication } from '../../support/application/shared-application.js';
import type { KeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import { sha256 } from '../../support/resources/authorization-codes.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { newKey } from '../../support/resources/keys.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

describe('getKey', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);
  let hash: string;

  beforeAll(async () => {
    hash = (await newKey(app, organization.managementKey)).data.hash;
  });

  it('answers 200 with a key as it was created, without the secret', async () => {
    const made = await newKey(app, organization.managementKey, { name: 'Made', limit: 1, limit_reset: 'monthly' });

    const answer = await app.api.get<KeyResponse>(`/keys/${made.data.hash}`, { key: organization.managementKey });

    expect(answer.status).toBe(200);
    expectToFitContract('getKey', 200, answer.body);
    expect(answer.body).toEqual({ data: made.data });
    expect(answer.text).not.toContain(made.key);
  });

  it('answers 200 for management keys, also the one of the request, and for disabled and expired keys', async () => {
    const disabled = await app.factory.key(organization, { name: 'Disabled' });
    await app.rows('UPDATE api_keys SET disabled = true WHERE id = $1', [disabled.id]);
    const expired = await app.factory.key(organization, { expiresAt: new Date(0) });
    const management = await app.factory.key(organization, { kind: 'management_key', name: 'Another' });

    for (const wanted of [disabled.hash, expired.hash, management.hash, sha256(organization.managementKey)]) {
      const answer = await app.api.get<KeyResponse>(`/keys/${wanted}`, { key: organization.managementKey });
      expect(answer.status).toBe(200);
      expectToFitContract('getKey', 200, answer.body);
      expect(answer.body.data.hash).toBe(wanted);
    }
  });

  it('answers 200 with no workspace for a management key once the default workspace is deleted', async () => {
    const bereft = await app.factory.organization();
    const path = `/keys/${sha256(bereft.managementKey)}`;
    const workspaceId = async (): Promise<unknown> =>
      (await app.api.get<KeyResponse>(path, { key: bereft.managementKey })).body.data.workspace_id;

    expect(await workspaceId()).toBe(bereft.workspaceId);
    await app.rows('DELETE FROM workspaces WHERE id = $1', [bereft.workspaceId]);
    expect(await workspaceId()).toBe('');
  });

  it.each([
    ['nothing', (): string => sha256('nothing')],
    ['a hash in capitals', (): string => hash.toUpperCase()],
    ['a hash that is cut off', (): string => hash.slice(1)],
    ['any text', (): string => 'x'],
    ['the key itself', (): string => organization.managementKey],
  ])('answers 404 for %s', async (_, wanted) => {
    const answer = await app.api.get(`/keys/${wanted()}`, { key: organization.managementKey });

    expectRefusal(answer, { status: 404, reason: 'key_not_found', userId: organization.userId });
    expectToFitContract('getKey', 404, answer.body);
  });

  it("answers 404 with the same body for another organization's key and for a missing one", async () => {
    const foreign = await app.factory.key(await app.factory.organization());
    const headers = { 'x-request-id': 'same' };

    const answers = [foreign.hash, sha256('nothing'), 'x'].map((wanted) =>
      app.api.get(`/keys/${wanted}`, { key: organization.managementKey, headers }),
    );

    expect(new Set((await Promise.all(answers)).map(({ text }) => text)).size).toBe(1);
  });
});
