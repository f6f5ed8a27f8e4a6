import type { ServerResponse } from 'node:http';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { EndpointHealth } from '../../../../src/modules/routing/endpoint-health.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import type { TestApplication } from '../../../support/application/test-application.js';
import type { Answer } from '../../../support/network/api-client.js';
import { CLIENT_FORMS } from '../providers/plain-clients.js';
import { STREAM_HEAD } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';
import { busy, type Refusal, THINKING_DIALECTS, ThinkingProviders } from './thinking-providers.js';

type Fields = Readonly<Record<string, unknown>>;

const MODEL = 'acme/thinker';

const KEYS = { old: '11'.repeat(32), new: '22'.repeat(32) };

const OWN = 'sk-own-key-of-the-organization';

const refusing =
  (status: number, document: object): Refusal =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));

const says = (message: string, code: string | null = null): object => ({
  error: { message, type: 'invalid_request_error', param: null, code },
});

/** How providers refuse thoughts that they do not know. */
const REFUSALS: readonly [string, Refusal][] = [
  [
    'with a code',
    refusing(400, says('The encrypted content gAAA...Rg== could not be verified.', 'invalid_encrypted_content')),
  ],
  ['in words', refusing(400, says('The encrypted content for item rs_1 could not be verified.'))],
  [
    'as xAI does',
    refusing(400, { code: 'invalid-argument', error: 'Could not decrypt the provided encrypted_content.' }),
  ],
  ['as Anthropic does', refusing(400, says('messages.1.content.0: Invalid `signature` in `thinking` block'))],
  ['as Google does', refusing(400, says('Corrupted thought signature.'))],
  [
    'in a stream that fails before its first token',
    (response: ServerResponse) => {
      const error = { code: 'invalid_encrypted_content', message: 'The encrypted content could not be verified.' };
      const failed = { type: 'response.failed', response: { id: 'resp_1', status: 'failed', error, output: [] } };
      response.writeHead(200, STREAM_HEAD).end(`event: response.failed\ndata: ${JSON.stringify(failed)}\n\n`);
    },
  ],
];

