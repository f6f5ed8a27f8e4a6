import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import { chunk } from '../provider-answers.js';
import { EMBEDDER, endpoint } from '../test-gateway.js';
import { filledBefore } from '../../../support/application/filled-before.js';
import { sharedOrganization } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

/** A prompt that does not fit, in the words of providers. */
const TOO_LONG: [what: string, status: number, error: unknown][] = [
  ['a code', 400, { error: { message: 'No.', type: 'invalid_request_error', code: 'context_length_exceeded' } }],
  [
    "Anthropic's words",
    400,
    { error: { message: 'prompt is too long: 9 tokens > 8 maximum', type: 'invalid_request_error' } },
  ],
  [
    "Mistral's words",
    400,
    { object: 'error', message: 'Prompt contains 9 tokens, too large for model with 8 maximum context length' },
  ],
  ['words with a status of the server', 500, { error: 'the input length exceeds the context length' }],
  [
    'words with the status of a form',
    422,
    { error: 'Input validation error: `inputs` must have less than 8 tokens. Given: 9' },
  ],
  [
    'words with the status of a size',
    413,
    {
      error: { code: 'tokens_limit_reached', message: 'Request body too large for gpt-4o model. Max size: 8 tokens.' },
    },
  ],
];

/** What goes wrong in a stream, and what clients of each form read of it. */
const IN_STREAMS: [what: string, error: object, responses: object, messages: object, chat: object][] = [
  [
    'a prompt that does not fit',
    { message: 'Your input exceeds the context window of this model.', code: 'context_length_exceeded' },
    { code: 'context_length_exceeded' },
    { type: 'invalid_request_error', message: expect.stringContaining('prompt is too long: ') as string },
    { code: 400, metadata: { error_type: 'context_length_exceeded' } },
  ],
  [
    'a prompt that does not fit, without a code or status',
    { message: 'The number of tokens to keep from the initial prompt is greater than the context length.' },
    { code: 'context_length_exceeded' },
    { type: 'invalid_request_error', message: expect.stringContaining('prompt is too long: ') as string },
    { code: 400, metadata: { error_type: 'context_length_exceeded' } },
  ],
  [
    'too many requests',
    { message: 'Rate limit reached for gpt-5.5. Please try again in 10.4s.', code: 'rate_limit_exceeded' },
    { code: 'rate_limit_exceeded', message: expect.stringMatching(/try again in 11s/) as string },
    { type: 'rate_limit_error', message: expect.stringMatching(/try again in 11s/) as string },
    { code: 429, message: 'Rate limit exceeded. Please try again in 11s.' },
  ],
  [
    'a provider that has too much to do',
    { message: 'Overloaded', type: 'overloaded_error' },
    { code: 'server_is_overloaded' },
    { type: 'overloaded_error' },
    { code: 529 },
  ],
  [
    'a request that a policy forbids',
    { message: 'This request was flagged.', type: 'invalid_request_error', code: 'cyber_policy' },
    { code: 'cyber_policy', message: 'This request was flagged.' },
    { type: 'invalid_request_error', message: 'This request was flagged.' },
    { code: 400, message: 'This request was flagged.', metadata: { provider_code: 'cyber_policy' } },
  ],
  [
    'a failure of the provider',
    { message: 'Oops', type: 'server_error' },
    { code: 'server_error', message: 'Provider returned error' },
    { type: 'api_error' },
    { code: 502 },
  ],
];

