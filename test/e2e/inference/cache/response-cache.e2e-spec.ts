import { Redis } from 'ioredis';
import OpenAI from 'openai';
import { CachedResponsesRepository } from '../../../../src/modules/response-cache/stores/cached-responses.repository.js';
import { ExpiredResponsesRepository } from '../../../../src/modules/response-cache/stores/expired-responses.repository.js';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { chunk, completion, embeddings, STREAM_END } from '../provider-answers.js';
import { textOf } from '../read-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import { PROVIDER_KEY, QUESTION } from '../test-gateway.js';

const REDIS_URL = process.env['GATEHOUSE_TEST_REDIS_URL'];

const describeWithRedis = REDIS_URL === undefined ? describe.skip : describe;

const USE = { 'x-cache': 'use' };

const SECRET = 'Zenobia keeps her money under the mattress.';

describe('the cache of answers', () => {
  const gateway = sharedGateway({
    variables: { RESPONSE_CACHE_MAXIMUM_ENTRIES: '3', RESPONSE_CACHE_MAXIMUM_ENTRY_BYTES: '4096' },
  });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  /** What the workspace says about the cache; by default it has content logged. */
  const setWorkspace = async (json: object): Promise<void> => {
    const path = `/workspaces/${organization.workspaceId}`;
    expect((await gateway.app.api.patch(path, { key: organization.managementKey, json })).status).toBe(200);
  };

  beforeEach(() => setWorkspace({ is_response_cache_enabled: true }));

  const asked = (): number => gateway.alpha.received.length + gateway.beta.received.length;

  /** How often providers are asked for some requests, and what their answers say of the cache. */
  const outcomes = async (...requests: (() => Promise<{ status: number; headers: Headers }>)[]): Promise<unknown[]> => {
    const found: unknown[] = [];
    for (const request of requests) {
      const before = asked();
      const { status, headers } = await request();
      found.push([status, headers.get('x-cache'), asked() - before]);
    }
    return found;
  };

  const HIT = [200, 'hit', 0];
  const MISS = [200, 'miss', 1];
  const BYPASS = [200, 'bypass', 1];
  const UNASKED = [200, null, 1];

  const ask =
    (fields: object = {}, headers: object = USE, credential: IssuedCredential = key) =>
    () =>
      gateway.ask(credential, fields, headers);

  it('gives an equal request the answer again with 200, free of charge and recorded, and no other one', async () => {
    const first = await gateway.ask(key, {}, USE);
    const second = await gateway.ask(key, {}, USE);

    expect([first.headers.get('x-cache'), first.headers.get('x-cache-ttl')]).toEqual(['miss', '300']);
    expect([second.status, second.headers.get('x-cache'), asked()]).toEqual([200, 'hit', 1]);
    expect(Number(second.headers.get('x-cache-age'))).toBeLessThan(600);
    expect(second.headers.get('x-cache-source-id')).toBe(first.body.id);
    expect(second.body.choices).toEqual(first.body.choices);
    expect(second.body.id).not.toBe(first.body.id);
    expect(second.body.usage).toMatchObject({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: 0 });
    expect(await gateway.record(second, key)).toMatchObject({
      response_cache_source_id: first.body.id,
      total_cost: 0,
      provider_name: null,
      attempts: [],
      finish_reason: 'stop',
      tokens_prompt: 0,
    });
    expect((await gateway.record(first, key)).response_cache_source_id).toBeNull();
    expect(
      await outcomes(
        ask({}, {}),
        ask({ temperature: 0.5 }),
        ask({ model: 'acme/spare' }),
        ask({ messages: [{ role: 'user', content: 'What is new? ' }] }),
        ask({}, { 'x-cache': 'bypass' }),
        ask({}, { ...USE, 'x-cache-clear': 'true' }),
        ask(),
      ),
    ).toEqual([UNASKED, MISS, MISS, MISS, BYPASS, MISS, HIT]);
  });

  it('answers 400 to a wish that means nothing', async () => {
    const wrong: object[] = [{ 'x-cache': 'maybe' }, { ...USE, 'x-cache-ttl': '0' }, { ...USE, 'x-cache-ttl': 'long' }];
    for (const headers of wrong) expect((await gateway.ask(key, {}, headers)).status).toBe(400);
    expect((await gateway.ask(key, { cache_enabled: 'yes' })).status).toBe(400);
    expect(asked()).toBe(0);
  });

  it('is of one workspace and one organization alone (200), whichever key of it asks', async () => {
    const other = await gateway.factory.organization();
    await gateway.app.api.patch(`/workspaces/${other.workspaceId}`, {
      key: other.managementKey,
      json: { is_response_cache_enabled: true },
    });
    const workspaceId = await gateway.factory.workspace(organization);
    await gateway.app.api.patch(`/workspaces/${workspaceId}`, {
      key: organization.managementKey,
      json: { is_response_cache_enabled: true },
    });
    const [sibling, elsewhere, foreign] = [
      await gateway.factory.key(organization),
      await gateway.factory.key(organization, { workspaceId }),
      await gateway.factory.key(other),
    ];

    expect(await outcomes(ask(), ask({}, USE, sibling), ask({}, USE, elsewhere), ask({}, USE, foreign))).toEqual([
      MISS,
      HIT,
      MISS,
      MISS,
    ]);
  });

  it('forgets an answer (200) when its time is over, which the request says up to the maximum', async () => {
    const first = await gateway.ask(key, {}, { ...USE, 'x-cache-ttl': '7' });
    expect(first.headers.get('x-cache-ttl')).toBe('7');
    const far = await gateway.ask(key, { seed: 1 }, { ...USE, 'x-cache-ttl': '99999999' });
    expect(far.headers.get('x-cache-ttl')).toBe('86400');
    await gateway.app.rows(`UPDATE cached_responses SET expires_at = expires_at - interval '7 seconds'`);

    expect(await outcomes(ask(), ask({ seed: 1 }))).toEqual([MISS, HIT]);
  });

  it('keeps as many answers (200) as it may, without those that expire first', async () => {
    for (const seed of [1, 2, 3, 4]) await gateway.ask(key, { seed }, { ...USE, 'x-cache-ttl': String(100 * seed) });
    expect(
      await gateway.app.rows('SELECT FROM cached_responses WHERE organization_id = $1', [organization.organizationId]),
    ).toHaveLength(3);
    expect(await outcomes(ask({ seed: 4 }), ask({ seed: 2 }), ask({ seed: 1 }))).toEqual([HIT, HIT, MISS]);
  });

  it('keeps no answer (200) that is incomplete, refused, too large or cut to what a limit pays for', async () => {
    const answers: object[] = [
      { choices: [{ index: 0, message: { role: 'assistant', content: 'No' }, finish_reason: 'content_filter' }] },
      { choices: [{ index: 0, message: { role: 'assistant', content: null, refusal: 'No' }, finish_reason: 'stop' }] },
      { choices: [{ index: 0, message: { role: 'assistant', content: 'x'.repeat(5_000) }, finish_reason: 'stop' }] },
    ];
    for (const [seed, fields] of answers.entries()) {
      gateway.alpha.answerJson(completion('', fields));
      expect(await outcomes(ask({ seed }), ask({ seed }))).toEqual([MISS, MISS]);
    }
    const broken = chunk({ role: 'assistant', content: 'All ' });
    for (const provider of [gateway.alpha, gateway.beta]) provider.answerStream(broken);
    expect(await outcomes(ask({ stream: true }), ask({ stream: true }))).toEqual([MISS, MISS]);
    gateway.reset();
    const limited = await gateway.factory.key(organization, { limitUsd: 0.002 });
    expect(await outcomes(ask({ seed: 9 }, USE, limited), ask({ seed: 9 }, USE, limited))).toEqual([MISS, MISS]);
    expect(gateway.alpha.received.at(-1)).toMatchObject({ body: { max_tokens: expect.any(Number) as number } });
    expect(
      await gateway.app.rows('SELECT FROM cached_responses WHERE organization_id = $1', [organization.organizationId]),
    ).toEqual([]);
  });

  it('comes behind rates, budgets, filters and policy: 429 and 403 in place of an answer that it has (200)', async () => {
    const guarded = await gateway.factory.key(organization);
    const { id: guardrailId } = await gateway.factory.guardrail(organization, {});
    await gateway.assign(organization, guarded, guardrailId);
    const asksGuarded = ask({ messages: [{ role: 'user', content: 'Mail to me@example.com' }] }, USE, guarded);
    expect(await outcomes(asksGuarded, asksGuarded)).toEqual([MISS, HIT]);
    const change = async (json: object): Promise<void> => {
      const path = `/guardrails/${guardrailId}`;
      expect((await gateway.app.api.patch(path, { key: organization.managementKey, json })).status).toBe(200);
    };

    await change({ content_filter_builtins: [{ slug: 'email', action: 'block' }] });
    expect(await outcomes(asksGuarded)).toEqual([[403, null, 0]]);
    await change({ content_filter_builtins: [], ignored_models: ['acme/writer'] });
    expect((await outcomes(asksGuarded))[0]).toEqual([expect.any(Number), null, 0]);
    expect((await asksGuarded()).status).toBeGreaterThanOrEqual(403);
    // Beta alone is left, and the answer was Alpha's.
    await change({ ignored_models: null, ignored_providers: ['alpha'] });
    expect(await outcomes(asksGuarded)).toEqual([MISS]);
    await change({ ignored_providers: null, content_filter_builtins: [{ slug: 'email', action: 'redact' }] });
    expect(await outcomes(asksGuarded, asksGuarded)).toEqual([MISS, HIT]);
    await gateway.app.api.patch(`/keys/${guarded.hash}`, {
      key: organization.managementKey,
      json: { rate_limits: { requests_per_minute: 1 } },
    });
    expect(await outcomes(asksGuarded, asksGuarded)).toContainEqual([429, null, 0]);
    const poor = await gateway.factory.key(organization, { limitUsd: 0 });
    await gateway.ask(key, {}, USE);
    expect(await outcomes(ask({}, USE, poor))).toEqual([[403, null, 0]]);
  });

  it('gives an answer (200) under equal filters of answers, whatever the filters of requests are, and under no others', async () => {
    const [email, phone] = ['email', 'phone'].map((slug) => ({ slug, action: 'redact', applies_to: ['response'] }));
    const guarded = (...filters: object[]) => gateway.guardedKey(organization, { content_filter_builtins: filters });
    const one = await guarded(email!);
    const other = await guarded(
      { ...email!, applies_to: ['request', 'response'] },
      { slug: 'ssn', action: 'block', applies_to: ['request', 'tool_result'] },
    );
    const ofRequests = await guarded({ slug: 'ssn', action: 'block' });
    const outcomesOf = (...keys: IssuedCredential[]) => outcomes(...keys.map((each) => ask({}, USE, each)));

    expect(await outcomesOf(one, other, key, ofRequests)).toEqual([MISS, HIT, MISS, HIT]);
    const others = [
      await guarded({ ...email!, action: 'flag' }),
      await guarded({ ...email!, applies_to: ['response', 'tool_call'] }),
      await guarded(email!, phone!),
    ];
    expect(await outcomesOf(...others)).toEqual([MISS, MISS, MISS]);
  });

  it('is passed by (200) under zero data retention, and where the workspace logs nothing and has not switched it on', async () => {
    const provider = { order: ['alpha'], zdr: true };
    expect(await outcomes(ask({ provider }), ask({ provider }))).toEqual([BYPASS, BYPASS]);
    const guarded = await gateway.guardedKey(organization, { enforce_zdr_other: true });
    expect(await outcomes(ask({}, USE, guarded), ask({}, USE, guarded))).toEqual([BYPASS, BYPASS]);
    await setWorkspace({ is_response_cache_enabled: null });
    expect(await outcomes(ask(), ask())).toEqual([BYPASS, BYPASS]);
    expect(
      await gateway.app.rows('SELECT FROM cached_responses WHERE organization_id = $1', [organization.organizationId]),
    ).toEqual([]);
    await setWorkspace({ is_observability_io_logging_enabled: true });
    expect(await outcomes(ask(), ask())).toEqual([MISS, HIT]);
    await setWorkspace({ is_response_cache_enabled: false });
    expect(await outcomes(ask())).toEqual([BYPASS]);
  });

  it('replays a stream, calls of tools included, as the official client of OpenAI reads it (200)', async () => {
    gateway.alpha.answerStream(
      [
        chunk({
          role: 'assistant',
          tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'weather' } }],
        }),
        ...['', '{"city":', '"Ulm"}'].map((part) =>
          chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] }),
        ),
        STREAM_END.replace('"stop"', '"tool_calls"'),
      ].join(''),
    );
    const client = new OpenAI({
      apiKey: key.plaintext,
      baseURL: `${gateway.app.origin}/api/v1`,
      maxRetries: 0,
      defaultHeaders: USE,
    });
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } }];
    const read = async (): Promise<unknown> => {
      const stream = client.chat.completions.stream({
        model: 'acme/writer',
        messages: [{ role: 'user', content: 'What is the weather?' }],
        tools,
        ...{ provider: { order: ['alpha'] } },
      });
      const { tool_calls: calls } = await stream.finalMessage();
      return [calls, (await stream.totalUsage()).total_tokens];
    };
    const calls = [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm"}' } }];

    expect(await read()).toMatchObject([calls, 15]);
    expect(await read()).toMatchObject([calls, 0]);
    expect(asked()).toBe(1);
  });

  it('keeps streams and whole answers apart (200), and those of each operation', async () => {
    const first = await gateway.stream(key, {}, USE);
    const again = await gateway.stream(key, {}, USE);
    expect([textOf(again), again.events.at(-1)]).toEqual([textOf(first), '[DONE]']);
    gateway.alpha.answerWith((response, { path }) => {
      const answer = path.endsWith('/embeddings') ? embeddings([[0.5, 0.25]]) : completion('All is well.');
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    const post = (path: string, json: object) => () =>
      gateway.app.api.post(path, { key: key.plaintext, json: { model: 'acme/writer', ...json }, headers: USE });
    const message = post('/messages', { max_tokens: 9, messages: QUESTION });
    const marked = post('/messages', {
      max_tokens: 9,
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'What is new?', cache_control: { type: 'ephemeral' } }] },
      ],
    });
    const response = post('/responses', { input: 'What is new?' });
    const text = post('/completions', { prompt: 'What is new?' });
    const vectors = () => gateway.embed(key, {}, USE);
    for (const request of [ask(), message, marked, response, text, vectors]) {
      expect(await outcomes(request, request)).toEqual([MISS, HIT]);
    }
  });

  it('is used by a preset (200), which may also do without it', async () => {
    for (const [slug, fields] of [
      ['cached', { cache_enabled: true, cache_ttl_seconds: 60 }],
      ['fresh', { cache_enabled: false }],
    ] as const) {
      await gateway.factory.preset(organization, organization.workspaceId, slug, [{ model: 'acme/writer', ...fields }]);
    }
    const cached = ask({ model: '@preset/cached' }, {});
    expect(await outcomes(cached, cached, ask({ model: '@preset/fresh' }))).toEqual([MISS, HIT, BYPASS]);
    expect(JSON.stringify(gateway.alpha.received.at(-1)!.body)).not.toContain('cache_');
  });

  it('has nothing that anybody can read, and is emptied (200) with its workspace and for an erased person', async () => {
    const messages = [{ role: 'user', content: SECRET }];
    gateway.alpha.answerJson(completion(SECRET));
    await gateway.ask(key, { messages }, USE);
    const rows = await gateway.app.rows<{ text: string }>(
      `SELECT encode(key, 'escape') || encode(sealed, 'escape') AS text FROM cached_responses WHERE organization_id = $1`,
      [organization.organizationId],
    );
    expect(rows).toHaveLength(1);
    for (const word of ['Zenobia', 'mattress', 'acme', 'alpha', PROVIDER_KEY])
      expect(rows[0]!.text).not.toContain(word);

    const userId = await gateway.factory.member(organization.organizationId);
    const { managementKey } = organization;
    await gateway.app.api.patch(`/organization/members/${userId}`, {
      key: managementKey,
      json: { status: 'deactivated' },
    });
    expect((await gateway.app.api.post(`/organization/members/${userId}/erase`, { key: managementKey })).status).toBe(
      200,
    );
    expect(await outcomes(ask({ messages }))).toEqual([MISS]);
  });
});

