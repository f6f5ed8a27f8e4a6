import { Redis } from 'ioredis';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import type { TestApplication } from '../../../support/application/test-application.js';
import { expectToFitContract } from '../../../support/contract/contract-answers.js';
import type { Answer } from '../../../support/network/api-client.js';
import { CHAT, type TestGateway, QUESTION } from '../test-gateway.js';
import { sharedReplica } from '../../../support/application/shared-application.js';
import { organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

const REDIS_URL = process.env['GATEHOUSE_TEST_REDIS_URL'];

/** What the question is expected to have, and what Alpha says that it has used: 10 tokens of the prompt and 5 of the answer. */
const EXPECTED = 3;

const USED = 15;

/** What a refusal says, as far as tests look into it. */
interface Refused {
  readonly error: { readonly message: string; readonly metadata: Readonly<Record<string, unknown>> };
}

/** Where replicas count together, and how what they have counted gets older without waiting. */
interface Place {
  readonly name: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly age: (gateway: TestGateway) => Promise<void>;
}

const IN_POSTGRESQL: Place = {
  name: 'in PostgreSQL',
  variables: {},
  // The places of the seconds are their remainders by 61.
  age: async ({ app }) => {
    await app.rows('UPDATE rate_uses SET latest_second = latest_second - 61');
  },
};

const IN_REDIS: Place = {
  name: 'in Redis',
  variables: { REDIS_URL: REDIS_URL ?? '' },
  age: async () => {
    const redis = new Redis(REDIS_URL!);
    for (const key of await redis.keys('gatehouse:rates:*')) {
      const fields = Object.entries(await redis.hgetall(key));
      await redis.del(key);
      for (const [field, amount] of fields) await redis.hset(key, `${field[0]}${Number(field.slice(1)) - 61}`, amount);
    }
    redis.disconnect();
  },
};

describe.each(REDIS_URL === undefined ? [IN_POSTGRESQL] : [IN_POSTGRESQL, IN_REDIS])(
  'limits per minute, counted $name',
  ({ variables, age }) => {
    const gateway = sharedGateway({ variables });
    const replica = sharedReplica(gateway, variables);
    const organization = organizationPerTest(gateway);

    const keyWith = (
      requestsPerMinute: number | null,
      tokensPerMinute: number | null = null,
    ): Promise<IssuedCredential> => gateway.app.factory.key(organization, { requestsPerMinute, tokensPerMinute });

    const setLimits = async (path: string, limits: object | null): Promise<void> => {
      const json = { rate_limits: limits };
      const { status } = await gateway.app.api.patch(path, { key: organization.managementKey, json });
      expect({ path, status }).toEqual({ path, status: 200 });
    };

    const limitWorkspace = (limits: object | null): Promise<void> =>
      setLimits(`/workspaces/${organization.workspaceId}`, limits);

    const askOf = (app: TestApplication, { plaintext }: IssuedCredential, fields = {}): Promise<Answer> =>
      app.api.post(CHAT, { key: plaintext, json: { model: 'acme/writer', messages: QUESTION, ...fields } });

    const ask = (key: IssuedCredential, fields = {}): Promise<Answer> =>
      askOf(gateway.app, key, { provider: { order: ['alpha'] }, ...fields });

    const shown = ({ headers }: Pick<Answer, 'headers'>, kind: string): (string | null)[] =>
      ['limit', 'remaining', 'reset'].map((what) => headers.get(`x-ratelimit-${what}-${kind}`));

    const anyReset = expect.stringMatching(/^(\d+s|1m[01]s)$/) as unknown;

    it('answer 200 while there is room and then 429, with headers on every answer, a record and nothing sent', async () => {
      const key = await keyWith(2);
      const first = await ask(key);
      const second = await ask(key);
      gateway.alpha.received.length = 0;
      const refused = await ask(key);

      expect([first.status, second.status, refused.status]).toEqual([200, 200, 429]);
      expect(shown(first, 'requests')).toEqual(['2', '1', '1m1s']);
      expect(shown(second, 'requests')).toEqual(['2', '0', anyReset]);
      expect(shown(refused, 'requests')).toEqual(['2', '0', anyReset]);
      expect(shown(refused, 'tokens')).toEqual([null, null, null]);
      expect(gateway.alpha.received).toEqual([]);
      expectToFitContract('sendChatCompletionRequest', 429, refused.body);
      const retryAfter = refused.headers.get('retry-after');
      expect(Number(retryAfter)).toBeGreaterThan(0);
      expect(Number(retryAfter)).toBeLessThanOrEqual(61);
      expect((refused.body as Refused).error).toEqual({
        code: 429,
        type: 'rate_limit_error',
        param: null,
        message: `Key rate limit of 2 requests per minute exceeded. Try again in ${retryAfter} s.`,
        metadata: {
          reason: 'key_rate_limit_exceeded',
          error_type: 'rate_limit_exceeded',
          limit_name: 'requests_per_minute',
          limit: 2,
          used: 2,
          requested: 1,
        },
      });
      const { refusal, status, total_cost: cost } = await gateway.record(refused, key);
      expect({ refusal, status, cost }).toEqual({ refusal: 'key_rate_limit_exceeded', status: 429, cost: 0 });
    });

    it('answer 200 to other keys and organizations, and without headers where nothing is limited', async () => {
      const key = await keyWith(1);
      expect((await ask(key)).status).toBe(200);
      expect((await ask(key)).status).toBe(429);

      const sister = await ask(await keyWith(null));
      expect([sister.status, shown(sister, 'requests')]).toEqual([200, [null, null, null]]);
      const other = await gateway.app.factory.organization();
      expect((await ask(await gateway.app.factory.key(other, { requestsPerMinute: 1 }))).status).toBe(200);
      expect(
        await gateway.app.rows('SELECT FROM rate_uses WHERE organization_id = $1', [other.organizationId]),
      ).toHaveLength('REDIS_URL' in variables ? 0 : 1);
    });

    it('of a workspace are those of all its keys together: 429 for whichever asks', async () => {
      await limitWorkspace({ requests_per_minute: 3 });
      const keys = [await keyWith(null), await keyWith(null)];
      for (const key of [...keys, keys[0]!]) expect((await ask(key)).status).toBe(200);
      const refused = await ask(keys[1]!);

      expect(refused.status).toBe(429);
      expect((refused.body as Refused).error).toMatchObject({
        message: expect.stringMatching(/^Workspace rate limit of 3 requests per minute exceeded\. /) as string,
        metadata: { reason: 'workspace_rate_limit_exceeded' },
      });
      const elsewhere = await gateway.app.factory.workspace(organization);
      expect((await ask(await gateway.app.factory.key(organization, { workspaceId: elsewhere }))).status).toBe(200);
    });

    it('of key and workspace show the tighter, and a 429 of one uses nothing of the other', async () => {
      await limitWorkspace({ requests_per_minute: 3 });
      const [key, sister] = [await keyWith(1), await keyWith(100)];
      expect(shown(await ask(key), 'requests').slice(0, 2)).toEqual(['1', '0']);
      for (let again = 0; again < 5; again += 1) expect((await ask(key)).status).toBe(429);

      const answer = await ask(sister);
      expect([answer.status, ...shown(answer, 'requests').slice(0, 2)]).toEqual([200, '3', '1']);
    });

    it('admit exactly the limit of what comes to two replicas at once: 200 as often, and 429', async () => {
      const [limited, free] = [await keyWith(7), await keyWith(null)];
      const statusesOf = async (key: IssuedCredential): Promise<number[]> => {
        const apps = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? gateway.app : replica));
        const answers = await Promise.all(apps.map((app) => askOf(app, key)));
        return [200, 429].map((status) => answers.filter((answer) => answer.status === status).length);
      };
      expect(await statusesOf(limited)).toEqual([7, 53]);
      await limitWorkspace({ requests_per_minute: 11 });
      // The limit of the workspace was not there yet when the other key was asked.
      expect(await statusesOf(free)).toEqual([11, 49]);
    });

    it('answer 200 again once the minute is over', async () => {
      const key = await keyWith(1, 1_000);
      expect((await ask(key)).status).toBe(200);
      expect((await ask(key)).status).toBe(429);
      await age(gateway);
      const answer = await ask(key);
      expect([answer.status, ...shown(answer, 'tokens').slice(0, 2)]).toEqual([200, '1000', String(1_000 - EXPECTED)]);
    });

    it('count the tokens that a request was expected to have, and then those that it has used: 200 and 429', async () => {
      const key = await keyWith(null, 2 * USED);
      const remaining: (string | null)[] = [];
      for (let request = 0; request < 2; request += 1) {
        const answer = await ask(key);
        expect(answer.status).toBe(200);
        remaining.push(shown(answer, 'tokens')[1]!);
      }
      expect(remaining).toEqual([String(2 * USED - EXPECTED), String(USED - EXPECTED)]);
      const refused = await ask(key);
      expect(refused.status).toBe(429);
      expect(shown(refused, 'tokens').slice(0, 2)).toEqual([String(2 * USED), '0']);
      expect((refused.body as Refused).error.metadata).toMatchObject({
        limit_name: 'tokens_per_minute',
        used: 2 * USED,
        requested: EXPECTED,
      });
    });

    it('give the tokens back that a request was expected to have and has not used: 400, 503 and 200', async () => {
      const long = [{ role: 'user', content: 'x'.repeat(400) }];
      const key = await keyWith(null, 100 + USED);
      expect((await ask(key, { messages: long, model: 'acme/unknown' })).status).toBe(400);
      for (const provider of [gateway.alpha, gateway.beta]) provider.answerJson({}, 500);
      expect((await ask(key, { messages: long })).status).toBe(503);
      gateway.reset();
      const answer = await ask(key, { messages: long });
      expect([answer.status, shown(answer, 'tokens')[1]]).toEqual([200, String(USED)]);
      expect(shown(await ask(key), 'tokens')[1]).toBe(String(100 - EXPECTED));
    });

    it('say in the 429 of a request that alone has more tokens than the limit that it does', async () => {
      const refused = await ask(await keyWith(null, 99), { messages: [{ role: 'user', content: 'x'.repeat(400) }] });
      expect(refused.status).toBe(429);
      expect((refused.body as Refused).error.message).toBe(
        'Key rate limit of 99 tokens per minute exceeded: the request alone has about 100.',
      );
    });

    it('apply with the next request on every replica: 200, 429, and 200 when removed', async () => {
      const key = await keyWith(5);
      const path = `/keys/${key.hash}`;
      expect((await ask(key)).status).toBe(200);
      await setLimits(path, { requests_per_minute: 1 });
      expect((await askOf(replica, key)).status).toBe(429);
      await setLimits(path, { requests_per_minute: 3 });
      expect(shown(await askOf(replica, key), 'requests').slice(0, 2)).toEqual(['3', '1']);
      await setLimits(path, null);
      const answer = await ask(key);
      expect([answer.status, shown(answer, 'requests')[0]]).toEqual([200, null]);
    });

    it('stand before the first byte of a stream, and count what it has used: 200 and 429', async () => {
      const key = await keyWith(10, USED);
      const answer = await gateway.stream(key);
      expect([answer.status, answer.events.at(-1)]).toEqual([200, '[DONE]']);
      expect(shown(answer, 'requests')).toEqual(['10', '9', '1m1s']);
      expect(shown(answer, 'tokens').slice(0, 2)).toEqual([String(USED), String(USED - EXPECTED)]);
      const refused = await gateway.ask(key, { stream: true });
      expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'application/json; charset=utf-8']);
    });

    it('count embeddings: 200 and 429', async () => {
      gateway.alpha.answerJson({
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
        model: 'm',
      });
      const key = await keyWith(1);
      const answer = await gateway.embed(key);
      expect([answer.status, ...shown(answer, 'requests').slice(0, 2)]).toEqual([200, '1', '0']);
      const refused = await gateway.embed(key);
      expect(refused.status).toBe(429);
      expectToFitContract('createEmbeddings', 429, refused.body);
    });

    it('are told to clients of the Messages form in their own words: 200 and 429', async () => {
      const key = await keyWith(1, 1_000);
      const send = (): Promise<Answer> =>
        gateway.app.api.post('/messages', {
          key: key.plaintext,
          json: { model: 'acme/writer', max_tokens: 10, messages: QUESTION },
        });
      const before = Date.now();
      const [answer, refused] = [await send(), await send()];

      expect([answer.status, refused.status]).toEqual([200, 429]);
      for (const [kind, limit, remaining] of [
        ['requests', '1', '0'],
        ['tokens', '1000', String(1_000 - EXPECTED)],
      ] as const) {
        const [shownLimit, shownRemaining, reset] = ['limit', 'remaining', 'reset'].map((what) =>
          answer.headers.get(`anthropic-ratelimit-${kind}-${what}`),
        );
        expect([shownLimit, shownRemaining]).toEqual([limit, remaining]);
        expect(reset).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        expect(Date.parse(reset!)).toBeGreaterThan(before);
        expect(shown(answer, kind).slice(0, 2)).toEqual([limit, remaining]);
      }
      expectToFitContract('createMessages', 429, refused.body);
      expect(refused.body).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
      expect(refused.headers.get('anthropic-ratelimit-requests-remaining')).toBe('0');
      expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    });

    it('count responses: 200 and 429', async () => {
      const key = await keyWith(1);
      const send = (): Promise<Answer> =>
        gateway.app.api.post('/responses', {
          key: key.plaintext,
          json: { model: 'acme/writer', input: 'What is new?' },
        });
      const [answer, refused] = [await send(), await send()];
      expect([answer.status, refused.status]).toEqual([200, 429]);
      expect(shown(answer, 'requests').slice(0, 2)).toEqual(['1', '0']);
      expect(answer.headers.get('anthropic-ratelimit-requests-limit')).toBeNull();
      expectToFitContract('createResponses', 429, refused.body);
    });
  },
);
