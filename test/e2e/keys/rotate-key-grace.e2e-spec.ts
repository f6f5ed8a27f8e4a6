import type { KeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { newKey } from '../../support/resources/keys.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { keyRotation } from './key-rotation.js';

describe('rotateKey', () => {
  const { app, organization, rotate, rotated, endGrace, taken } = keyRotation();

  describe('during the grace', () => {
    it('answers 200 for the old hash with the new hash in the body, and 404 after the grace', async () => {
      const before = await newKey(app, organization.managementKey);
      const after = await rotated(before.data.hash, { grace_seconds: 600 });

      const read = await app.api.get<KeyResponse>(`/keys/${before.data.hash}`, { key: organization.managementKey });
      expect(read.body).toEqual({ data: after.data });
      const changed = await app.api.patch<KeyResponse>(`/keys/${before.data.hash}`, {
        key: organization.managementKey,
        json: { name: 'Changed' },
      });
      expect(changed.body.data).toMatchObject({ hash: after.data.hash, name: 'Changed' });
      await endGrace(after.data.hash);
      for (const answer of [
        await app.api.get(`/keys/${before.data.hash}`, { key: organization.managementKey }),
        await app.api.patch(`/keys/${before.data.hash}`, { key: organization.managementKey, json: { name: 'x' } }),
        await app.api.delete(`/keys/${before.data.hash}`, { key: organization.managementKey }),
        await rotate(before.data.hash),
      ]) {
        expectRefusal(answer, { status: 404, reason: 'key_not_found', userId: organization.userId });
      }
    });

    it.each(['old', 'new'])(
      'answers 200 to the deletion by the %s hash, which invalidates both secrets',
      async (which) => {
        const before = await newKey(app, organization.managementKey);
        const after = await rotated(before.data.hash, { grace_seconds: 600 });

        const { hash } = which === 'old' ? before.data : after.data;
        const answer = await app.api.delete(`/keys/${hash}`, { key: organization.managementKey });

        expect(answer.body).toEqual({ deleted: true });
        expect(await taken(before.key, after.key)).toEqual([false, false]);
        expect((await auditEventsOf(app, after.data.hash)).map(({ action }) => action)).toEqual(['key.delete']);
      },
    );

    it('answers 401 to both secrets while the key is disabled', async () => {
      const before = await newKey(app, organization.managementKey);
      const after = await rotated(before.data.hash, { grace_seconds: 600 });

      await app.api.patch(`/keys/${after.data.hash}`, { key: organization.managementKey, json: { disabled: true } });
      expect(await taken(before.key, after.key)).toEqual([false, false]);
      expectRefusal(await app.api.get('/key', { key: before.key }), { status: 401, reason: 'credential_disabled' });
      await app.api.patch(`/keys/${after.data.hash}`, { key: organization.managementKey, json: { disabled: false } });
      expect(await taken(before.key, after.key)).toEqual([true, true]);
    });

    it('answers 200 to many requests at the same time with either secret, as one key', async () => {
      const before = await newKey(app, organization.managementKey);
      const after = await rotated(before.data.hash, { grace_seconds: 600 });
      const secrets = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? before.key : after.key));

      const answers = await Promise.all(secrets.map((secret) => app.api.get('/key', { key: secret })));

      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(answers[0]!.status).toBe(200);
    });

    it("answers 404 for another organization's key by its old hash", async () => {
      const other = await app.factory.organization();
      const before = await newKey(app, other.managementKey);
      await rotated(before.data.hash, { grace_seconds: 600 }, other.managementKey);

      for (const answer of [
        await app.api.get(`/keys/${before.data.hash}`, { key: organization.managementKey }),
        await app.api.patch(`/keys/${before.data.hash}`, { key: organization.managementKey, json: { disabled: true } }),
        await app.api.delete(`/keys/${before.data.hash}`, { key: organization.managementKey }),
        await rotate(before.data.hash),
      ]) {
        expectRefusal(answer, { status: 404, reason: 'key_not_found', userId: organization.userId });
      }
      expect(await taken(before.key)).toEqual([true]);
    });
  });
});