describe('the cache of answers at a price', () => {
  const gateway = sharedGateway({ variables: { RESPONSE_CACHE_CHARGE_PERCENT: '25' } });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  it('charges its part of what an answer would cost (200), and refuses what a limit cannot pay for (402)', async () => {
    await gateway.app.api.patch(`/workspaces/${organization.workspaceId}`, {
      key: organization.managementKey,
      json: { is_response_cache_enabled: true },
    });
    const limited = await gateway.factory.key(organization, { limitUsd: 0.0000001 });
    const first = await gateway.ask(key, { max_tokens: 5 }, USE);
    const second = await gateway.ask(key, { max_tokens: 5 }, USE);

    expect(second.headers.get('x-cache')).toBe('hit');
    expect(second.body.usage.cost).toBeCloseTo(first.body.usage.cost / 4, 12);
    expect(await gateway.record(second, key)).toMatchObject({ total_cost: second.body.usage.cost, tokens_prompt: 0 });
    expect((await gateway.ask(limited, { max_tokens: 5 }, USE)).status).toBe(402);
  });
});

describe('a cache of answers that fails', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  it('is like an empty one (200), and is cleared of what has expired', async () => {
    const path = `/workspaces/${organization.workspaceId}`;
    const json = { is_response_cache_enabled: true };
    await gateway.app.api.patch(path, { key: organization.managementKey, json });
    const store = gateway.app.application.get(CachedResponsesRepository, { strict: false });
    await gateway.ask(key, {}, USE);
    const reading = jest.spyOn(store, 'read').mockRejectedValue(new Error('gone'));
    const writing = jest.spyOn(store, 'write').mockRejectedValue(new Error('gone'));
    const failing = await gateway.ask(key, {}, USE);
    expect([failing.status, failing.headers.get('x-cache')]).toEqual([200, 'miss']);
    for (const spy of [reading, writing]) spy.mockRestore();
    expect((await gateway.ask(key, {}, USE)).headers.get('x-cache')).toBe('hit');

    // Another ENCRYPTION_KEY than when it was kept.
    await gateway.app.rows(`UPDATE cached_responses SET sealed = set_byte(sealed, 3, (get_byte(sealed, 3) + 1) % 256)`);
    expect((await gateway.ask(key, {}, USE)).headers.get('x-cache')).toBe('miss');
    await gateway.app.rows(`UPDATE cached_responses SET expires_at = now()`);
    await gateway.app.application.get(ExpiredResponsesRepository, { strict: false }).delete();
    expect(await gateway.app.rows('SELECT FROM cached_responses')).toEqual([]);
  });
});

