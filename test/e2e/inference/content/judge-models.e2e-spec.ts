import type { NewOrganization } from '../../../../src/modules/installation/installation.service.js';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { organizationPerTest } from '../../../support/application/shared-organization.js';
import { newLimit } from '../../../support/resources/limits.js';
import { INSPECTOR_SIGNING_SECRET, madeInspector } from '../../../support/resources/inspectors.js';
import {
  newKeyForOwnProvider,
  newPrivateEndpoint,
  newPrivateProvider,
  validated,
} from '../../../support/resources/private-models.js';
import { answerAsAsked, chunk, completion, STREAM_HEAD } from '../provider-answers.js';
import { until } from '../../../support/time/until.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';
import type { ErrorBody } from './filtered-texts.js';
import * as judged from './judged-records.js';
import { expectSums, JUDGE_COST, JUDGE_USAGE, type Question } from './judged-records.js';

type Fields = Readonly<Record<string, unknown>>;

const WORDS = 'The weather in Ulm is fine, and it stays so until the evening. '.repeat(10);

const ASKED = { messages: [{ role: 'user', content: 'Weather in Ulm?' }], max_tokens: 5 };

/** What the usual answers of Alpha cost. */
const ANSWER_COST = 0.00002;

describe('judge models of the guardrail of a key', () => {
  const gateway = sharedGateway({
    variables: { RESPONSE_CACHE_CHARGE_PERCENT: '0' },
    models: {
      'acme/guard': [endpoint('beta')],
      'acme/zdr-guard': [endpoint('beta', { zdr: true })],
      'acme/brought-guard': [endpoint('openai')],
      'acme/free': [endpoint('alpha', { pricing: { prompt: '0', completion: '0' } })],
      'acme/ruled-guard': [
        endpoint('beta', {
          pricing: {
            ...{ prompt: '0.000001', completion: '0.000002', request: '0.0001', internal_reasoning: '0.000003' },
            ...{ input_cache_read: '0.0000001', overrides: [{ min_prompt_tokens: 500, prompt: '0.000004' }] },
          },
        }),
      ],
    },
  });
  const organization = organizationPerTest(gateway);

  const inspector = async (fields: Fields = {}, of: NewOrganization = organization): Promise<string> => {
    const { settings = {}, ...others } = fields;
    const made = await madeInspector(gateway.app, of, {
      ...{ name: 'Judge', protocol: 'model', url: null, api_key: null, timeout_ms: 30_000 },
      settings: { model: 'acme/guard', ...(settings as object) },
      ...others,
    });
    return made.id;
  };

  /** @param limit of the key, in US dollars */
  const keyUnder = async (
    fields: Fields,
    limit: number | null = null,
    more: Fields = {},
    of: NewOrganization = organization,
  ): Promise<IssuedCredential> => {
    const key = await gateway.factory.key(of, { limitUsd: limit });
    const guardrail = await gateway.factory.guardrail(of, {
      inspector_ids: [await inspector(fields, of)],
      ...more,
    });
    await gateway.assign(of, key, guardrail.id);
    return key;
  };

  /** Lets the judge answer by what it is asked about. */
  const judgeBy = (said: (question: Question) => string, usage: object | null = JUDGE_USAGE): void =>
    gateway.beta.answerWith((response, { body }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(completion(said(body as Question), { usage })));
    });

  beforeEach(() =>
    judgeBy(({ messages }) => (messages.some(({ content }) => content.includes('grenade')) ? 'unsafe\nS9' : 'safe')),
  );

  const questions = (): Question[] => gateway.beta.received.map(({ body }) => body as Question);

  const say = (text: string, piece = 7): void =>
    gateway.alpha.answerWith((response, { body }) => {
      if ((body as Fields)['stream'] !== true) {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion(text)));
        return;
      }
      const pieces = text.match(new RegExp(`[^]{1,${piece}}`, 'g'))!.map((content) => chunk({ content }));
      const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
      const last = `data: ${JSON.stringify({ choices: [], usage })}\n\n`;
      response.writeHead(200, STREAM_HEAD).end(`${pieces.join('')}${chunk({}, 'stop')}${last}data: [DONE]\n\n`);
    });

  const contentOf = (events: readonly unknown[]): string =>
    events
      .flatMap((event) => (event as { choices?: { delta?: { content?: string } }[] }).choices ?? [])
      .map(({ delta }) => delta?.content ?? '')
      .join('');

  const spentBy = (key: IssuedCredential): Promise<number> => judged.spentBy(gateway.app, organization, key);
  const reserved = (): Promise<unknown[]> => judged.reservedFor(gateway.app, organization);
  const expectRecomputed = (): Promise<void> => judged.expectRecomputed(gateway.app, organization);

  describe('as inspectors', () => {
    const made = (fields: Fields): ReturnType<typeof gateway.app.api.post> =>
      gateway.app.api.post('/inspectors', {
        key: organization.managementKey,
        json: { name: 'Judge', protocol: 'model', settings: { model: 'acme/guard' }, ...fields },
      });

    it('answer 201 without an address and without secrets', async () => {
      const { status, body } = await made({});

      expect(status).toBe(201);
      expect(body).toMatchObject({ data: { protocol: 'model', url: null, headers: {}, api_key: null } });
    });

    it.each<[fault: string, fields: Fields, path: string]>([
      ['an address', { url: 'https://guard.example.com' }, 'url'],
      ['a key', { api_key: 'key-0123456789' }, 'api_key'],
      ['headers', { headers: { 'x-tenant': 'acme' } }, 'headers'],
      ['a secret that signs', { signing_secret: INSPECTOR_SIGNING_SECRET }, 'signing_secret'],
      ['no settings', { settings: {} }, 'settings.model'],
      ['an unknown model', { settings: { model: 'acme/nothing' } }, 'settings.model'],
      ['an unknown form', { settings: { model: 'acme/guard', form: 'guess' } }, 'settings.form'],
      ['a verdict about nothing', { settings: { model: 'acme/guard', form: 'verdict' } }, 'settings.prompt'],
      ['a prompt for a Llama Guard', { settings: { model: 'acme/guard', prompt: 'Block.' } }, 'settings.prompt'],
      [
        'codes of a verdict',
        { settings: { model: 'acme/guard', form: 'verdict', prompt: 'Block.', categories: ['S1'] } },
        'settings.categories',
      ],
    ])('answer 400 for %s', async (_, fields, path) => {
      const { status, body } = await made(fields);

      expect(status).toBe(400);
      const { details } = (body as { error: { metadata: { details?: unknown } } }).error.metadata;
      expect(JSON.stringify(details ?? body)).toContain(path);
      expect(
        await gateway.app.rows('SELECT id FROM inspectors WHERE organization_id = $1', [organization.organizationId]),
      ).toEqual([]);
    });

    it('answer 400 to changes that they may not have, and to a test, and 200 to others', async () => {
      const id = await inspector();
      const key = organization.managementKey;
      const changes = [
        { url: 'https://guard.example.com' },
        { headers: { a: 'b' } },
        { settings: { model: 'acme/nothing' } },
        { settings: { model: 'acme/guard', form: 'verdict' } },
      ];
      const statuses: number[] = [];
      for (const json of changes)
        statuses.push((await gateway.app.api.patch(`/inspectors/${id}`, { key, json })).status);
      const json = { texts: ['Hello.'] };
      const tested = await gateway.app.api.post<ErrorBody>(`/inspectors/${id}/test`, { key, json });

      expect([...statuses, tested.status]).toEqual([400, 400, 400, 400, 400]);
      expect(tested.body.error.metadata['reason']).toBe('judge_not_tested');
      expect(gateway.beta.received).toEqual([]);
      const changed = { settings: { model: 'acme/zdr-guard', categories: ['S9'] }, mode: 'observe' };
      expect((await gateway.app.api.patch(`/inspectors/${id}`, { key, json: changed })).status).toBe(200);
    });
  });

  describe('of requests', () => {
    it('answer 200 to what a Llama Guard calls safe, and charge for asking it', async () => {
      const key = await keyUnder({ applies_to: ['request', 'tool_result'] });
      const answer = await gateway.ask(key, ASKED);

      expect(answer.status).toBe(200);
      expect(questions()).toEqual([
        {
          model: 'guard',
          messages: [{ role: 'user', content: 'Weather in Ulm?' }],
          ...{ max_tokens: 64, temperature: 0 },
        },
      ]);
      const record = await gateway.record(answer, key);
      expect(record).toMatchObject({
        total_cost: ANSWER_COST + JUDGE_COST,
        tokens_prompt: 10,
        inspector_actions: [{ name: 'Judge', place: 'request', outcome: 'passed', count: 1, cost: JUDGE_COST }],
        charges: [{ model: 'acme/writer' }, { model: 'acme/guard', cost: JUDGE_COST }],
      });
      expect(answer.body.usage).toMatchObject({ cost: ANSWER_COST + JUDGE_COST });
      expectSums(record);
      expect(await spentBy(key)).toBe(ANSWER_COST + JUDGE_COST);
      await expectRecomputed();
    });

    it('answer 403 to what it calls unsafe, which no provider of the answer gets, and charge for asking', async () => {
      const key = await keyUnder({ applies_to: ['request'] }, 1);
      const answer = await gateway.ask<ErrorBody>(key, { messages: [{ role: 'user', content: 'Build a grenade.' }] });

      expect(answer.status).toBe(403);
      expect(answer.body.error.message).toBe('Request blocked by content filter: Judge');
      expect(gateway.alpha.received).toEqual([]);
      const record = await gateway.record(answer, key);
      expect(record).toMatchObject({ refusal: 'content_blocked', total_cost: JUDGE_COST, tokens_prompt: null });
      expectSums(record);
      expect(await spentBy(key)).toBe(JUDGE_COST);
      expect(await reserved()).toEqual([]);
      await expectRecomputed();
    });

    it('answer 200 where what is unsafe is none of the categories of the inspector, and 403 where it is', async () => {
      const messages = [{ role: 'user', content: 'Build a grenade.' }];
      const statuses: number[] = [];
      for (const categories of [['S1', 'S10'], ['S9']]) {
        const key = await keyUnder({ applies_to: ['request'], settings: { categories } });
        statuses.push((await gateway.ask(key, { messages })).status);
      }

      expect(statuses).toEqual([200, 403]);
    });

    it('answer 403 to what a verdict in JSON blocks, to which texts are shown as JSON', async () => {
      judgeBy(() => '{"verdict": "block", "reason": "weather"}');
      const settings = { form: 'verdict', prompt: 'Block all about the weather.' };
      const key = await keyUnder({ applies_to: ['request'], settings });
      const answer = await gateway.ask(key, ASKED);

      expect(answer.status).toBe(403);
      const [system, user] = questions()[0]!.messages;
      expect(system!.content).toMatch(/^Block all about the weather\.\n\nThe next message is a JSON object/);
      expect(user).toEqual({ role: 'user', content: '{"place":"request","texts":["Weather in Ulm?"]}' });
    });

    it.each([
      ['says nothing of its form', 'I would say that it is safe.'],
      ['says nothing', ''],
      ['says more', 'safe\nBut I am not sure.'],
      ['says too much', `safe${' '.repeat(20_000)}x`],
      ['gives codes of no form', 'unsafe\nS9 because it is'],
      ['puts the word elsewhere', '\u200bsafe'],
    ])('answer 503 where a judge %s, or 200 where texts pass then, and charge for it', async (_, said) => {
      judgeBy(() => said);
      const statuses: number[] = [];
      for (const on_failure of ['block', 'pass']) {
        const key = await keyUnder({ applies_to: ['request'], on_failure });
        const answer = await gateway.ask(key, ASKED);
        statuses.push(answer.status);
        const record = await gateway.record(answer, key);
        expect(record).toMatchObject({ inspector_actions: [{ outcome: 'failed', cost: JUDGE_COST }] });
        expectSums(record);
      }

      expect(statuses).toEqual([503, 200]);
    });

    it('answer 503, and charge nothing, where the provider of a judge fails', async () => {
      gateway.beta.answerJson({ error: { message: 'down' } }, 500);
      const key = await keyUnder({ applies_to: ['request'] }, 1);
      const answer = await gateway.ask(key, ASKED);

      expect(answer.status).toBe(503);
      expect(await gateway.record(answer, key)).toMatchObject({
        total_cost: 0,
        refusal: 'content_analyzer_unavailable',
      });
      expect(await reserved()).toEqual([]);
    });

    it('answer 503 where a judge takes too long, and charge its prompt', async () => {
      gateway.beta.answerWith(() => undefined);
      const key = await keyUnder({ applies_to: ['request'], timeout_ms: 300 }, 1);
      const answer = await gateway.ask(key, ASKED);

      expect(answer.status).toBe(503);
      const record = await gateway.record(answer, key);
      expect(record).toMatchObject({ is_usage_estimated: true, charges: [{ model: 'acme/guard', cost: 0.000004 }] });
      expectSums(record);
      await expectRecomputed();
    });

    it('answer 503 where the model of a judge is gone', async () => {
      const key = await keyUnder({ applies_to: ['request'] });
      await gateway.app.rows(
        `UPDATE inspectors SET settings = '{"model": "acme/gone"}', updated_at = now() WHERE organization_id = $1`,
        [organization.organizationId],
      );
      const answer = await gateway.ask(key, ASKED);

      expect(answer.status).toBe(503);
      expect(await gateway.record(answer, key)).toMatchObject({ inspector_actions: [{ outcome: 'failed' }] });
    });

    it('answer 503 and send nothing to a judge whose provider keeps data where none may be kept', async () => {
      const zdr = { enforce_zdr_other: true };
      const keeping = await gateway.ask(await keyUnder({ applies_to: ['request'] }, null, zdr), ASKED);
      const sent = gateway.beta.received.length;
      const settings = { model: 'acme/zdr-guard' };
      const retaining = await gateway.ask(await keyUnder({ applies_to: ['request'], settings }, null, zdr), ASKED);
      const wish = { provider: { order: ['alpha'], zdr: true } };
      const wished = await gateway.ask(await keyUnder({ applies_to: ['request'] }), { ...ASKED, ...wish });

      expect([keeping.status, sent, retaining.status, wished.status]).toEqual([503, 0, 200, 503]);
    });

    it('answer 200 and judge also where requests may not name the model of the judge, and 503 where its provider is ignored', async () => {
      const allowed = { allowed_models: ['acme/writer'] };
      const answer = await gateway.ask(await keyUnder({ applies_to: ['request'] }, null, allowed), ASKED);
      const ignored = { ignored_providers: ['beta'] };
      const refused = await gateway.ask(await keyUnder({ applies_to: ['request'] }, null, ignored), ASKED);

      expect([answer.status, refused.status]).toEqual([200, 503]);
      expect(questions()).toHaveLength(1);
    });

    it('answer 200 through an endpoint of the own organization, and 503 where only another one has it', async () => {
      const owner = await gateway.factory.organization();
      gateway.beta.answerWith(answerAsAsked);
      const { slug } = await newPrivateProvider(gateway.app, owner, { base_url: gateway.beta.baseUrl });
      await newKeyForOwnProvider(gateway.app, owner, slug, 'sk-own-0123456789');
      const names = { model_permaslug: 'acme/unconnected', upstream_model_id: 'theirs' };
      const { id } = await newPrivateEndpoint(gateway.app, owner, slug, names);
      expect(await validated(gateway.app, owner, id)).toMatchObject({ passed: true });
      await gateway.app.api.post(`/private-endpoints/${id}/activate`, { key: owner.managementKey });
      judgeBy(() => 'safe');
      const fields = { applies_to: ['request'], settings: { model: 'acme/unconnected' } };
      const refused = await gateway.ask(await keyUnder(fields), ASKED);
      const asked = questions().length;
      const answer = await gateway.ask(await keyUnder(fields, null, {}, owner), ASKED);

      expect([refused.status, asked, answer.status]).toEqual([503, 0, 200]);
      expect(questions()).toMatchObject([{ model: 'theirs' }]);
    });

    it('answer 200 and count what a judge uses through an own key as usage of own keys', async () => {
      await gateway.app.api.post('/byok', {
        key: organization.managementKey,
        json: { provider: 'beta', key: 'sk-own-0123456789abcdef' },
      });
      const key = await keyUnder({ applies_to: ['request'] }, 1);
      const answer = await gateway.ask(key, { ...ASKED, provider: { only: ['alpha'] } });

      expect(answer.status).toBe(200);
      const { body } = await gateway.app.api.get<{ data: Fields }>(`/keys/${key.hash}`, {
        key: organization.managementKey,
      });
      expect(body.data).toMatchObject({ usage: ANSWER_COST, byok_usage: JUDGE_COST });
      expect(await reserved()).toEqual([]);
    });
  });

  describe('of answers', () => {
    it('answer 403 to a whole answer that is blocked, whose question is read before it', async () => {
      say('Pull the pin of the grenade.');
      const key = await keyUnder({ applies_to: ['response'] }, 1);
      const answer = await gateway.ask(key, ASKED);

      expect(answer.status).toBe(403);
      expect(questions()[0]!.messages).toEqual([
        { role: 'user', content: 'Weather in Ulm?' },
        { role: 'assistant', content: 'Pull the pin of the grenade.' },
      ]);
      const record = await gateway.record(answer, key);
      expect(record).toMatchObject({ finish_reason: 'content_filter', total_cost: ANSWER_COST + JUDGE_COST });
      expectSums(record);
    });

    it('answer 200 with a stream that is judged in windows, and charge them together', async () => {
      say(WORDS);
      const key = await keyUnder({ applies_to: ['request', 'response'], window: { characters: 128, overlap: 32 } }, 10);
      const { status, events, headers } = await gateway.stream(key, { ...ASKED, max_tokens: 500 });

      expect(status).toBe(200);
      expect(contentOf(events)).toBe(WORDS);
      const asked = questions().length;
      expect(asked).toBeGreaterThan(5);
      const record = await gateway.record({ headers }, key);
      expect(record).toMatchObject({
        charges: [{ model: 'acme/writer' }, { model: 'acme/guard' }],
        inspector_actions: [
          { place: 'request', count: 1 },
          { place: 'response', count: asked - 1 },
        ],
      });
      expect(record.total_cost).toBeCloseTo(ANSWER_COST + asked * JUDGE_COST, 12);
      expect(events.at(-2)).toMatchObject({ usage: { cost: record.total_cost } });
      expectSums(record);
      await expectRecomputed();
    });

    it('answer 200 with a stream that ends at what is blocked, and charge what was judged', async () => {
      say(`${WORDS}Pull the pin of the grenade.${WORDS}`);
      const key = await keyUnder({ applies_to: ['response'], window: { characters: 128, overlap: 32 } }, 10);
      const { status, events, headers } = await gateway.stream(key, { ...ASKED, max_tokens: 500 });

      expect(status).toBe(200);
      expect(contentOf(events)).not.toContain('grenade');
      expect(JSON.stringify(events)).toContain('content_filter');
      const record = await gateway.record({ headers }, key);
      expect((record['inspector_actions'] as Fields[]).map(({ outcome }) => outcome)).toEqual(['passed', 'blocked']);
      expectSums(record);
      expect(await reserved()).toEqual([]);
      await expectRecomputed();
    });

    it('answer 200, and judge the whole of a stream behind it, where the inspector observes', async () => {
      say(`${WORDS}Pull the pin of the grenade.`);
      const key = await keyUnder({ applies_to: ['response'], mode: 'observe' }, 10);
      const { status, events, headers } = await gateway.stream(key, { ...ASKED, max_tokens: 500 });

      expect(status).toBe(200);
      expect(contentOf(events)).toContain('grenade');
      const record = await gateway.record({ headers }, key);
      expect(record).toMatchObject({
        inspector_actions: [{ outcome: 'blocked', observed: true, count: 1, cost: JUDGE_COST }],
        total_cost: ANSWER_COST + JUDGE_COST,
      });
    });

    it('answer 200 with an answer of the cache, which is judged again and charged for that alone', async () => {
      const key = await keyUnder({ applies_to: ['response'] }, 1);
      await gateway.app.rows('UPDATE workspaces SET is_response_cache_enabled = true WHERE organization_id = $1', [
        organization.organizationId,
      ]);
      const asking = (): ReturnType<typeof gateway.ask> => gateway.ask(key, ASKED, { 'x-cache': 'use' });
      const [first, second] = [await asking(), await asking()];

      expect([first.status, second.status]).toEqual([200, 200]);
      expect(second.headers.get('x-cache')).toBe('hit');
      expect((await gateway.record(second, key)).total_cost).toBe(JUDGE_COST);
      expect(await spentBy(key)).toBeCloseTo(ANSWER_COST + 2 * JUDGE_COST, 15);
    });
  });

  describe('under a limit of spending', () => {
    it('answer 402 also to what the cache has, where it does not pay for what judges it again', async () => {
      const filling = await keyUnder({ applies_to: ['response'] });
      await gateway.app.rows('UPDATE workspaces SET is_response_cache_enabled = true WHERE organization_id = $1', [
        organization.organizationId,
      ]);
      await gateway.ask(filling, ASKED, { 'x-cache': 'use' });
      const refused = await gateway.ask(await keyUnder({ applies_to: ['response'] }, 0.001), ASKED, {
        'x-cache': 'use',
      });

      expect(refused.status).toBe(402);
      expect(questions()).toHaveLength(1);
    });

    it('answer 200 to a client that leaves while its answer is judged, and charge the question', async () => {
      say(WORDS);
      const key = await keyUnder({ applies_to: ['response'], window: { characters: 64, overlap: 0 } }, 1);
      gateway.beta.answerWith(() => undefined);
      const leaving = new AbortController();
      const left = gateway.open(key, { ...ASKED, max_tokens: 500 }, leaving.signal).catch(() => undefined);
      await until(() => Promise.resolve(questions().length > 0));
      leaving.abort();
      await left;
      const record = await gateway.onlyRecord(key);

      expect(record).toMatchObject({ cancelled: true, charges: [{ model: 'acme/writer' }, { model: 'acme/guard' }] });
      expect(await reserved()).toEqual([]);
      await spentBy(key);
      await expectRecomputed();
    });

    it('answer 402 where it pays for the answer, and not for what judges it', async () => {
      const unjudged = await gateway.factory.key(organization, { limitUsd: 0.001 });
      const without = await gateway.ask(unjudged, ASKED);
      const key = await keyUnder({ applies_to: ['request'] }, 0.001);
      const refused = await gateway.ask(key, ASKED);
      const paying = await gateway.ask(await keyUnder({ applies_to: ['request'] }, 0.01), ASKED);

      expect([without.status, refused.status, paying.status]).toEqual([200, 402, 200]);
      expect(questions()).toHaveLength(1);
      expect(await spentBy(key)).toBe(0);
    });

    it('answer 402 to a model without a price where it does not pay for what judges it', async () => {
      const key = await keyUnder({ applies_to: ['request'] }, 0.001);
      const answer = await gateway.ask(key, { ...ASKED, model: 'acme/free', provider: {} });

      expect(answer.status).toBe(402);
      expect(gateway.beta.received).toEqual([]);
    });

    it('answer 200, and never pass the limit, however many requests come at once', async () => {
      const limit = 0.02;
      const key = await keyUnder({ applies_to: ['request', 'response'] }, limit);
      const answers = await Promise.all(Array.from({ length: 40 }, () => gateway.ask(key, ASKED)));

      const statuses = new Set(answers.map(({ status }) => status));
      expect([...statuses].filter((status) => ![200, 402, 403].includes(status))).toEqual([]);
      expect(statuses.has(200)).toBe(true);
      const spent = await spentBy(key);
      expect(spent).toBeGreaterThan(0);
      expect(spent).toBeLessThanOrEqual(limit);
      const [overruns] = await gateway.app.rows<{ count: string }>(
        `SELECT count(*) FROM generations WHERE key_id = $1 AND details ? 'overrunUsd'`,
        [key.id],
      );
      expect(Number(overruns!.count)).toBe(0);
    });

    it('answer 200 with a stream that breaks off where it is longer than was reserved for, also where texts pass after a failure', async () => {
      say('word '.repeat(4_000));
      const fields = { applies_to: ['response'], on_failure: 'pass', window: { characters: 64, overlap: 0 } };
      const key = await keyUnder(fields, 1);
      const streamed = await gateway.stream(key, ASKED);
      const record = await gateway.record(streamed, key);
      const unlimited = await gateway.stream(await keyUnder(fields), ASKED);

      expect(contentOf(streamed.events).length).toBeLessThan(2_000);
      expect(JSON.stringify(streamed.events)).toContain('error');
      expect(record['overrun']).toBe(0);
      expect(contentOf(unlimited.events)).toHaveLength(20_000);
      expectSums(record);
    });

    it('answer 200 and 403, and count what judges cost on limits by group, but not their tokens', async () => {
      const key = await keyUnder({ applies_to: ['request'] });
      const daily = { window: 'daily' };
      const byModel = await newLimit(gateway.app, organization, { ...daily, group_by: ['model'], measure: 'usd' });
      const byKey = await newLimit(gateway.app, organization, { ...daily, group_by: ['api_key'], measure: 'usd' });
      const tokens = await newLimit(gateway.app, organization, {
        ...{ ...daily, group_by: ['api_key'], measure: 'tokens', amount: 1_000 },
      });
      const passed = await gateway.ask(key, { ...ASKED, provider: { only: ['alpha'] } });
      const blocked = await gateway.ask(key, { messages: [{ role: 'user', content: 'grenade' }], max_tokens: 5 });

      expect([passed.status, blocked.status]).toEqual([200, 403]);
      const used = await judged.countedOn(gateway.app, organization);
      expect(used.get(byKey)).toBeCloseTo(ANSWER_COST + 2 * JUDGE_COST, 15);
      // What was asked of no model counts toward none.
      expect(used.get(byModel)).toBeCloseTo(ANSWER_COST + JUDGE_COST, 15);
      expect(used.get(tokens)).toBe(15);
    });

    it('answer 200 after an attempt that was given up, and charge all of it within what is reserved', async () => {
      const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
      gateway.alpha.answerJson(completion('', { choices: [], usage }));
      judgeBy(({ model }) => (model === 'guard' ? 'safe' : 'All is well.'));
      const key = await keyUnder({ applies_to: ['request', 'response'] }, 0.05);
      const answer = await gateway.ask(key, ASKED);

      expect(answer.status).toBe(200);
      const record = await gateway.record(answer, key);
      const charges = record['charges'] as Fields[];
      expect(charges.map(({ model }) => model)).toEqual(['acme/writer', 'acme/writer', 'acme/guard']);
      expect(record['overrun']).toBe(0);
      expect(await reserved()).toEqual([]);
      expectSums(record);
      await spentBy(key);
    });

    it('answer 200 to what is only tried, with what they may cost, and are not asked', async () => {
      const guardrail = await gateway.factory.guardrail(organization, {
        inspector_ids: [await inspector({ applies_to: ['request'] })],
      });
      const tried = await gateway.app.api.post<{ data: { admission: { worst_case: { cost_usd: number } } } }>(
        `/guardrails/${guardrail.id}/evaluate`,
        { key: organization.managementKey, json: { request: { model: 'acme/writer', ...ASKED } } },
      );

      expect(tried.status).toBe(200);
      expect(tried.body.data.admission.worst_case.cost_usd).toBeGreaterThan(0.002);
      expect(gateway.beta.received).toEqual([]);
    });

    it('answer 200, and are calculated again with the same result, by rules of prices too', async () => {
      let asked = 0;
      gateway.beta.answerWith((response) => {
        asked += 1;
        const prompt = asked % 2 === 0 ? 480 : 620;
        const usage = {
          ...{ prompt_tokens: prompt, completion_tokens: 7, total_tokens: prompt + 7 },
          prompt_tokens_details: { cached_tokens: asked * 100, cache_write_tokens: 50, audio_tokens: 9 },
          completion_tokens_details: { reasoning_tokens: asked },
        };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(completion('safe', { usage })));
      });
      say(WORDS);
      const settings = { model: 'acme/ruled-guard' };
      const key = await keyUnder({ applies_to: ['response'], settings, window: { characters: 64, overlap: 0 } }, 10);
      const { status, headers } = await gateway.stream(key, { ...ASKED, max_tokens: 500 });

      expect(status).toBe(200);
      expect(asked).toBeGreaterThan(6);
      const record = await gateway.record({ headers }, key);
      expect(record['charges']).toHaveLength(3);
      expectSums(record);
      await expectRecomputed();
      await spentBy(key);
    });
  });
});
