import type { ServerResponse } from 'node:http';
import type { ErrorBody } from '../../../support/network/api-client.js';
import type { ProviderAnswer } from '../../../support/network/provider-server.js';
import { PROVIDER_KEY } from '../test-gateway.js';
import { chunk, completion, STREAM_HEAD } from '../provider-answers.js';
import { chunksOf, textOf } from '../read-answers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

const json = (status: number, body: object, headers: Record<string, string> = {}): ProviderAnswer => {
  const head = { 'content-type': 'application/json', ...headers };
  return (response: ServerResponse) => void response.writeHead(status, head).end(JSON.stringify(body));
};

const error = (status: number, headers?: Record<string, string>): ProviderAnswer =>
  json(status, { error: { message: 'No.' } }, headers);

const text = (status: number, body: string): ProviderAnswer => {
  return (response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(body);
};

const stream = (events: string): ProviderAnswer => {
  return (response) => void response.writeHead(200, STREAM_HEAD).end(events);
};

/** So deep that it can be parsed, but not written again. */
const NESTED = '['.repeat(20_000) + ']'.repeat(20_000);

const NESTED_CALL = `{"choices":[{"index":0,"delta":{"tool_calls":[{"function":{"arguments":${NESTED}}}]}}]}`;

/** What Alpha does, and the status of its attempt. */
const FAILURES: readonly (readonly [name: string, answer: ProviderAnswer, status: number | null])[] = [
  ['answers 429', error(429), 429],
  ['answers 500', error(500), 500],
  ['answers 502', error(502), 502],
  ['answers 401', error(401), 401],
  ['answers 404', error(404), 404],
  [
    'closes the connection within its answer',
    (response) => void response.socket!.write('HTTP', () => response.destroy()),
    null,
  ],
  [
    'answers with a document that nests too deep',
    text(200, `{"choices":[{"message":{"content":"","odd":${NESTED}}}]}`),
    null,
  ],
  ['answers with an error that nests too deep', text(500, `{"error":{"message":${NESTED}}}`), 500],
  ['answers with an error of status 200 that nests too deep', text(200, `{"error":{"message":${NESTED}}}`), null],
  ['answers with a page', (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'), null],
];

const STREAM_FAILURES: typeof FAILURES = [
  ['sends an empty stream', stream(''), null],
  ['sends nothing but [DONE]', stream('data: [DONE]\n\n'), null],
  ['breaks off behind a chunk that says nothing', stream(chunk({ role: 'assistant', content: '' })), null],
  ['ends behind a chunk that says nothing', stream(`${chunk({ role: 'assistant' })}data: [DONE]\n\n`), null],
  ['begins its stream with a call that nests too deep', stream(`data: ${NESTED_CALL}\n\n`), null],
  ['begins its stream with an error', stream('data: {"error":{"message":"No.","code":529}}\n\n'), 529],
];

describe('sendChatCompletionRequest with several candidates', () => {
  const gateway = sharedGateway();
  const key = keyPerTest(gateway, organizationPerTest(gateway));

  const attempts = (first: number | null): object => ({
    provider_name: 'Beta Cloud',
    provider_responses: [
      { provider_name: 'Alpha Cloud', status: first },
      { provider_name: 'Beta Cloud', status: 200 },
    ],
  });

  it.each(FAILURES)('answers 200 by the next endpoint where the first %s', async (_, answer, status) => {
    gateway.alpha.answerWith(answer);
    const whole = await gateway.ask(key);
    const streamed = await gateway.stream(key);

    expect([whole.status, streamed.status]).toEqual([200, 200]);
    expect(whole.body).toMatchObject({ model: 'acme/writer', provider: 'Beta Cloud' });
    expect(textOf(streamed)).toBe('All is well.');
    for (const one of [whole, streamed]) expect(await gateway.record(one, key)).toMatchObject(attempts(status));
  });

  it.each(STREAM_FAILURES)(
    'answers 200 by the stream of the next endpoint where the first %s',
    async (_, answer, status) => {
      gateway.alpha.answerWith(answer);
      const streamed = await gateway.stream(key);

      expect(streamed.status).toBe(200);
      expect(textOf(streamed)).toBe('All is well.');
      expect(streamed.text).not.toContain('Alpha Cloud');
      expect(await gateway.record(streamed, key)).toMatchObject(attempts(status));
    },
  );

  it('answers 200 by the next endpoint where the first does not answer in time', async () => {
    await gateway.limitAlpha({ connect: 50, headers: 50, firstEvent: 50 });
    gateway.alpha.answerWith(() => undefined);
    const whole = await gateway.ask(key);
    gateway.alpha.answerWith((response) => {
      response.writeHead(200, STREAM_HEAD).flushHeaders();
    });
    const streamed = await gateway.stream(key);

    expect([whole.status, streamed.status]).toEqual([200, 200]);
    for (const one of [whole, streamed]) expect(await gateway.record(one, key)).toMatchObject(attempts(null));
    await gateway.limitAlpha({});
  });

  it('answers 200 by the next model where all endpoints of the first refuse the request', async () => {
    for (const provider of [gateway.alpha, gateway.beta]) {
      provider.answerWith((response, request) => {
        const { model } = request.body as { model: string };
        return model === 'writer' ? error(400)(response, request) : json(200, completion('Spare.'))(response, request);
      });
    }
    const answer = await gateway.ask(key, { models: ['acme/spare'] });

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ model: 'acme/spare', choices: [{ message: { content: 'Spare.' } }] });
    expect(await gateway.record(answer, key)).toMatchObject({
      model: 'acme/spare',
      provider_responses: [
        { model_permaslug: 'acme/writer-20260102', provider_name: 'Alpha Cloud', status: 400 },
        { model_permaslug: 'acme/spare-20260102', provider_name: 'Beta Cloud', status: 200 },
      ],
    });
  });

  it('answers 400 of a provider without asking another endpoint of the model, also where models are sorted together', async () => {
    for (const provider of [gateway.alpha, gateway.beta]) provider.answerWith(error(400));
    const provider = { sort: { by: 'price', partition: 'none' } };
    const answer = await gateway.ask(key, { models: ['acme/spare'], provider });

    expect(answer.status).toBe(400);
    const { provider_responses: made } = await gateway.record(answer, key);
    expect((made as { model_permaslug: string }[]).map((one) => one.model_permaslug).sort()).toEqual([
      'acme/spare-20260102',
      'acme/writer-20260102',
    ]);
  });

  it('answers 200 by the first endpoint alone, and 503 where that fails and fallbacks are not allowed', async () => {
    const provider = { order: ['alpha'], allow_fallbacks: false };
    expect((await gateway.ask(key, { provider })).status).toBe(200);
    gateway.alpha.answerWith(error(500));
    const answer = await gateway.ask<ErrorBody>(key, { provider });

    expect(answer.status).toBe(503);
    expect(gateway.beta.received).toEqual([]);
  });

  it('answers 200 with the redacted body that each provider was sent, at the beginning of a stream that asks for it', async () => {
    const organization = await gateway.app.factory.organization();
    const settings = { content_filter_builtins: [{ slug: 'email', action: 'redact' }] };
    const guarded = await gateway.guardedKey(organization, settings);
    const messages = [{ role: 'user', content: 'jane.doe@example.com' }];
    gateway.alpha.answerWith(error(500));
    const asked = { messages, debug: { echo_upstream_body: true } };
    const answer = await gateway.stream(guarded, asked);

    expect(answer.status).toBe(200);
    const chunks = chunksOf(answer);
    const bodies = [gateway.alpha, gateway.beta].map(({ received }) => received[0]!.body);
    expect(chunks.slice(0, 2)).toMatchObject(
      bodies.map((body) => ({ choices: [], debug: { echo_upstream_body: body } })),
    );
    expect(chunks[0]!['debug']).toMatchObject({ echo_upstream_body: { messages: [{ content: '[EMAIL]' }] } });
    expect(answer.text).not.toContain('jane.doe');
    expect(answer.text).not.toContain(PROVIDER_KEY);
    expect(chunks.slice(2).filter((one) => 'debug' in one)).toEqual([]);
    const whole = await gateway.ask(guarded, asked);
    const plain = await gateway.stream(guarded, { messages });
    expect([whole.text, plain.text].filter((text) => text.includes('echo_upstream_body'))).toEqual([]);
  });

  it('answers 429 with the least Retry-After of the attempts where every provider has too many requests', async () => {
    gateway.alpha.answerWith(error(429, { 'retry-after': '70' }));
    gateway.beta.answerWith(error(429, { 'retry-after': '20' }));
    const answer = await gateway.stream(key);

    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('20');
    expect(answer.body).toMatchObject({
      error: {
        metadata: { reason: 'provider_rate_limited' },
        availability: {
          code: 'capacity_exhausted',
          retryable: true,
          requested_models: ['acme/writer'],
          retry_after: 20,
          affected_providers: ['Alpha Cloud', 'Beta Cloud'],
        },
      },
    });
    expect(await gateway.record(answer, key)).toMatchObject({ status: 429, refusal: 'provider_rate_limited' });
  });

  it.each<[status: number, wait: string, alpha: ProviderAnswer, beta: ProviderAnswer]>([
    [429, '70', error(429, { 'retry-after': '70' }), error(429)],
    [503, '3', error(503, { 'retry-after': '5' }), error(429, { 'retry-after': '3' })],
    [503, '9', error(500), error(503, { 'retry-after': '9' })],
    [503, '1', error(500), error(502)],
    [429, '1', error(429, { 'retry-after': '0' }), error(429, { 'retry-after': '30' })],
  ])('answers %i with Retry-After %s, the least of the attempts that name one, else a second', async (...row) => {
    const [status, wait, alpha, beta] = row;
    gateway.alpha.answerWith(alpha);
    gateway.beta.answerWith(beta);

    for (const answer of [await gateway.ask(key), await gateway.stream(key)]) {
      expect(answer.status).toBe(status);
      expect(answer.headers.get('retry-after')).toBe(wait);
    }
  });

  it('answers 503 with Retry-After and the attempts where every provider fails', async () => {
    gateway.alpha.answerWith(error(429, { 'retry-after': '30' }));
    gateway.beta.answerWith((response) => void response.destroy());
    const answer = await gateway.ask<ErrorBody>(key);

    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('30');
    expect(answer.body.error).toMatchObject({
      metadata: {
        reason: 'provider_unavailable',
        previous_errors: [
          { provider: 'Alpha Cloud', code: 429 },
          { provider: 'Beta Cloud', code: 'unreachable' },
        ],
      },
      availability: {
        code: 'temporarily_unavailable',
        retryable: true,
        requested_models: ['acme/writer'],
        retry_after: 30,
        affected_providers: ['Alpha Cloud', 'Beta Cloud'],
      },
    });
    expect(await gateway.record(answer, key)).toMatchObject({
      status: 503,
      refusal: 'provider_unavailable',
      total_cost: 0,
    });
  });
});
