import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { AnalyticsResult } from '../../../src/modules/usage/analytics/dto/analytics-query.dto.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import type { Answer } from '../../support/network/api-client.js';
import { newInspector } from '../../support/resources/inspectors.js';
import { newLimit } from '../../support/resources/limits.js';
import { approveAll, newMcpServer } from '../../support/resources/mcp-servers.js';
import { until } from '../../support/time/until.js';
import {
  countedOn,
  expectRecomputed,
  expectSums,
  JUDGE_COST,
  JUDGE_USAGE,
  type Question,
  reservedFor,
  spentBy,
} from '../inference/content/judged-records.js';
import { completion } from '../inference/provider-answers.js';
import { sharedGateway } from '../inference/shared-gateway.js';
import { endpoint } from '../inference/test-gateway.js';
import { startAskingServer } from './asking-server.js';
import { guardedKey, headersOf, modernMessage, type RpcAnswer } from './mcp-gateway.js';
import { startModernServer } from './real-servers.js';

type Fields = Readonly<Record<string, unknown>>;

/** What a call of a tool costs by itself. */
const PRICE = 0.001;

/** More than what judging the arguments and the result of a call may cost, and less than twice of it. */
const ENOUGH = 0.2;

/** More than is paid for of a result, and no more than a question may have. */
const LONG = 'x'.repeat(300_000);

