import { setTimeout as sleep } from 'node:timers/promises';
import type { ExchangeAuthCodeResponse } from '../../../src/modules/oauth/codes/authorization-code.dto.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { newCode, sha256 } from '../../support/resources/authorization-codes.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { labelOf } from '../../support/resources/keys.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { keyDeletion } from './key-deletion.js';

const NOT_FOUND = { status: 404, reason: 'key_not_found' };

describe('deleteKeys', () => {
  const { app, replica, organization, other, remove, isStored, statusWith } = keyDeletion();

  const countKeys = async (): Promise<number> => (await app.rows('SELECT id FROM api_keys')).length;

  /** Deleted: the answer says so, only its row is missing, and no replica accepts the key. */
  const expectDeleted = async (credential: string, key: IssuedCredential): Promise<void> => {
    const before = await countKeys();
    const answer = await remove(credential, key.hash);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ deleted: true });
    expectToFitContract('deleteKeys', 200, answer.body);
    expect(await isStored(key.hash)).toBe(false);
    expect(await countKeys()).toBe(before - 1);
    for (const server of [app, replica]) {
      const refused = await server.api.get('/images/models', { key: key.plaintext });
      expectRefusal(refused, { status: 401, reason: 'invalid_credential' });
    }
  };

  /** Refused with a 404, and nothing deleted. */
  const expectNotFound = async (credential: string, hash: string, userId?: string): Promise<void> => {
    const before = await countKeys();
    const answer = await remove(credential, hash);
    expectRefusal(answer, { ...NOT_FOUND, ...(userId !== undefined && { userId }) });
    expect(await countKeys()).toBe(before);
  };

  /** The answers to one request each, which differ in nothing, the id of the request included. */
  const expectSameBytes = async (credential: string, hashes: readonly string[]): Promise<void> => {
    const texts = new Set<string>();
    for (const hash of hashes) {
      const headers = { 'x-request-id': 'same' };
      const answer = await app.api.delete(`/keys/${hash}`, { key: credential, headers });
      expect(answer.status).toBe(404);
      texts.add(answer.text);
    }
    expect(texts.size).toBe(1);
  };

  describe('with a management key as credential', () => {
    it('answers 200 and deletes an API key', async () => {
      const key = await app.factory.key(organization);
      expect(await statusWith(key.plaintext)).toBe(200);

      await expectDeleted(organization.managementKey, key);
    });

    it("answers 200 for another user's key and for the key of a workspace", async () => {
      const userId = await app.factory.member(organization.organizationId);
      const workspaceId = await app.factory.workspace(organization);

      await expectDeleted(organization.managementKey, await app.factory.key(organization, { userId, workspaceId }));
    });

    it('answers 200 for the key of a client', async () => {
      const { id } = await app.factory.client(organization);

      await expectDeleted(organization.managementKey, await app.factory.key(organization, { connectClientId: id }));
    });

    it('answers 200 for another management key', async () => {
      await expectDeleted(organization.managementKey, await app.factory.key(organization, { kind: 'management_key' }));
    });

    it('answers 200 for itself, and is answered 401 from then on', async () => {
      const own = await app.factory.key(organization, { kind: 'management_key' });

      await expectDeleted(own.plaintext, own);
      expectRefusal(await remove(own.plaintext, own.hash), { status: 401, reason: 'invalid_credential' });
    });

    it('answers 200 for a disabled and an expired key', async () => {
      const disabled = await app.factory.key(organization);
      const expired = await app.factory.key(organization, { expiresAt: new Date(0) });
      await app.rows('UPDATE api_keys SET disabled = true WHERE id = $1', [disabled.id]);

      await expectDeleted(organization.managementKey, disabled);
      await expectDeleted(organization.managementKey, expired);
    });

    it('answers 200 once, and 404 afterwards', async () => {
      const key = await app.factory.key(organization);

      await expectDeleted(organization.managementKey, key);
      await expectNotFound(organization.managementKey, key.hash, organization.userId);
    });

    it('answers 404 for the key of another organization, as for a missing one', async () => {
      const foreign = await app.factory.key(other);
      const hashes = [foreign.hash, sha256(other.managementKey), sha256('nothing'), 'x', 'A'.repeat(64)];

      for (const hash of hashes) await expectNotFound(organization.managementKey, hash, organization.userId);
      await expectSameBytes(organization.managementKey, hashes);
      expect(await statusWith(foreign.plaintext)).toBe(200);
    });

    it('answers 404 for the hash of a client secret', async () => {
      const client = await app.factory.client(organization);

      await expectNotFound(organization.managementKey, client.hash, organization.userId);
      expect(await app.rows('SELECT id FROM connect_clients WHERE id = $1', [client.id])).toHaveLength(1);
    });
  });

  describe('in the audit trail', () => {
    it('records who deleted which key (200)', async () => {
      const client = await app.factory.client(organization);
      const ours = await app.factory.key(organization, { name: 'Ours' });
      const theirs = await app.factory.key(organization, { name: 'Theirs', connectClientId: client.id });

      await remove(organization.managementKey, ours.hash);
      await remove(client.plaintext, theirs.hash);

      const event = { action: 'key.delete', target_type: 'key' };
      const creation = expect.objectContaining({ action: 'key.create', actor_kind: 'command_line' }) as unknown;
      expect(await auditEventsOf(app, ours.hash)).toEqual([
        creation,
        {
          ...event,
          target_id: ours.hash,
          actor_kind: 'management_key',
          actor_id: organization.userId,
          changes: { name: { before: 'Ours' }, label: { before: labelOf(ours.plaintext) } },
        },
      ]);
      expect(await auditEventsOf(app, theirs.hash)).toEqual([
        creation,
        {
          ...event,
          target_id: theirs.hash,
          actor_kind: 'client_secret',
          actor_id: client.id,
          changes: { name: { before: 'Theirs' }, label: { before: labelOf(theirs.plaintext) } },
        },
      ]);
    });

    it('records nothing for a 404', async () => {
      const before = await app.rows('SELECT id FROM audit_events');

      await expectNotFound(organization.managementKey, sha256('nothing'), organization.userId);

      expect(await app.rows('SELECT id FROM audit_events')).toEqual(before);
    });
  });

  describe('with a client secret as credential', () => {
    it('answers 200 for a key that the client exchanged a code for', async () => {
      const client = await app.factory.client(organization);
      const code = await newCode(app, organization.managementKey);
      const { body } = await app.api.post<ExchangeAuthCodeResponse>('/auth/keys', {
        key: client.plaintext,
        json: { code },
      });

      await expectDeleted(client.plaintext, { id: '', plaintext: body.key, hash: sha256(body.key) });
    });

    it('answers 404 for a key of no client or of another one', async () => {
      const client = await app.factory.client(organization);
      const neighbour = await app.factory.client(organization);
      const keys = [
        await app.factory.key(organization),
        await app.factory.key(organization, { connectClientId: neighbour.id }),
        await app.factory.key(organization, { kind: 'management_key' }),
        await app.factory.key(other),
        await app.factory.key(other, { connectClientId: (await app.factory.client(other)).id }),
      ];
      const hashes = [
        ...keys.map(({ hash }) => hash),
        client.hash,
        sha256('nothing'),
        'x',
        keys[0]!.hash.toUpperCase(),
        keys[0]!.plaintext,
      ];

      for (const hash of hashes) await expectNotFound(client.plaintext, hash);
      await expectSameBytes(client.plaintext, hashes);
      for (const { plaintext } of keys) expect(await statusWith(plaintext)).toBe(200);
    });
  });

  it('answers 403 to an API key, also for itself', async () => {
    const key = await app.factory.key(organization);

    const answer = await remove(key.plaintext, key.hash);

    expectRefusal(answer, { status: 403, reason: 'credential_kind_not_allowed', userId: organization.userId });
    expect(await isStored(key.hash)).toBe(true);
  });

  describe('for the path', () => {
    it.each([
      ['in capitals', (hash: string) => hash.toUpperCase()],
      ['without its last digit', (hash: string) => hash.slice(0, -1)],
      ['with a digit more', (hash: string) => `${hash}0`],
      ['with a prefix', (hash: string) => `0x${hash}`],
      ['with a space', (hash: string) => `${hash}%20`],
      ['with a line break', (hash: string) => `${hash}%0A`],
      ['with a letter beyond f', (hash: string) => `g${hash.slice(1)}`],
      ['of other characters', () => encodeURIComponent("' OR '1'='1")],
      ['of very many digits', (hash: string) => hash.repeat(100)],
      ['that is the id', (_hash: string, id: string) => id],
      ['that is the key', (_hash: string, _id: string, plaintext: string) => plaintext],
    ])('answers 404 for a hash %s', async (_, spell) => {
      const { hash, id, plaintext } = await app.factory.key(organization);

      await expectNotFound(organization.managementKey, spell(hash, id, plaintext), organization.userId);
      expect(await isStored(hash)).toBe(true);
    });

    it.each([
      ['%00', { status: 400, reason: 'invalid_parameters', paths: ['hash'] }],
      ['%ff', { status: 400, reason: 'malformed_url', paths: ['hash'] }],
      ['x?force=true', { status: 400, reason: 'invalid_parameters', paths: ['force'] }],
    ])('answers 400 for %s', async (path, refusal) => {
      const answer = await remove(organization.managementKey, path);

      expectRefusal(answer, { ...refusal, userId: organization.userId });
    });

    it('answers 404 for an empty hash', async () => {
      expectRefusal(await remove(organization.managementKey, ''), { status: 404, reason: 'route_not_found' });
    });
  });

  describe('at the same time', () => {
    it('as other deletions of the key answers 200 to one and 404 to the others', async () => {
      const key = await app.factory.key(organization);

      const answers = await Promise.all(
        [app, replica, app, replica].map((server) => remove(organization.managementKey, key.hash, server)),
      );

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    });

    it('as the key is in use on another replica answers 200, and every later use of the key is answered 401', async () => {
      const key = await app.factory.key(organization);
      let isDeleted = false;
      let accepted = 0;
      let acceptedAfterwards = 0;
      let refusedAfterwards = 0;
      const use = async (): Promise<void> => {
        while (refusedAfterwards < 100) {
          const isSentAfterwards = isDeleted;
          const status = await statusWith(key.plaintext);
          if (status === 200) accepted += 1;
          if (isSentAfterwards && status === 200) acceptedAfterwards += 1;
          if (isSentAfterwards && status === 401) refusedAfterwards += 1;
        }
      };

      const users = Array.from({ length: 4 }, use);
      while (accepted < 50) await sleep(1);
      const answer = await remove(organization.managementKey, key.hash);
      isDeleted = true;
      await Promise.all(users);

      expect(answer.status).toBe(200);
      expect(acceptedAfterwards).toBe(0);
    });

    it('as a replay of the code that the key came from answers 200, and 403 to the replay', async () => {
      const code = await newCode(app, organization.managementKey);
      const exchange = (): Promise<Answer<ExchangeAuthCodeResponse>> =>
        replica.api.post('/auth/keys', { key: organization.managementKey, json: { code } });
      const { key } = (await exchange()).body;
      const release = await lockRows(app, 'SELECT id FROM api_keys WHERE hash = $1 FOR UPDATE', [
        Buffer.from(sha256(key), 'hex'),
      ]);

      const deletion = remove(organization.managementKey, sha256(key));
      await untilWaitingForLock(app, 1);
      const replay = exchange();
      await untilWaitingForLock(app, 2);
      await release();

      expect([(await deletion).status, (await replay).status]).toEqual([200, 403]);
      expect(await isStored(sha256(key))).toBe(false);
    });
  });
});