describeWithRedis('the cache of answers in Redis', () => {
  const gateway = sharedGateway({
    variables: {
      ...(REDIS_URL !== undefined && { REDIS_URL }),
      RESPONSE_CACHE_MAXIMUM_ENTRIES: '2',
    },
  });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);
  let redis: Redis;

  beforeAll(() => {
    redis = new Redis(REDIS_URL!);
  });

  afterAll(() => redis.disconnect());

  it('keeps answers there (200), unreadable, for their time, up to a number, and until they are purged', async () => {
    const { managementKey, organizationId } = organization;
    const workspaceId = await gateway.factory.workspace(organization);
    const mover = await gateway.factory.key(organization, { workspaceId });
    for (const id of [organization.workspaceId, workspaceId]) {
      const json = { is_response_cache_enabled: true };
      await gateway.app.api.patch(`/workspaces/${id}`, { key: managementKey, json });
    }
    const messages = [{ role: 'user', content: SECRET }];
    const keys = (): Promise<string[]> => redis.keys(`gatehouse:response-cache:{${organizationId}}:*`);
    const cached = async (credential: IssuedCredential, headers: object = USE): Promise<string | null> =>
      (await gateway.ask(credential, { messages }, headers)).headers.get('x-cache');

    expect([await cached(key, { ...USE, 'x-cache-ttl': '60' }), await cached(key)]).toEqual(['miss', 'hit']);
    const [place] = await keys();
    expect(await redis.pttl(place!)).toBeLessThanOrEqual(60_000);
    const bytes = (await redis.getBuffer(place!))!.toString('latin1');
    for (const word of ['Zenobia', 'well', 'acme']) expect(place! + bytes).not.toContain(word);
    expect(await gateway.app.rows('SELECT FROM cached_responses')).toEqual([]);

    for (const seed of [1, 2]) await gateway.ask(key, { seed }, { ...USE, 'x-cache-ttl': '90' });
    expect(await keys()).toHaveLength(2);
    expect(await cached(mover)).toBe('miss');
    await gateway.app.api.patch(`/keys/${mover.hash}`, { key: managementKey, json: { disabled: true } });
    expect((await gateway.app.api.delete(`/workspaces/${workspaceId}`, { key: managementKey })).status).toBe(200);
    expect((await keys()).filter((name) => name.includes(workspaceId))).toEqual([]);
    const userId = await gateway.factory.member(organizationId);
    const path = `/organization/members/${userId}`;
    await gateway.app.api.patch(path, { key: managementKey, json: { status: 'deactivated' } });
    expect((await gateway.app.api.post(`${path}/erase`, { key: managementKey })).status).toBe(200);
    expect(await keys()).toEqual([]);
  });
});
