import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../../support/network/api-client.js';
import { sha256 } from '../../support/resources/authorization-codes.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import type { TestApplication } from '../../support/application/test-application.js';
import { sharedReplica } from '../../support/application/shared-application.js';
import { keyDeletion } from './key-deletion.js';

const TOO_MANY = { status: 429, reason: 'key_deletion_rate_limit' };

/** Where the global setup has found or started a Redis; undefined where there is none. */
const REDIS_URL = process.env['GATEHOUSE_TEST_REDIS_URL'];

/** Counted as skipped where there is no Redis. */
const itWithRedis = REDIS_URL === undefined ? it.skip : it;

describe('deleteKeys', () => {
  const { app, organization, remove, isStored, statusWith } = keyDeletion();

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

    it('is 600 in a window by default: 404 for 600 of unknown keys, and 429 for the 601st', async () => {
      // A window that is longer than the test, however slow the machine is.
      const usual = await app.replica({ KEY_DELETION_RATE_WINDOW_S: '86400' });
      const owner = await app.factory.organization();

      const statuses: number[] = [];
      while (statuses.length < 600) {
        const some = Array.from({ length: 20 }, () => remove(owner.managementKey, 'x', usual));
        statuses.push(...(await Promise.all(some)).map(({ status }) => status));
      }
      const refused = await remove(owner.managementKey, 'x', usual);

      expect(new Set(statuses)).toEqual(new Set([404]));
      expectRefusal(refused, { ...TOO_MANY, userId: owner.userId });
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
