import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import type { TestApplication } from '../../../support/application/test-application.js';
import { until } from '../../../support/time/until.js';
import { CHAT, TestGateway } from '../test-gateway.js';
import { chunk, completion, STREAM_HEAD } from '../provider-answers.js';
import type { WholeAnswer } from '../read-answers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

const REDIS_URL = process.env['GATEHOUSE_TEST_REDIS_URL'];

/** Counted as skipped where there is no Redis. */
const itWithRedis = REDIS_URL === undefined ? it.skip : it;

/** Without stickiness Beta, which is dearer, would answer all of them once in 10^8 times. */
const OFTEN = 10;

const CACHED = {
  usage: { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 8 } },
};

const WRITTEN = {
  usage: {
    prompt_tokens: 10,
    completion_tokens: 5,
    prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 8 },
  },
};

const talk = (...texts: readonly string[]): object => ({
  messages: [{ role: 'system', content: 'You are kind.' }, ...texts.map((content) => ({ role: 'user', content }))],
});

describe('sendChatCompletionRequest of a conversation whose prompt is cached', () => {
  const gateway = sharedGateway({
    variables: REDIS_URL === undefined ? {} : { REDIS_URL, ENCRYPTION_KEY: randomBytes(32).toString('hex') },
  });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  const ask = (fields: object, headers = {}, app: TestApplication = gateway.app, by = key) =>
    app.api.post<WholeAnswer>(CHAT, { key: by.plaintext, json: { model: 'acme/writer', ...fields }, headers });

  /** Lets Beta say that it has the prompt in its cache. */
  const begin = async (fields: object, headers = {}, said: object = CACHED): Promise<void> => {
    gateway.beta.answerJson(completion('All is well.', said));
    const { status } = await ask({ ...fields, provider: { only: ['beta'] } }, headers);
    expect(status).toBe(200);
    gateway.reset();
  };

  /** Which providers answer a request that is sent often. */
  const answering = async (
    fields: object,
    headers = {},
    app?: TestApplication,
    by?: IssuedCredential,
  ): Promise<Set<string>> => {
    const providers = new Set<string>();
    for (let index = 0; index < OFTEN; index += 1) {
      const { status, body } = await ask(fields, headers, app, by);
      expect(status).toBe(200);
      providers.add(body.provider);
    }
    return providers;
  };

  const BETA_ALONE = new Set(['Beta Cloud']);

  it.each([
    ['the beginning of its messages', talk('Hello'), talk('Hello', 'And then?'), {}],
    ['its session_id', { session_id: 'one', ...talk('Hello') }, { session_id: 'one', ...talk('Other') }, {}],
    ['its header x-session-id', talk('Hello'), talk('Other'), { 'x-session-id': 'two' }],
    [
      'its prompt_cache_key',
      { prompt_cache_key: 'a', ...talk('Hello') },
      { prompt_cache_key: 'a', ...talk('Other') },
      {},
    ],
  ])('answers 200 by the endpoint that has it, known by %s', async (_, first, next, headers) => {
    await begin(first, headers);

    expect(await answering(next, headers)).toEqual(BETA_ALONE);
  });

  it('answers 200 by the endpoint that has written it to its cache, also in a stream', async () => {
    await begin(talk('Hello'), {}, WRITTEN);
    gateway.beta.answerWith((response) => {
      const text = [chunk({ content: 'Yes.' }, 'stop', CACHED), 'data: [DONE]\n\n'].join('');
      response.writeHead(200, STREAM_HEAD).end(text);
    });
    const streamed = await gateway.stream(key, { ...talk('Streamed'), provider: { only: ['beta'] } });
    gateway.reset();

    expect(streamed.status).toBe(200);
    expect(await answering(talk('Hello'))).toEqual(BETA_ALONE);
    expect(await answering(talk('Streamed'))).toEqual(BETA_ALONE);
  });

  it('answers 200 by others too where no cache knows it: another beginning, session or organization', async () => {
    await begin({ session_id: 'known', ...talk('Hello') });
    await begin(talk('Hello'), {}, {});
    const stranger = await gateway.app.factory.key(await gateway.app.factory.organization());

    for (const fields of [talk('Hello'), { session_id: 'other', ...talk('Hello') }, talk('Good morning')]) {
      expect(await answering(fields)).toContain('Alpha Cloud');
    }
    expect(await answering({ session_id: 'known', ...talk('Hello') }, {}, gateway.app, stranger)).toContain(
      'Alpha Cloud',
    );
  });

  it('answers 200 by what order, sort, a variant, the request or a guardrail says instead', async () => {
    await begin(talk('Hello'));
    const guarded = await gateway.guardedKey(organization, { ignored_providers: ['beta'] });
    const alpha = new Set(['Alpha Cloud']);

    expect(await answering({ ...talk('Hello'), provider: { order: ['alpha'] } })).toEqual(alpha);
    expect(await answering({ ...talk('Hello'), provider: { sort: 'price' } })).toEqual(alpha);
    expect(await answering({ ...talk('Hello'), provider: { ignore: ['beta'] } })).toEqual(alpha);
    expect(await answering({ ...talk('Hello'), model: 'acme/writer:floor' })).toEqual(alpha);
    expect(await answering(talk('Hello'), {}, gateway.app, guarded)).toEqual(alpha);
    expect(await answering(talk('Hello'))).toEqual(BETA_ALONE);
  });

  it('answers 200 by another endpoint when the one that knows it fails, which is asked after that one while it fails', async () => {
    await begin({ session_id: 'failing', model: 'acme/spare', ...talk('Hello') });
    await begin({ session_id: 'failing', ...talk('Hello') });
    gateway.beta.answerJson({}, 500);
    const fields = { session_id: 'failing', ...talk('Hello') };

    expect(await answering(fields)).toEqual(new Set(['Alpha Cloud']));
    expect(gateway.beta.received).toHaveLength(1);
  });

  itWithRedis('answers 200 by the same endpoint on every replica, and Redis has nothing that can be read', async () => {
    const variables = {
      REDIS_URL: REDIS_URL!,
      ENCRYPTION_KEY: gateway.app.environment.encryptionKeys[0]!.toString('hex'),
    };
    const replica = await gateway.replica(variables);
    const redis = new Redis(REDIS_URL!);
    const fields = { session_id: 'a-secret-session', ...talk('A secret beginning') };
    await begin(fields);
    await until(async () => {
      const first = await answering(fields, {}, replica);
      return !first.has('Alpha Cloud');
    });
    const later = await gateway.replica(variables);
    await until(async () => !(await answering(fields, {}, later)).has('Alpha Cloud'));

    const keys = await redis.keys('gatehouse:replicas:*');
    const stored = await Promise.all(keys.map((name) => redis.xrange(name, '-', '+')));
    expect(JSON.stringify(stored)).toContain(organization.organizationId);
    expect(JSON.stringify([keys, stored])).not.toMatch(/secret/);
    for (const name of keys) expect(await redis.ttl(name)).toBeGreaterThan(0);
    redis.disconnect();
    await Promise.all([replica.stop(), later.stop()]);
  });
});

describe('sendChatCompletionRequest of a conversation, while Redis cannot be reached', () => {
  it('answers 200 by the endpoint that this replica remembers', async () => {
    const gateway = await TestGateway.start({ variables: { REDIS_URL: 'redis://127.0.0.1:1' } });
    gateway.reset();
    const key = await gateway.app.factory.key(await gateway.app.factory.organization());
    gateway.beta.answerJson(completion('All is well.', CACHED));
    const first = await gateway.ask(key, { ...talk('Hello'), provider: { only: ['beta'] } });
    const others: string[] = [];
    for (let index = 0; index < OFTEN; index += 1) {
      others.push((await gateway.ask(key, { ...talk('Hello'), provider: {} })).body.provider);
    }
    await gateway.stop();

    expect(first.status).toBe(200);
    expect(new Set(others)).toEqual(new Set(['Beta Cloud']));
  });
});
