import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExchangeAuthCodeResponse } from '../../../src/modules/keys/oauth/authorization-code.dto.js';
import type { Issued } from '../../../src/modules/keys/keys.service.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { newCode, sha256 } from '../../support/resources/authorization-codes.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { labelOf } from '../../support/resources/keys.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import type { TestApplication } from '../../support/application/test-application.js';
import { sharedApplication, sharedReplica } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const NOT_FOUND = { status: 404, reason: 'key_not_found' };

const TOO_MANY = { status: 429, reason: 'key_deletion_rate_limit' };

/** Where the global setup has found or started a Redis; undefined where there is none. */
const REDIS_URL = process.env['GATEHOUSE_TEST_REDIS_URL'];

/** Counted as skipped where there is no Redis. */
const itWithRedis = REDIS_URL === undefined ? it.skip : it;

/** The limit has tests of its own. */
const UNLIMITED = { KEY_DELETION_RATE_LIMIT: '1000000' };

describe('deleteKeys', () => {
  const app = sharedApplication({ variables: UNLIMITED });
  const replica = sharedReplica(app, UNLIMITED);
  const organization = sharedOrganization(app);
  const other = sharedOrganization(app);

  const remove = (key: string, hash: string, { api } = app): Promise<Answer> => api.delete(`/keys/${hash}`, { key });

  const isStored = async (hash: string): Promise<boolean> =>
    (await app.rows('SELECT id FROM api_keys WHERE hash = $1', [Buffer.from(hash, 'hex')])).length === 1;

  const countKeys = async (): Promise<number> => (await app.rows('SELECT id FROM api_keys')).length;

  const statusWith = async (key: string, { api } = replica): Promise<number> =>
    (await api.get('/images/models', { key })).status;

  /** Deleted: the answer says so, only its row is missing, and no replica accepts the key. */
  const expectDeleted = async (credential: string, key: Issued): Promise<void> => {
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

  describe('the rate limit of deletions', () => {
    const limited = sharedReplica(app, { KEY_DELETION_RATE_LIMIT: '2' });

    const expectTooMany = (answer: Answer, userId?: string): void => {
      expectRefusal(answer, { ...TOO_MANY, ...(userId !== undefined && { userId }) });
      expectToFitContract('deleteKeys', 429, answer.body);
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    };

    it('answers 429 with Retry-After to one request too many, which deletes nothing', async () => {
      const owner = await app.factory.organization();
      const keys = await Promise.all([1, 2, 3].map(() => app.factory.key(owner)));

      const answers: Answer[] = [];
      for (const { hash } of keys) answers.push(await remove(owner.managementKey, hash, limited));

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
      expectTooMany(answers[2]!, owner.userId);
      expect(await isStored(keys[2]!.hash)).toBe(true);
      expect(await statusWith(keys[2]!.plaintext, limited)).toBe(200);
      expectTooMany(await remove(owner.managementKey, keys[2]!.hash, limited), owner.userId);
    });

    it('counts every request, also those answered 404, so that hashes cannot be guessed: 429', async () => {
      const owner = await app.factory.organization();
      const statuses: number[] = [];

      for (const hash of ['x', sha256('nothing'), sha256('nothing')]) {
        statuses.push((await remove(owner.managementKey, hash, limited)).status);
      }

      expect(statuses).toEqual([404, 404, 429]);
    });

    it('counts each credential separately: 404 for the first requests of each and 429 for the next', async () => {
      const owner = await app.factory.organization();
      const second = await app.factory.key(owner, { kind: 'management_key' });
      const clients = [await app.factory.client(owner), await app.factory.client(owner)];
      for (let attempt = 0; attempt < 3; attempt += 1) await remove(owner.managementKey, 'x', limited);

      const statuses: number[] = [];
      for (const { plaintext } of [second, ...clients]) {
        for (let attempt = 0; attempt < 3; attempt += 1) {
          statuses.push((await remove(plaintext, 'x', limited)).status);
        }
      }

      expect(statuses).toEqual([404, 404, 429, 404, 404, 429, 404, 404, 429]);
      expectTooMany(await remove(clients[0]!.plaintext, 'x', limited));
      expectTooMany(await remove(owner.managementKey, 'x', limited), owner.userId);
    });

    it('holds for requests at the same time: 429 beyond it', async () => {
      const owner = await app.factory.organization();
      const keys = await Promise.all(Array.from({ length: 10 }, () => app.factory.key(owner)));

      const answers = await Promise.all(keys.map(({ hash }) => remove(owner.managementKey, hash, limited)));

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(8);
    });

    it('does not count requests that are answered 403', async () => {
      const owner = await app.factory.organization();
      const key = await app.factory.key(owner);

      const answers = await Promise.all(Array.from({ length: 5 }, () => remove(key.plaintext, key.hash, limited)));

      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
    });

    it('ends after the seconds of Retry-After: 429, then 404', async () => {
      const variables = { KEY_DELETION_RATE_LIMIT: '1', KEY_DELETION_RATE_WINDOW_S: '5' };
      const brief = await app.replica(variables);
      const owner = await app.factory.organization();
      const key = await app.factory.key(owner);
      await remove(owner.managementKey, 'x', brief);
      const refused = await remove(owner.managementKey, key.hash, brief);

      await sleep(Number(refused.headers.get('retry-after')) * 1000);
      const answer = await remove(owner.managementKey, key.hash, brief);

      expect([refused.status, answer.status]).toEqual([429, 200]);
      expect(refused.headers.get('retry-after')).toMatch(/^[1-5]$/);
    });

    it('is 60 in 60 seconds by default: 429 for the 61st', async () => {
      const usual = await app.replica();
      const owner = await app.factory.organization();

      const statuses: number[] = [];
      for (let attempt = 0; attempt < 61; attempt += 1)
        statuses.push((await remove(owner.managementKey, 'x', usual)).status);
      const refused = await remove(owner.managementKey, 'x', usual);

      expect(statuses).toEqual([...Array.from({ length: 60 }, () => 404), 429]);
      expectTooMany(refused, owner.userId);
    });
  });

  describe('the rate limit of deletions in Redis', () => {
    let redis: Redis;

    beforeAll(() => {
      redis = new Redis(REDIS_URL ?? '', { lazyConnect: true });
    });

    afterAll(() => redis.disconnect());

    /** Until the connection stands, attempts are counted in memory. */
    const startCountingInRedis = async (): Promise<TestApplication> => {
      const server = await app.replica({ REDIS_URL: REDIS_URL!, KEY_DELETION_RATE_LIMIT: '2' });
      for (;;) {
        const client = await app.factory.client(organization);
        await remove(client.plaintext, 'x', server);
        if ((await redis.keys(`*${client.id}*`)).length > 0) return server;
      }
    };

    itWithRedis('is shared by all replicas: 429 on each', async () => {
      const [one, another] = [await startCountingInRedis(), await startCountingInRedis()];
      const owner = await app.factory.organization();
      const keys = await Promise.all([1, 2, 3, 4].map(() => app.factory.key(owner)));

      const statuses: number[] = [];
      for (const [index, { hash }] of keys.entries()) {
        const answer = await remove(owner.managementKey, hash, index % 2 === 0 ? one : another);
        statuses.push(answer.status);
        if (answer.status === 429) {
          expectRefusal(answer, { ...TOO_MANY, userId: owner.userId });
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
          expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
        }
      }

      expect(statuses).toEqual([200, 200, 429, 429]);
      expect(await Promise.all(keys.map(({ hash }) => isStored(hash)))).toEqual([false, false, true, true]);
    });

    itWithRedis('answers 429 on a replica that starts later, and stores no credential', async () => {
      const owner = await app.factory.organization();
      const first = await startCountingInRedis();
      for (let attempt = 0; attempt < 2; attempt += 1) await remove(owner.managementKey, 'x', first);

      const later = await startCountingInRedis();

      expect((await remove(owner.managementKey, 'x', later)).status).toBe(429);
      const [row] = await app.rows<{ id: string }>('SELECT id FROM api_keys WHERE hash = $1', [
        Buffer.from(sha256(owner.managementKey), 'hex'),
      ]);
      expect(await redis.keys(`*${row!.id}*`)).toHaveLength(1);
      expect(await redis.keys(`*${owner.managementKey}*`)).toHaveLength(0);
      expect(await redis.keys(`*${sha256(owner.managementKey)}*`)).toHaveLength(0);
    });

    it('is counted in memory while Redis does not answer (429 beyond it), with a log line without the password', async () => {
      const server = await app.replica({ REDIS_URL: 'redis://:swordfish@127.0.0.1:1', KEY_DELETION_RATE_LIMIT: '2' });
      const owner = await app.factory.organization();
      const keys = await Promise.all([1, 2, 3].map(() => app.factory.key(owner)));

      const statuses: number[] = [];
      for (const { hash } of keys) statuses.push((await remove(owner.managementKey, hash, server)).status);

      expect(statuses).toEqual([200, 200, 429]);
      while (!server.logLines.some((line) => line.includes('Redis is unreachable'))) await sleep(5);
      expect(server.logLines.join('')).not.toContain('swordfish');
    });
  });
});