describe('judge models of calls of tools', () => {
  const gateway = sharedGateway({
    variables: { ALLOW_PRIVATE_DESTINATIONS: 'true' },
    models: { 'acme/guard': [endpoint('beta')], 'acme/zdr-guard': [endpoint('beta', { zdr: true })] },
  });
  const organization = organizationPerTest(gateway);
  const real = filledBefore(beforeAll, () => startModernServer());
  const asking = filledBefore(beforeAll, startAskingServer);
  afterAll(() => Promise.all([real.stop(), asking.stop()]));

  /** Lets the judge answer by what it is asked about. */
  const judgeBy = (said: (question: Question) => string, usage: object | null = JUDGE_USAGE): void =>
    gateway.beta.answerWith((response, { body }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(completion(said(body as Question), { usage })));
    });

  beforeEach(async () => {
    real.headers.length = 0;
    judgeBy(({ messages }) => (messages.some(({ content }) => content.includes('grenade')) ? 'unsafe\nS9' : 'safe'));
    const id = await newMcpServer(gateway.app, organization, { name: 'docs', url: real.url, price_per_call: PRICE });
    await approveAll(gateway.app, organization, id);
    real.headers.length = 0;
  });

  /** A key whose guardrail allows the tools, and names a judge. @param more of the guardrail */
  const keyUnder = async (fields: Fields = {}, more: Fields = {}): Promise<IssuedCredential> => {
    const { settings = {}, ...others } = fields;
    const id = await newInspector(gateway.app, organization, {
      ...{ name: 'Judge', protocol: 'model', url: null, api_key: null, timeout_ms: 30_000 },
      settings: { model: 'acme/guard', ...(settings as object) },
      applies_to: ['tool_call', 'tool_result'],
      ...others,
    });
    return guardedKey(gateway.app, organization, { allowed_mcp_tools: ['docs/*'], inspector_ids: [id], ...more });
  };

  const budget = (limit: number): Fields => ({ limit_usd: limit, reset_interval: 'daily' });

  const send = (key: IssuedCredential, method: string, params: Fields, path = '/mcp'): Promise<Answer<RpcAnswer>> => {
    const { headers, json } = modernMessage(method, params);
    return gateway.app.api.post(path, { key: key.plaintext, json, headers });
  };

  const call = (key: IssuedCredential, text = 'hello', tool = 'echo'): Promise<Answer<RpcAnswer>> =>
    send(key, 'tools/call', { name: `docs__${tool}`, arguments: tool === 'echo' ? { text } : {} });

  const questions = (): Question[] => gateway.beta.received.map(({ body }) => body as Question);
  const reasonOf = ({ body }: Answer<RpcAnswer>): unknown => body.error?.data?.['reason'];
  const spent = (key: IssuedCredential): Promise<number> => spentBy(gateway.app, organization, key);
  const recomputed = (): Promise<void> => expectRecomputed(gateway.app, organization);
  const reserved = (): Promise<unknown[]> => reservedFor(gateway.app, organization);

  it('answer 200 to what they let pass, and are charged with the call', async () => {
    const key = await keyUnder({}, budget(1));
    const answer = await call(key);

    expect(answer.status).toBe(200);
    expect(answer.body.result).toMatchObject({ content: [{ text: 'You said: hello' }] });
    expect(questions().map(({ messages }) => messages)).toEqual([
      [
        { role: 'user', content: '(nothing)' },
        { role: 'assistant', content: '{"arguments":{"text":"hello"}}' },
      ],
      [{ role: 'user', content: 'You said: hello' }],
    ]);
    const record = await gateway.record(answer, key);
    expect(record).toMatchObject({
      ...{ api_type: 'mcp', is_byok: false, overrun: 0, tokens_prompt: null },
      inspector_actions: [
        { name: 'Judge', place: 'tool_call', outcome: 'passed', count: 1, cost: JUDGE_COST },
        { name: 'Judge', place: 'tool_result', outcome: 'passed', count: 1, cost: JUDGE_COST },
      ],
      charges: [
        { model: 'mcp:docs/echo', endpoint: 'docs', cost: PRICE },
        { model: 'acme/guard', endpoint: 'beta', cost: 2 * JUDGE_COST },
      ],
    });
    expect(record.total_cost).toBeCloseTo(PRICE + 2 * JUDGE_COST, 15);
    expectSums(record);
    expect(await spent(key)).toBeCloseTo(PRICE + 2 * JUDGE_COST, 15);
    expect(await reserved()).toEqual([]);
    await recomputed();
    const query = { metrics: ['total_usage'], dimensions: ['tool'] };
    const used = await gateway.app.api.post<{ data: AnalyticsResult }>('/analytics/query', {
      key: organization.managementKey,
      json: query,
    });
    expect(used.body.data.data).toEqual([{ tool: 'docs/echo', total_usage: record.total_cost }]);
  });

  it('answer 200 with a result that says so to blocked arguments, recorded as a 403, send nothing, and give back all but the question', async () => {
    const key = await keyUnder({}, budget(1));
    const answer = await call(key, 'Build a grenade.');

    expect(answer.body.result).toMatchObject({
      isError: true,
      content: [{ text: 'Request blocked by content filter: Judge' }],
    });
    expect(real.headers).toEqual([]);
    const record = await gateway.record(answer, key);
    expect(record).toMatchObject({
      ...{ status: 403, refusal: 'content_blocked', total_cost: JUDGE_COST },
      inspector_actions: [{ place: 'tool_call', outcome: 'blocked', cost: JUDGE_COST }],
    });
    expectSums(record);
    expect(await spent(key)).toBe(JUDGE_COST);
    expect(await reserved()).toEqual([]);
    await recomputed();
  });

  it('answer 200 with a result that says so in place of one that is blocked, recorded as a 403, which costs the call and the question', async () => {
    const key = await keyUnder({ applies_to: ['request', 'tool_result'] }, budget(1));
    const answer = await call(key, 'a grenade');

    expect(answer.body.result).toMatchObject({ isError: true });
    expect(answer.text).not.toContain('grenade');
    expect(real.headers.length).toBeGreaterThan(0);
    const record = await gateway.record(answer, key);
    expect(record).toMatchObject({
      ...{ status: 403, refusal: 'content_blocked' },
      inspector_actions: [{ place: 'tool_result', outcome: 'blocked', cost: JUDGE_COST }],
    });
    expect(record.total_cost).toBeCloseTo(PRICE + JUDGE_COST, 15);
    expectSums(record);
    await recomputed();
  });

  it('answer 200 to what one blocks that observes, and record what it would have done', async () => {
    const key = await keyUnder({ mode: 'observe' }, budget(1));
    const answer = await call(key, 'a grenade');

    expect(answer.body.result).toMatchObject({ content: [{ text: 'You said: a grenade' }] });
    const record = await gateway.record(answer, key);
    expect(record).toMatchObject({
      inspector_actions: [
        { place: 'tool_call', outcome: 'blocked', observed: true, cost: JUDGE_COST },
        { place: 'tool_result', outcome: 'blocked', observed: true, cost: JUDGE_COST },
      ],
    });
    expectSums(record);
  });

  it('answer 200 to what a verdict in JSON lets pass, which is told where the texts are from', async () => {
    judgeBy(() => '{"verdict": "pass"}');
    const settings = { form: 'verdict', prompt: 'Block all about the weather.' };
    const answer = await call(await keyUnder({ settings }));

    expect(answer.body.result).toBeDefined();
    expect(questions().map(({ messages }) => JSON.parse(messages[1]!.content) as object)).toEqual([
      { place: 'tool_call', texts: ['{"arguments":{"text":"hello"}}'] },
      { place: 'tool_result', texts: ['You said: hello'] },
    ]);
  });

  it('answer 200 with an error where the provider of one fails and texts are blocked then, or with the result where they pass, and cost nothing', async () => {
    gateway.beta.answerJson({ error: { message: 'down' } }, 500);
    const [blocking, passing] = [await keyUnder({}, budget(1)), await keyUnder({ on_failure: 'pass' }, budget(1))];
    const refused = await call(blocking);

    expect(reasonOf(refused)).toBe('content_analyzer_unavailable');
    expect(real.headers).toEqual([]);
    expect(await spent(blocking)).toBe(0);
    const passed = await call(passing);
    expect(passed.body.result).toMatchObject({ content: [{ text: 'You said: hello' }] });
    expect(await gateway.record(passed, passing)).toMatchObject({
      total_cost: PRICE,
      inspector_actions: [
        { place: 'tool_call', outcome: 'failed' },
        { place: 'tool_result', outcome: 'failed' },
      ],
    });
    expect(await reserved()).toEqual([]);
  });

  it('answer 200 with an error where one takes too long, and charge its prompt', async () => {
    gateway.beta.answerWith(() => undefined);
    const key = await keyUnder({ timeout_ms: 300 }, budget(1));
    const answer = await call(key);

    expect(reasonOf(answer)).toBe('content_analyzer_unavailable');
    const record = await gateway.record(answer, key);
    expect(record).toMatchObject({ is_usage_estimated: true, charges: [{ model: 'acme/guard' }] });
    expect(record.total_cost).toBeGreaterThan(0);
    expectSums(record);
    await recomputed();
  });

  it('answer 200 with an error where a budget pays for the call and not for what judges it, and ask nobody', async () => {
    const unjudged = await guardedKey(gateway.app, organization, { allowed_mcp_tools: ['docs/*'], ...budget(0.01) });
    expect((await call(unjudged)).body.result).toBeDefined();
    const asked = real.headers.length;
    const key = await keyUnder({}, budget(0.01));
    const answer = await call(key);

    expect(reasonOf(answer)).toBe('insufficient_budget');
    expect(questions()).toEqual([]);
    expect(real.headers).toHaveLength(asked);
    expect(await spent(key)).toBe(0);
    // That of arguments alone costs less, because their size is known.
    expect((await call(await keyUnder({ applies_to: ['tool_call'] }, budget(0.01)))).body.result).toBeDefined();
  });

  it('answer 200 with an error to a tool without a price too once a limit is met that its judge has to be paid from', async () => {
    await gateway.app.api.patch(`/mcp-servers/${await serverId()}`, {
      key: organization.managementKey,
      json: { price_per_call: 0 },
    });
    const key = await keyUnder({ applies_to: ['tool_call'] }, budget(0.004));
    expect((await call(key)).body.result).toBeDefined();
    await gateway.app.rows('UPDATE api_keys SET limit_usd = 0.0001 WHERE id = $1', [key.id]);
    const asked = questions().length;

    expect(reasonOf(await call(key))).toBe('key_limit_exceeded');
    expect(questions()).toHaveLength(asked);
  });

  it('answer 200 with an error to a result that is longer than one that is paid for, also where texts pass after a failure, and without a limit', async () => {
    for (const limit of [budget(10), {}]) {
      const key = await keyUnder({ applies_to: ['tool_result'], on_failure: 'pass' }, limit);
      const refused = await call(key, LONG);
      expect(reasonOf(refused)).toBe('content_analyzer_unavailable');
      expect(questions()).toEqual([]);
      expect(await gateway.record(refused, key)).toMatchObject({ total_cost: PRICE, overrun: 0 });
      expect((await call(key, LONG.slice(0, 260_000))).body.result).toBeDefined();
      expect(questions()).toHaveLength(1);
      gateway.beta.received.length = 0;
    }
  });

  it('answer 200 to what a server asks the client, and to what the client answers in the next call, which are judged and charged as well', async () => {
    const key = await keyUnder({}, budget(1));
    const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
    const asking = (further: Fields = {}): Promise<Answer<RpcAnswer>> =>
      send(key, 'tools/call', { name: 'docs__ask', ...further, _meta: meta });
    const asked = await asking();
    expect(asked.body.result).toMatchObject({ resultType: 'input_required' });
    expect(questions()[1]!.messages[0]!.content).toContain('Which color?');
    expect((await gateway.record(asked, key)).total_cost).toBeCloseTo(2 * JUDGE_COST, 15);
    const inputResponses = { color: { action: 'accept', content: { color: 'grenade' } } };
    const { requestState } = asked.body.result!;
    const before = real.headers.length;
    const blocked = await asking({ inputResponses, requestState });

    expect(blocked.body.result).toMatchObject({ isError: true });
    expect(real.headers).toHaveLength(before);
    expect((await gateway.record(blocked, key)).total_cost).toBe(JUDGE_COST);
  });

  it('answer 200 in a session at a server, where they judge what it asks the client, as far as the call pays for it', async () => {
    const id = await newMcpServer(gateway.app, organization, { name: 'asking', url: asking.url });
    await approveAll(gateway.app, organization, id);
    const key = await keyUnder({ applies_to: ['tool_result'] }, { allowed_mcp_tools: ['asking/*'], ...budget(1) });
    const client = new LegacyClient(
      { name: 'test', version: '1.0.0' },
      { capabilities: { elicitation: { form: {} } } },
    );
    const heard: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      heard.push(params.message);
      return { action: 'accept', content: { color: 'blue' } };
    });
    const url = new URL(`${gateway.app.origin}/api/v1/mcp/asking`);
    await client.connect(new LegacyTransport(url, { requestInit: headersOf(key) }));
    const askFor = (text: string): Promise<unknown> =>
      client.callTool({ name: 'ask_elicitation', arguments: { text } });

    expect(await askFor('Which color?')).toMatchObject({
      content: [{ text: expect.stringContaining('blue') as string }],
    });
    expect(await askFor('Which grenade?')).toMatchObject({ isError: true });
    await client.close();
    expect(heard).toEqual(['Which color?']);
    // What is asked, and the result, of both calls.
    await until(async () => (await spent(key)) > 3.9 * JUDGE_COST);
    expect(await spent(key)).toBeCloseTo(4 * JUDGE_COST, 15);
    expect(await reserved()).toEqual([]);
  });

  it('answer 200, and never pass a budget that requests to models share, however many come at once', async () => {
    const limit = 3 * ENOUGH;
    const id = await newInspector(gateway.app, organization, {
      ...{ name: 'Judge', protocol: 'model', url: null, api_key: null, timeout_ms: 30_000 },
      ...{ settings: { model: 'acme/guard' }, applies_to: ['request', 'tool_call', 'tool_result'] },
    });
    judgeBy(() => 'safe', { prompt_tokens: 9_000, completion_tokens: 64, total_tokens: 9_064 });
    const settings = { allowed_mcp_tools: ['docs/*'], inspector_ids: [id], ...budget(limit) };
    const guarded = await guardedKey(gateway.app, organization, settings);
    const chat = { messages: [{ role: 'user', content: 'Hello.' }], max_tokens: 5 };
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        if (index % 3 > 0) return reasonOf(await call(guarded)) ?? 'called';
        const { status } = await gateway.ask(guarded, chat);
        return status === 200 ? 'answered' : status;
      }),
    );

    const outcomes = new Set(answers);
    expect(
      [...outcomes].filter((one) => !['called', 'answered', 'insufficient_budget', 402].includes(one as never)),
    ).toEqual([]);
    expect(outcomes).toContain('called');
    expect(outcomes).toContain('insufficient_budget');
    const sum = await spent(guarded);
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThanOrEqual(limit);
    const overruns = await gateway.app.rows(`SELECT 1 FROM generations WHERE key_id = $1 AND details ? 'overrunUsd'`, [
      guarded.id,
    ]);
    expect(overruns).toEqual([]);
    expect(await reserved()).toEqual([]);
    await recomputed();
  });

  it('answer 200, and count what they cost on limits by group in US dollars, but neither their tokens nor a blocked call', async () => {
    const key = await keyUnder({ applies_to: ['tool_call'] });
    const daily = { window: 'daily', amount: 100, group_by: ['tool'] };
    const dollars = await newLimit(gateway.app, organization, { ...daily, measure: 'usd' });
    const tokens = await newLimit(gateway.app, organization, { ...daily, measure: 'tokens' });
    const requests = await newLimit(gateway.app, organization, { ...daily, measure: 'requests' });
    await call(key);
    await call(key, 'Build a grenade.');
    const used = await countedOn(gateway.app, organization);

    expect(used.get(dollars)).toBeCloseTo(PRICE + 2 * JUDGE_COST, 15);
    expect(used.get(tokens) ?? 0).toBe(0);
    expect(used.get(requests)).toBe(1);
  });

  it('answer 200 and count what one uses through an own key as usage of own keys, beside the price', async () => {
    await gateway.app.api.post('/byok', {
      key: organization.managementKey,
      json: { provider: 'beta', key: 'sk-own-0123456789abcdef' },
    });
    const key = await keyUnder({}, budget(1));
    await gateway.app.rows('UPDATE api_keys SET limit_usd = 1 WHERE id = $1', [key.id]);
    const answer = await call(key);

    expect(answer.body.result).toBeDefined();
    const { body } = await gateway.app.api.get<{ data: { usage: number; byok_usage: number } }>(`/keys/${key.hash}`, {
      key: organization.managementKey,
    });
    expect(body.data.usage).toBe(PRICE);
    expect(body.data.byok_usage).toBeCloseTo(2 * JUDGE_COST, 15);
    expect(await gateway.record(answer, key)).toMatchObject({ is_byok: false, overrun: 0 });
    expect(await reserved()).toEqual([]);
  });

  it('answer 200 by endpoints that the guardrail lets texts go to, whichever models it allows', async () => {
    const policy = { enforce_zdr: true, allowed_models: ['acme/writer'] };
    const statuses: unknown[] = [];
    for (const model of ['acme/guard', 'acme/zdr-guard']) {
      statuses.push(reasonOf(await call(await keyUnder({ settings: { model } }, policy))));
    }

    expect(statuses).toEqual(['content_analyzer_unavailable', undefined]);
    expect(new Set(questions().map(({ model }) => model))).toEqual(new Set(['zdr-guard']));
  });

  it('answer 200 to a client that leaves while its arguments are judged, whose call is charged the question and not sent', async () => {
    gateway.beta.answerWith(() => undefined);
    const key = await keyUnder({}, budget(1));
    const leaving = new AbortController();
    const { headers, json } = modernMessage('tools/call', { name: 'docs__echo', arguments: { text: 'hello' } });
    const left = fetch(`${gateway.app.origin}/api/v1/mcp`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${key.plaintext}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
      signal: leaving.signal,
    }).catch(() => undefined);
    await until(() => Promise.resolve(questions().length > 0));
    leaving.abort();
    await left;
    const record = await gateway.onlyRecord(key);

    expect(record).toMatchObject({ cancelled: true, charges: [{ model: 'acme/guard' }] });
    expect(real.headers).toEqual([]);
    expect(await reserved()).toEqual([]);
    expect(await spent(key)).toBe(record.total_cost);
    await recomputed();
  });

  it('answer 200 with an error to prompts, which nothing is reserved for, or with the prompt where texts pass after a failure, and are not asked', async () => {
    const asked = { name: 'greet', arguments: { name: 'Ada' } };
    const refused = await send(await keyUnder(), 'prompts/get', asked, '/mcp/docs');
    const passed = await send(await keyUnder({ on_failure: 'pass' }), 'prompts/get', asked, '/mcp/docs');

    expect(reasonOf(refused)).toBe('content_analyzer_unavailable');
    expect(passed.body.result).toBeDefined();
    expect(questions()).toEqual([]);
  });

  async function serverId(): Promise<string> {
    const [server] = await gateway.app.rows<{ id: string }>('SELECT id FROM mcp_servers WHERE organization_id = $1', [
      organization.organizationId,
    ]);
    return server!.id;
  }
});
