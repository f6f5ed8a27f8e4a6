import type { ListKeysResponse } from '../../../src/modules/keys/dto/key.dto.js';
import { CALLBACK_URL, newCode, sha256 } from '../../support/resources/authorization-codes.js';
import { newClient } from '../../support/resources/connect-clients.js';
import { newKey } from '../../support/resources/keys.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { moveReplicaClock, restoreReplicaClock, trueTime } from '../../support/time/replica-clock.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('a replica whose clock differs from the clock of the database', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  afterEach(restoreReplicaClock);

  const exchange = (code: string): Promise<{ status: number }> =>
    app.api.post('/auth/keys', { key: organization.managementKey, json: { code } });

  it.each([DAY_MS, -DAY_MS])(
    '%s ms away creates codes (200) that expire after ten minutes of the database clock',
    async (byMs) => {
      moveReplicaClock(byMs);
      const code = await newCode(app, organization.managementKey);
      const [row] = await app.rows<{ age: boolean; lifetime: string }>(
        `SELECT abs(extract(epoch FROM now() - created_at)) < 3600 AS age, (expires_at - created_at)::text AS lifetime
       FROM authorization_codes WHERE code_hash = $1`,
        [Buffer.from(sha256(code), 'hex')],
      );

      expect(row).toEqual({ age: true, lifetime: '00:10:00' });
      expect((await exchange(code)).status).toBe(200);
    },
  );

  it('a day behind answers 403 to a code that has expired', async () => {
    const code = await newCode(app, organization.managementKey);
    await app.rows('UPDATE authorization_codes SET expires_at = now() WHERE code_hash = $1', [
      Buffer.from(sha256(code), 'hex'),
    ]);

    moveReplicaClock(-DAY_MS);
    const answer = await app.api.post('/auth/keys', { key: organization.managementKey, json: { code } });

    expectRefusal(answer, { status: 403, reason: 'authorization_code_expired', userId: organization.userId });
  });

  it('a day behind answers 400 for keys and codes that expired an hour ago', async () => {
    const expires_at = new Date(Date.now() - DAY_MS / 24).toISOString();
    const refusal = { status: 400, reason: 'invalid_parameters', paths: ['expires_at'], userId: organization.userId };

    moveReplicaClock(-DAY_MS);

    expectRefusal(
      await app.api.post('/keys', { key: organization.managementKey, json: { name: 'Expired', expires_at } }),
      refusal,
    );
    const json = { callback_url: CALLBACK_URL, expires_at };
    expectRefusal(await app.api.post('/auth/keys/code', { key: organization.managementKey, json }), refusal);
  });

  it('a day ahead answers 201 for an expiry in an hour', async () => {
    const expires_at = new Date(Date.now() + DAY_MS / 24).toISOString();

    moveReplicaClock(DAY_MS);

    expect((await newKey(app, organization.managementKey, { expires_at })).data.expires_at).toBe(expires_at);
  });

  it('a day behind skips no key (200) when the list is read page by page', async () => {
    const other = await app.factory.organization();
    const names = async (offset: number): Promise<string[]> => {
      const answer = await app.api.get<ListKeysResponse>(`/keys?limit=2&offset=${offset}`, {
        key: other.managementKey,
      });
      return answer.body.data.map(({ name }) => name);
    };
    for (const name of ['1', '2', '3']) await newKey(app, other.managementKey, { name });
    const first = await names(0);

    moveReplicaClock(-DAY_MS);
    const { data } = await newKey(app, other.managementKey, { name: '4' });

    expect([...first, ...(await names(2))]).toEqual(['1', '2', '3', '4']);
    const client = await newClient(app, other.managementKey, 'client');
    expect(Math.abs(Date.parse(client.data.created_at) - trueTime())).toBeLessThan(DAY_MS / 2);
    expect(Math.abs(Date.parse(data.created_at) - trueTime())).toBeLessThan(DAY_MS / 2);
  });
});