describe('sendChatCompletionRequest with thoughts that are sealed', () => {
  const gateway = sharedGateway({
    variables: {
      PROVIDER_ALPHA_PROTOCOL: 'openai-responses',
      PROVIDER_BETA_PROTOCOL: 'openai-responses',
      ENCRYPTION_KEY: KEYS.old,
    },
    models: {
      [MODEL]: [
        endpoint('alpha', { supported_parameters: [] }),
        endpoint('beta', { supported_parameters: [], pricing: { prompt: '0.01', completion: '0.01' } }),
      ],
    },
  });
  const organization = organizationPerTest(gateway);
  const key: IssuedCredential = keyPerTest(gateway, organization);
  const form = CLIENT_FORMS.chat;
  let providers: ThinkingProviders;

  beforeEach(() => {
    providers = new ThinkingProviders(THINKING_DIALECTS['the Responses interface'], false);
    providers.play('alpha', gateway.alpha);
    providers.play('beta', gateway.beta);
  });

  const post = (
    request: Fields,
    { plaintext }: IssuedCredential = key,
    { api }: Pick<TestApplication, 'api'> = gateway.app,
    headers = {},
  ): Promise<Answer<Fields>> =>
    api.post<Fields>(form.path, { key: plaintext, json: { model: MODEL, ...request }, headers });

  const next = (request: Fields, { body }: Answer<Fields>): Fields => {
    const { messages } = form.continuing(request, body, []) as { messages: readonly object[] };
    return { ...request, messages: [...messages, { role: 'user', content: 'And then?' }] };
  };

  const QUESTION = form.asking({ text: 'What is new?', thinks: true });

  /** The second turn of a conversation whose first was answered by Beta. */
  const secondTurn = async (fields: Fields = {}): Promise<Fields> => {
    const answer = await post({ ...QUESTION, provider: { only: ['beta'] } });
    expect(answer).toMatchObject({ status: 200, body: { provider: 'Beta Cloud' } });
    return { ...next(QUESTION, answer), ...fields };
  };

  const thoughtsAt = (provider: 'alpha' | 'beta'): readonly number[] =>
    gateway[provider].received.map((request) => providers.thoughtsIn(request));

  const credentialsAt = (provider: 'alpha' | 'beta'): readonly unknown[] =>
    gateway[provider].received.map(({ headers }) => headers.authorization);

  const adjustmentsOf = async (answer: Answer<Fields>, credential = key): Promise<unknown> =>
    (await gateway.record(answer, credential))['adjustments'];

  const leftOut = (reason: string): object => ({ path: 'messages.*.reasoning_details', action: 'left_out', reason });

  /** A request with other encrypted texts. */
  const withData = (request: Fields, change: (data: string) => string): Fields =>
    JSON.parse(JSON.stringify(request), (name, value: unknown) =>
      name === 'data' && typeof value === 'string' ? change(value) : value,
    ) as Fields;

  it('answers 200 by another provider without them where the request may not go to their maker', async () => {
    const answer = await post(await secondTurn({ provider: { ignore: ['beta'] } }));

    expect(answer).toMatchObject({ status: 200, body: { provider: 'Alpha Cloud' } });
    expect({ alpha: thoughtsAt('alpha'), strayed: providers.strayed }).toEqual({ alpha: [0], strayed: [] });
    expect(await adjustmentsOf(answer)).toEqual([leftOut('thoughts_of_other_provider')]);
  });

  it.each([
    ['the order of the request names another one first', { provider: { order: ['alpha'] } }, 'Alpha Cloud'],
    ['only the cheapest may answer', { provider: { sort: 'price', allow_fallbacks: false } }, 'Beta Cloud'],
    [
      'models are sorted together',
      { models: [MODEL], provider: { sort: { by: 'price', partition: 'none' } } },
      'Beta Cloud',
    ],
    ['the order names their maker', { provider: { order: ['beta', 'alpha'] } }, 'Beta Cloud'],
  ])('answers 200 where %s', async (_, fields, provider) => {
    const answer = await post(await secondTurn(fields));

    expect(answer).toMatchObject({ status: 200, body: { provider } });
    expect(providers.strayed).toEqual([]);
  });

  it('answers 200 by another provider while the endpoint of their maker is down', async () => {
    const turn = await secondTurn();
    const health = gateway.app.application.get(EndpointHealth);
    const down = (response: ServerResponse): void => void response.writeHead(503).end();
    while (health.conditionOf(`${MODEL} beta`, organization.organizationId) !== 'down') {
      providers.refuseNext('beta', down);
      await post({ ...QUESTION, provider: { only: ['beta'] } });
    }

    expect(await post(turn)).toMatchObject({ status: 200, body: { provider: 'Alpha Cloud' } });
    expect(providers.strayed).toEqual([]);
  });

  it('answers 200 with the credential that made them: that of the deployment before an own key, and the reverse', async () => {
    const bringing = { provider: 'alpha', key: OWN };
    const made = await gateway.app.api.post('/byok', { key: organization.managementKey, json: bringing });
    expect(made.status).toBe(201);
    providers.refuseNext('alpha', busy);
    const first = await post({ ...QUESTION, provider: { only: ['alpha'] } });
    const turn = next(QUESTION, first);
    const second = await post(turn);
    const byOwnKey = await post(QUESTION);
    await post(next(QUESTION, byOwnKey));

    expect([first.status, second.status, byOwnKey.status]).toEqual([200, 200, 200]);
    const [own, shared] = [`Bearer ${OWN}`, expect.stringContaining('sk-provider')];
    expect(credentialsAt('alpha')).toEqual([own, shared, shared, own, own]);
    expect({ thoughts: thoughtsAt('alpha'), strayed: providers.strayed }).toEqual({
      thoughts: [0, 0, 1, 0, 1],
      strayed: [],
    });

    // The deployment's credential is limited, so that the own key answers.
    providers.refuseNext('alpha', busy);
    const elsewhere = await post({ ...turn, provider: { only: ['alpha'] } });
    expect(elsewhere.status).toBe(200);
    expect(credentialsAt('alpha').slice(-2)).toEqual([shared, own]);
    expect(thoughtsAt('alpha').slice(-2)).toEqual([1, 0]);
    expect(await adjustmentsOf(elsewhere)).toEqual([leftOut('thoughts_of_other_provider')]);
    expect(providers.strayed).toEqual([]);
  });

  it('answers 200 without thoughts whose seal was changed, or that another organization was given', async () => {
    const turn = await secondTurn();
    const other = await gateway.factory.key(await gateway.factory.organization());
    const changed = withData(turn, (data) => `${data.slice(0, -8)}AAAAAAA=`);
    const cut = withData(turn, (data) => data.slice(0, 20));
    for (const [request, credential] of [
      [changed, key],
      [cut, key],
      [turn, other],
    ] as const) {
      const answer = await post({ ...request, provider: { only: ['beta'] } }, credential);
      expect(answer.status).toBe(200);
      expect(await adjustmentsOf(answer, credential)).toContainEqual(leftOut('thoughts_not_recognized'));
    }

    expect({ beta: thoughtsAt('beta'), strayed: providers.strayed }).toEqual({ beta: [0, 0, 0, 0], strayed: [] });
  });

  it('answers 200 with thoughts that are not sealed handed on as they are', async () => {
    const turn = withData(await secondTurn(), (data) => data.slice('gatehse1'.length + 48));
    const answer = await post(turn);

    expect(answer).toMatchObject({ status: 200, body: { provider: 'Alpha Cloud' } });
    expect(thoughtsAt('alpha')).toEqual([1]);
    expect(await adjustmentsOf(answer)).toEqual([]);
  });

  it('answers 200 with those that were sealed before the keys were exchanged', async () => {
    const replica = await gateway.replica({
      PROVIDER_ALPHA_PROTOCOL: 'openai-responses',
      PROVIDER_BETA_PROTOCOL: 'openai-responses',
      ENCRYPTION_KEY: `${KEYS.new},${KEYS.old}`,
    });
    const turn = await secondTurn();
    const second = await post(turn, key, replica);
    const third = next(turn, second);
    const answer = await post(third, key, replica);
    // A replica that has not got the new key yet does not know what was sealed with it.
    const before = await post(third);

    expect([second, answer, before].map(({ status, body }) => [status, body['provider']])).toEqual([
      [200, 'Beta Cloud'],
      [200, 'Beta Cloud'],
      [200, 'Beta Cloud'],
    ]);
    expect(thoughtsAt('beta')).toEqual([0, 1, 2, 1]);
    expect(await adjustmentsOf(before)).toContainEqual(leftOut('thoughts_not_recognized'));
  });

  it('answers 200 with an answer from the cache, whose thoughts are sealed for who made them', async () => {
    const path = `/workspaces/${organization.workspaceId}`;
    const json = { is_response_cache_enabled: true };
    expect((await gateway.app.api.patch(path, { key: organization.managementKey, json })).status).toBe(200);
    providers.refuseNext('alpha', busy);
    const kept = await post(QUESTION, key, gateway.app, { 'x-cache': 'use' });
    const found = await post(QUESTION, key, gateway.app, { 'x-cache': 'use' });
    expect([kept, found].map(({ status, headers }) => [status, headers.get('x-cache')])).toEqual([
      [200, 'miss'],
      [200, 'hit'],
    ]);
    expect(found.body['choices']).toEqual(kept.body['choices']);

    expect(await post(next(QUESTION, found))).toMatchObject({ status: 200, body: { provider: 'Beta Cloud' } });
    expect({ beta: thoughtsAt('beta'), strayed: providers.strayed }).toEqual({ beta: [0, 1], strayed: [] });
  });

  it('answers 200 behind content filters with the thoughts as they were, and logs what the client has sent', async () => {
    const path = `/workspaces/${organization.workspaceId}`;
    const json = { is_observability_io_logging_enabled: true };
    expect((await gateway.app.api.patch(path, { key: organization.managementKey, json })).status).toBe(200);
    const filtered = await gateway.guardedKey(organization, {
      content_filter_builtins: [
        { slug: 'email', action: 'redact' },
        { slug: 'secrets', action: 'redact' },
      ],
    });
    const turn = await secondTurn();
    const answer = await post(turn, filtered);

    expect(answer).toMatchObject({ status: 200, body: { provider: 'Beta Cloud' } });
    expect(thoughtsAt('beta')).toEqual([0, 1]);
    const content = `/generation/content?id=${answer.headers.get('x-generation-id')}`;
    const { body } = await gateway.app.api.get<{ data: object }>(content, { key: filtered.plaintext });
    expect(body.data).toMatchObject({ input: { messages: turn['messages'] } });
  });

  it('answers 200 without letting the model think where another provider demands the thoughts that it does not get', async () => {
    const turn = await secondTurn();
    providers.refuseNext('beta', busy);
    const demand = says('messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.');
    providers.refuseNext('alpha', refusing(400, demand));
    const answer = await post(turn);

    expect(answer).toMatchObject({ status: 200, body: { provider: 'Alpha Cloud' } });
    const efforts = gateway.alpha.received.map(
      ({ body }) => (body as { reasoning?: { effort?: string } }).reasoning?.effort,
    );
    expect(efforts).toEqual(['high', 'none']);
    const record = await gateway.record(answer, key);
    const { provider_responses: made } = record as unknown as { provider_responses: { status: number }[] };
    expect(made.map(({ status }) => status)).toEqual([429, 400, 200]);
    expect(record['adjustments']).toContainEqual(leftOut('thoughts_of_other_provider'));
    const off = { path: 'reasoning', action: 'left_out', reason: 'turn_without_thoughts' };
    expect(record['adjustments']).toContainEqual(off);
    expect(providers.strayed).toEqual([]);
  });

  describe.each(REFUSALS)('that their maker refuses %s', (kind, refusal) => {
    const isStreamed = kind.includes('stream');

    it('answers 200 by asking it once more without them, in one reservation and as good health', async () => {
      const turn = await secondTurn({ stream: isStreamed });
      providers.refuseNext('beta', refusal);
      const answer = await post(turn);

      expect(answer.status).toBe(200);
      expect({ beta: thoughtsAt('beta'), alpha: thoughtsAt('alpha') }).toEqual({ beta: [0, 1, 0], alpha: [] });
      const record = await gateway.record(answer, key);
      expect(record).toMatchObject({ status: 200, provider_name: 'Beta Cloud' });
      const { provider_responses: made } = record as unknown as { provider_responses: { status: number | null }[] };
      expect(made.map(({ status }) => status)).toEqual([isStreamed ? null : 400, 200]);
      expect(record['adjustments']).toContainEqual(leftOut('thoughts_refused'));
      const health = gateway.app.application.get(EndpointHealth);
      expect(health.conditionOf(`${MODEL} beta`, organization.organizationId)).toBe('normal');
    });

    it('asks no more than once more, and answers 400 or 503', async () => {
      const turn = await secondTurn({ stream: isStreamed, provider: { only: ['beta'] } });
      for (let number = 0; number < 3; number += 1) providers.refuseNext('beta', refusal);
      const answer = await post(turn);

      expect([400, 503]).toContain(answer.status);
      expect(thoughtsAt('beta')).toEqual([0, 1, 0]);
    });

    it('does not ask again, with a 400 or 503, where the request carries none', async () => {
      providers.refuseNext('beta', refusal);
      const answer = await post({ ...QUESTION, stream: isStreamed, provider: { only: ['beta'] } });

      expect([400, 503]).toContain(answer.status);
      expect(gateway.beta.received).toHaveLength(1);
    });
  });
});