describe('errors in the words of clients', () => {
  const small = [endpoint('alpha', { context_length: 8 })];
  const gateway = sharedGateway({
    models: { 'acme/small': small, 'acme/small-embedder': small },
    facts: { 'acme/small-embedder': EMBEDDER },
  });
  const organization = sharedOrganization(gateway);
  const key = filledBefore(beforeAll, () => gateway.app.factory.key(organization));
  const asked = { model: 'acme/writer', provider: { only: ['alpha'] } };
  const messages = [{ role: 'user', content: 'What is new? '.repeat(30) }];
  const chat = { ...asked, messages };
  const message = { ...asked, messages, max_tokens: 8 };
  const response = { ...asked, input: messages[0]!.content };

  const ask = <Body = ErrorBody>(path: string, json: object, credential = key.plaintext): Promise<Answer<Body>> =>
    gateway.app.api.post<Body>(path, { key: credential, json });

  /** The data of the last event of a stream. */
  const lastEvent = ({ text }: Answer): unknown =>
    JSON.parse(
      [...text.matchAll(/^data: (.*)$/gm)]
        .map(([, json]) => json!)
        .filter((json) => json !== '[DONE]')
        .at(-1)!,
    );

  describe.each(TOO_LONG)('of a prompt that does not fit, by %s', (_, status, error) => {
    beforeEach(() => gateway.alpha.answerJson(error, status));

    it('have its word and the words of OpenAI in chats (400, 413 or 422)', async () => {
      const answer = await ask('/chat/completions', chat);

      expect([400, 413, 422]).toContain(answer.status);
      expect(answer.body.error).toMatchObject({ metadata: { error_type: 'context_length_exceeded' } });
      expect(answer.body.error.message).toMatch(/maximum context length|context_length_exceeded/);
      expect(gateway.alpha.received).toHaveLength(1);
    });

    it.each([false, true])('have the type and words of Anthropic in messages (stream: %j)', async (stream) => {
      const answer = await ask('/messages', { ...message, stream });

      expect(answer.body).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
      expect(answer.body.error.message).toMatch(/prompt is too long/);
    });

    it('end a stream of responses with the code by which coding agents know it (200)', async () => {
      const answer = await ask<string>('/responses', { ...response, stream: true });

      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
      expect(lastEvent(answer)).toMatchObject({
        type: 'response.failed',
        response: { status: 'failed', model: 'acme/writer', error: { code: 'context_length_exceeded' } },
      });
      expect(await gateway.record(answer, key)).toMatchObject({ refusal: 'provider_refused_request' });
    });

    it('keep the status in whole responses (400, 413 or 422)', async () => {
      const answer = await ask('/responses', response);

      expect([400, 413, 422]).toContain(answer.status);
      expect(answer.body).toMatchObject({ error_type: 'context_length_exceeded' });
    });
  });

  describe('of a prompt that no endpoint of the model can take', () => {
    const small = { model: 'acme/small', provider: undefined };
    const availability = { code: 'constraint_filtered', constraint: { field: 'context_length' } };

    it('have its word and the words of OpenAI in chats, completions and embeddings (400)', async () => {
      const embedded = { model: 'acme/small-embedder', input: messages[0]!.content };
      const answers = [
        await ask('/chat/completions', { ...chat, ...small }),
        await ask('/chat/completions', { ...chat, ...small, stream: true }),
        await ask('/completions', { ...asked, ...small, prompt: messages[0]!.content }),
        await ask('/embeddings', embedded),
      ];

      for (const { status, body } of answers) {
        expect([status, body.error]).toMatchObject([
          400,
          { type: 'invalid_request_error', metadata: { reason: 'no_endpoints' }, availability },
        ]);
        expect(body.error).toMatchObject({ metadata: { error_type: 'context_length_exceeded' } });
        expect(body.error.message).toMatch(/the prompt is too long \(context_length_exceeded\)$/);
      }
      expect(await gateway.record(answers[0]!, key)).toMatchObject({ status: 400, refusal: 'no_endpoints' });
    });

    it.each([false, true])('begin with the words of Anthropic in messages (stream: %j, 400)', async (stream) => {
      const answer = await ask('/messages', { ...message, ...small, max_tokens: 1, stream });

      expect([answer.status, answer.body.error]).toMatchObject([400, { type: 'invalid_request_error', availability }]);
      expect(answer.body.error.message).toMatch(/^prompt is too long: 0 endpoints/);
    });

    it('are 400 in whole responses, and end a stream of one with the code of coding agents (200)', async () => {
      const whole = await ask('/responses', { ...response, ...small });
      const streamed = await ask<string>('/responses', { ...response, ...small, stream: true });

      expect([whole.status, streamed.status]).toEqual([400, 200]);
      expect(whole.body).toMatchObject({ error_type: 'context_length_exceeded', error: { availability } });
      expect(whole.body.error.message).toContain('context_length_exceeded');
      expect(lastEvent(streamed)).toMatchObject({
        type: 'response.failed',
        response: { error: { code: 'context_length_exceeded' }, instructions: null },
      });
    });

    it('are 404 where every endpoint is left out for something else besides', async () => {
      const answer = await ask('/chat/completions', { ...chat, ...small, provider: { only: ['beta'] } });

      expect([answer.status, answer.body.error.metadata]).toMatchObject([404, { error_type: 'not_found' }]);
    });
  });

  it('keep the status of other refusals of streams of responses (400)', async () => {
    gateway.alpha.answerJson({ error: { message: 'No such tool.', type: 'invalid_request_error' } }, 400);

    expect((await ask('/responses', { ...response, stream: true })).status).toBe(400);
  });

  it.each(IN_STREAMS)('tell in the middle of a stream of %s', async (_, error, ofResponses, ofMessages, ofChat) => {
    gateway.alpha.answerStream([chunk({ content: 'A' }), `data: ${JSON.stringify({ error })}\n\n`].join(''));

    const event = lastEvent(await ask('/responses', { ...response, stream: true }));
    expect(event).toMatchObject({ type: 'response.failed', response: { error: ofResponses } });
    const last = lastEvent(await ask('/messages', { ...message, stream: true }));
    expect(last).toMatchObject({ type: 'error', error: ofMessages });
    expect(lastEvent(await ask('/chat/completions', { ...chat, stream: true }))).toMatchObject({ error: ofChat });
  });

  it('say when to ask a provider again that says it in words alone (429)', async () => {
    const error = {
      message: 'Rate limit reached. Please try again in 10.4s.',
      type: 'requests',
      code: 'rate_limit_exceeded',
    };
    gateway.alpha.answerJson({ error }, 429);
    const answer = await ask('/chat/completions', chat);

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '11']);
    expect(answer.body.error.message).toMatch(/Please try again in 11s\.$/);
    expect((await ask('/messages', message)).body.error).toMatchObject({ type: 'rate_limit_error' });
  });

  it.each([
    ['is malformed', (plaintext: string) => plaintext.slice(0, -3), /^Malformed API key/, 'invalid_credential'],
    ['does not exist', () => 'no-key-of-this-service-0123456789abcdef', /^Invalid API key/, 'invalid_credential'],
    [
      'has a space',
      (plaintext: string) => `${plaintext} x`,
      /^Malformed Authentication header/,
      'malformed_credential',
    ],
  ])('say of a key that it %s, in every form (401)', async (_, credentialOf, words, reason) => {
    for (const [path, json] of [
      ['/chat/completions', chat],
      ['/messages', message],
      ['/responses', response],
    ] as const) {
      const { status, body } = await ask(path, json, credentialOf(key.plaintext));

      expect([path, status]).toEqual([path, 401]);
      expect(body.error).toMatchObject({ message: expect.stringMatching(words) as string, metadata: { reason } });
    }
  });

  it('keep the message of the status where there is no key, and in all other operations (401)', async () => {
    const cut = key.plaintext.slice(0, -3);
    const without = await gateway.app.api.post<ErrorBody>('/chat/completions', { json: chat });
    const other = await gateway.app.api.get<ErrorBody>('/key', { key: cut });

    expect([without.status, other.status]).toEqual([401, 401]);
    expect([without, other].map(({ body }) => body.error.message)).toEqual([
      'Missing Authentication header',
      'Missing Authentication header',
    ]);
    expect(other.body.error.metadata).toEqual({
      reason: 'invalid_credential',
      particulars: 'malformed: the key has been cut or mistyped',
    });
  });
});
