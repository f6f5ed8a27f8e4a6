import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { CreateAuthKeysCodeResponse } from '../../../src/modules/oauth/codes/authorization-code.dto.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { CALLBACK_URL, newCode, sha256 } from '../../support/resources/authorization-codes.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { TIMESTAMP, UUID_V7 } from '../../support/expectations/formats.js';
import { authCodeCreation, CHALLENGE, ASTRAL } from '../oauth/auth-code-creation.js';

describe('createAuthKeysCode', () => {
  const { app, organization, post, row } = authCodeCreation();

  it('answers 200 and records the creation, without the code and its challenge', async () => {
    const fields = { code_challenge: CHALLENGE, code_challenge_method: 'S256', key_label: 'Label', limit: 5 };
    const code = await newCode(app, organization.managementKey, fields);

    const events = await auditEventsOf(app, (await row(code))['id'] as string);
    expect(events).toEqual([
      {
        action: 'authorization_code.create',
        target_type: 'authorization_code',
        target_id: expect.any(String) as unknown,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: {
          callback_url: { after: CALLBACK_URL },
          code_challenge_method: { after: 'S256' },
          user_id: { after: organization.userId },
          key_label: { after: 'Label' },
          limit: { after: 5 },
        },
      },
    ]);
  });

  describe('the created code', () => {
    it('is answered 200 for a callback URL alone', async () => {
      const before = Date.now();
      const { status, body } = await post({});
      const after = Date.now();

      expect(status).toBe(200);
      expectToFitContract('createAuthKeysCode', status, body);
      expect(body).toEqual({
        data: {
          id: expect.stringMatching(/^ac-gate-v2-[0-9A-Za-z]{22}-[0-9a-f]{72}$/) as unknown,
          app_id: expect.any(Number) as unknown,
          created_at: expect.stringMatching(TIMESTAMP) as unknown,
        },
      });
      const createdAt = new Date(body.data.created_at);
      expect(createdAt.getTime()).toBeGreaterThanOrEqual(before);
      expect(createdAt.getTime()).toBeLessThanOrEqual(after);
      const { id, ...rest } = await row(body.data.id);
      expect(id).toMatch(UUID_V7);
      expect(rest).toEqual({
        code_hash: Buffer.from(sha256(body.data.id), 'hex'),
        organization_id: organization.organizationId,
        user_id: organization.userId,
        application_id: expect.stringMatching(/^[0-9]+$/) as unknown,
        connect_client_id: null,
        callback_url: CALLBACK_URL,
        code_challenge: null,
        code_challenge_method: null,
        workspace_id: null,
        key_label: null,
        key_limit_usd: null,
        key_limit_reset: null,
        key_expires_at: null,
        spawn_agent: null,
        spawn_cloud: null,
        expires_at: new Date(createdAt.getTime() + 10 * 60 * 1000),
        used_at: null,
        issued_key_id: null,
        created_at: createdAt,
      });
    });

    it('stores (200) the settings of the key', async () => {
      const userId = await app.factory.member(organization.organizationId);
      const workspaceId = await app.factory.workspace(organization);

      const code = await newCode(app, organization.managementKey, {
        user_id: userId,
        workspace_id: workspaceId.toUpperCase(),
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
        key_label: ASTRAL.repeat(100),
        limit: 12.5,
        usage_limit_type: 'weekly',
        expires_at: '2099-01-01T01:00:00.123+01:00',
        spawn_agent: 'agent',
        spawn_cloud: 'cloud',
      });

      expect(await row(code)).toMatchObject({
        user_id: userId,
        workspace_id: workspaceId,
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
        key_label: ASTRAL.repeat(100),
        key_limit_usd: 12.5,
        key_limit_reset: 'weekly',
        key_expires_at: new Date('2099-01-01T00:00:00.123Z'),
        spawn_agent: 'agent',
        spawn_cloud: 'cloud',
      });
    });

    it('is for the user of the management key (200), unless the request names another one', async () => {
      const userId = await app.factory.member(organization.organizationId, 'admin');
      const { plaintext } = await app.factory.key(organization, { kind: 'management_key', userId });

      expect(await row(await newCode(app, plaintext))).toMatchObject({ user_id: userId });
      expect(await row(await newCode(app, plaintext, { user_id: organization.userId }))).toMatchObject({
        user_id: organization.userId,
      });
    });

    it('is a new one (200) with every request', async () => {
      const codes = await Promise.all(Array.from({ length: 20 }, () => newCode(app, organization.managementKey)));

      expect(new Set(codes).size).toBe(20);
    });

    it('belongs to the application with the origin of the callback URL (200)', async () => {
      const idOf = async (url: string, managementKey = organization.managementKey): Promise<number> => {
        const json = { callback_url: url };
        const { body } = await app.api.post<CreateAuthKeysCodeResponse>('/auth/keys/code', {
          key: managementKey,
          json,
        });
        return body.data.app_id;
      };
      const other = await app.factory.organization();
      const first = await idOf('https://one.example.com/a');

      expect(await idOf('https://one.example.com:443/b?c=d')).toBe(first);
      expect(await idOf('https://one.example.com:8443/a')).not.toBe(first);
      expect(await idOf('https://two.example.com/a')).not.toBe(first);
      expect(await idOf('https://one.example.com/a', other.managementKey)).toBe(1);
      expect(
        await app.rows(
          `SELECT organization_id FROM oauth_applications WHERE origin = 'https://one.example.com' ORDER BY id`,
        ),
      ).toEqual([{ organization_id: organization.organizationId }, { organization_id: other.organizationId }]);
    });

    it('numbers applications from 1 in each organization, and uses up no number or id for a known one (200)', async () => {
      const one = await app.factory.organization();
      const other = await app.factory.organization();
      const numberOf = async ({ managementKey }: NewOrganization, host: string): Promise<number> => {
        const json = { callback_url: `https://${host}.example.com/` };
        const options = { key: managementKey, json };
        return (await app.api.post<CreateAuthKeysCodeResponse>('/auth/keys/code', options)).body.data.app_id;
      };
      const sequence = (): Promise<unknown> =>
        app.rows(`SELECT last_value FROM pg_sequences WHERE sequencename = 'oauth_applications_id_seq'`);

      expect(await numberOf(one, 'a')).toBe(1);
      expect(await numberOf(other, 'a')).toBe(1);
      const before = await sequence();
      for (let count = 0; count < 5; count += 1) expect(await numberOf(other, 'a')).toBe(1);
      expect(await sequence()).toEqual(before);
      expect(await numberOf(one, 'b')).toBe(2);
    });

    it('numbers each of many new applications that come at the same time (200)', async () => {
      const { managementKey } = await app.factory.organization();
      const hosts = ['a', 'b', 'c', 'd', 'e', 'f'];

      const answers = await Promise.all(
        hosts.map((host) =>
          app.api.post<CreateAuthKeysCodeResponse>('/auth/keys/code', {
            key: managementKey,
            json: { callback_url: `https://${host}.crowd.example.com/` },
          }),
        ),
      );

      expect(answers.map(({ body }) => body.data.app_id).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    });

    it('is answered 200 when more ids are used up than 32 bits can count', async () => {
      await app.rows(`SELECT setval('oauth_applications_id_seq', 2147483647)`);

      expect((await post({ callback_url: 'https://beyond.example.com/' })).status).toBe(200);
    });

    it('belongs to one application when many codes for a new one are requested at the same time (200)', async () => {
      const fields = { callback_url: 'https://crowded.example.com/' };

      const answers = await Promise.all(Array.from({ length: 10 }, () => post(fields)));

      expect(new Set(answers.map(({ body }) => body.data.app_id)).size).toBe(1);
    });

    it('deletes codes that expired 30 days ago, and no others (200)', async () => {
      const [old, recent, live] = [
        await newCode(app, organization.managementKey),
        await newCode(app, organization.managementKey),
        await newCode(app, organization.managementKey),
      ];
      const age = (code: string, interval: string): Promise<unknown> =>
        app.rows(`UPDATE authorization_codes SET expires_at = now() - $2::interval WHERE code_hash = $1`, [
          Buffer.from(sha256(code), 'hex'),
          interval,
        ]);
      await age(old, '30 days 1 minute');
      await age(recent, '29 days 23 hours');

      await newCode(app, organization.managementKey);

      await expect(row(old)).rejects.toThrow();
      await row(recent);
      await row(live);
    });
  });
});
