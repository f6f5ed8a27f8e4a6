import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { KeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import { sha256 } from '../../support/authorization-code.js';
import { expectToFitContract } from '../../support/contract.js';
import { newKey } from '../../support/key-answers.js';
import { expectRefusal } from '../../support/refusal.js';
import { TestApplication } from '../../support/test-application.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';

describe('GET /keys/{hash}', () => {
  let app: TestApplication;
  let organization: NewOrganization;
  let key: string;
  let hash: string;

  beforeAll(async () => {
    app = await TestApplication.start();
    organization = await app.factory.organization();
    key = organization.managementKey;
    hash = (await newKey(app, key)).data.hash;
  });

  afterAll(() => app.stop());

  it('answers a key as it was made, without the key itself', async () => {
    const made = await newKey(app, key, { name: 'Made', limit: 1, limit_reset: 'monthly' });

    const answer = await app.api.get<KeyResponse>(`/keys/${made.data.hash}`, { key });

    expect(answer.status).toBe(200);
    expectToFitContract('getKey', 200, answer.body);
    expect(answer.body).toEqual({ data: made.data });
    expect(answer.text).not.toContain(made.key);
  });

  it('finds management keys, the own one among them, disabled keys and expired ones', async () => {
    const disabled = await app.factory.key(organization, { name: 'Disabled' });
    await app.rows('UPDATE api_keys SET disabled = true WHERE id = $1', [disabled.id]);
    const expired = await app.factory.key(organization, { expiresAt: new Date(0) });
    const management = await app.factory.key(organization, { kind: 'management_key', name: 'Another' });

    for (const wanted of [disabled.hash, expired.hash, management.hash, sha256(key)]) {
      const answer = await app.api.get<KeyResponse>(`/keys/${wanted}`, { key });
      expect(answer.status).toBe(200);
      expectToFitContract('getKey', 200, answer.body);
      expect(answer.body.data.hash).toBe(wanted);
    }
  });

  it('says that a management key is in no workspace once there is no default one', async () => {
    const bereft = await app.factory.organization();
    const path = `/keys/${sha256(bereft.managementKey)}`;
    const workspaceId = async (): Promise<unknown> =>
      (await app.api.get<KeyResponse>(path, { key: bereft.managementKey })).body.data.workspace_id;

    expect(await workspaceId()).toBe(bereft.workspaceId);
    await app.rows('DELETE FROM workspaces WHERE id = $1', [bereft.workspaceId]);
    expect(await workspaceId()).toBeNull();
  });

  it.each([
    ['nothing', (): string => sha256('nothing')],
    ['a hash in capitals', (): string => hash.toUpperCase()],
    ['a hash that is cut off', (): string => hash.slice(1)],
    ['any text', (): string => 'x'],
    ['the key itself', (): string => key],
  ])('does not find %s', async (_, wanted) => {
    const answer = await app.api.get(`/keys/${wanted()}`, { key });

    expectRefusal(answer, { status: 404, reason: 'key_not_found', userId: organization.userId });
    expectToFitContract('getKey', 404, answer.body);
  });

  it("does not find another organization's key, as if there were none", async () => {
    const foreign = await app.factory.key(await app.factory.organization());
    const headers = { 'x-request-id': 'same' };

    const answers = [foreign.hash, sha256('nothing'), 'x'].map((wanted) =>
      app.api.get(`/keys/${wanted}`, { key, headers }),
    );

    expect(new Set((await Promise.all(answers)).map(({ text }) => text)).size).toBe(1);
  });

  describeWhoMayCall(['management_key'], () => ({
    app,
    organization,
    operationId: 'getKey',
    method: 'GET',
    path: `/keys/${hash}`,
  }));
});
