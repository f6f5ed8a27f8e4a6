import { completion, embeddings } from '../provider-answers.js';
import { filledBefore } from '../../../support/application/filled-before.js';
import { sharedOrganization } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';
import { SAMPLE_ANSWERS, SAMPLE_STREAMS, TOOL } from './typed-answer-samples.js';
import { expectTyped } from './typed-answer-schemas.js';

/** Settings that answers of the Responses form repeat, and those in force where none was asked for. */
const SETTINGS = { temperature: 1, top_p: 1, presence_penalty: 0, frequency_penalty: 0, top_logprobs: 0 };

describe('answers to clients with fixed types', () => {
  const gateway = sharedGateway();
  const organization = sharedOrganization(gateway);
  const key = filledBefore(beforeAll, () => gateway.app.factory.key(organization));

  const ask = async (path: string, json: object): Promise<unknown> => {
    const { status, body, text } = await gateway.app.api.post(path, { key: key.plaintext, json });
    expect({ status, text }).toEqual({ status: 200, text });
    return body;
  };
  const asked = { model: 'acme/writer', provider: { only: ['alpha'] } };
  const chat = { ...asked, messages: [{ role: 'user', content: 'Hi' }], tools: [TOOL] };
  const { parameters, name } = TOOL.function;
  const response = { ...asked, input: 'Hi', tools: [{ type: 'function', name, parameters, strict: null }] };

  const eventsFrom = async (path: string, json: object): Promise<unknown[]> => {
    const text = (await ask(path, { ...json, stream: true })) as string;
    const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => json!);
    return data.filter((json) => json !== '[DONE]').map((json) => JSON.parse(json) as unknown);
  };

  describe.each(SAMPLE_ANSWERS)('of a provider that answers %s', (_, choices, fields = {}) => {
    beforeEach(() => gateway.alpha.answerJson(completion('', { choices, ...fields })));

    it('has every field of chat completions with 200', async () => {
      expectTyped('chat', await ask('/chat/completions', chat));
    });

    it('has every field of completions with 200', async () => {
      expectTyped('completion', await ask('/completions', { ...asked, prompt: 'Hi' }));
    });

    it('has every field of responses with 200', async () => {
      expectTyped('response', await ask('/responses', response));
    });
  });

  describe.each(SAMPLE_STREAMS)('of a provider that streams %s', (_, pieces) => {
    beforeEach(() => gateway.alpha.answerStream(pieces.join('')));

    it('has every field of chunks of chat completions with 200', async () => {
      for (const event of await eventsFrom('/chat/completions', chat)) expectTyped('chatChunk', event);
    });

    it('has every field of chunks of completions with 200', async () => {
      for (const event of await eventsFrom('/completions', { ...asked, prompt: 'Hi' })) {
        expectTyped('completion', event);
      }
    });

    it('has every field of events of responses with 200', async () => {
      const events = await eventsFrom('/responses', response);
      for (const event of events) expectTyped('responseEvent', event);
      expect(events.at(-1)).toMatchObject({ type: expect.stringMatching(/completed|incomplete|failed/) as string });
    });
  });

  it.each([
    ['the values in force', {}, { ...SETTINGS, service_tier: 'default', text: { verbosity: 'medium' } }],
    [
      'the values that were asked for',
      { temperature: 0, top_p: 0.5, presence_penalty: -1, frequency_penalty: 2, top_logprobs: 3, user: 'u-1' },
      { temperature: 0, top_p: 0.5, presence_penalty: -1, frequency_penalty: 2, top_logprobs: 3, user: 'u-1' },
    ],
    ['the verbosity that was asked for', { text: { verbosity: 'low' } }, { text: { verbosity: 'low' } }],
  ])('say %s in responses with 200, whole and in streams', async (_, fields, shown) => {
    const events = (await eventsFrom('/responses', { ...response, ...fields })) as { response?: object }[];

    expect(await ask('/responses', { ...response, ...fields })).toMatchObject(shown);
    for (const event of events.filter((one) => one.response !== undefined)) expect(event.response).toMatchObject(shown);
  });

  it('leave out the user in responses to requests without one, and the fingerprint in completions without one, with 200', async () => {
    expect(await ask('/responses', response)).not.toHaveProperty('user');
    expect(await ask('/completions', { ...asked, prompt: 'Hi' })).not.toHaveProperty('system_fingerprint');
    expect(await ask('/chat/completions', chat)).toHaveProperty('system_fingerprint', '');
  });

  it.each([
    ['/chat/completions', { messages: 3 }, 400, 'invalid_request_error', 'messages'],
    ['/chat/completions', { ...chat, temperature: 3 }, 400, 'invalid_request_error', 'temperature'],
    ['/chat/completions', { ...chat, model: 'acme/nothing' }, 400, 'invalid_request_error', 'model'],
    ['/chat/completions', { ...chat, provider: { only: ['nobody'] } }, 404, 'invalid_request_error', null],
    ['/completions', { ...asked, prompt: ['a', 'b'] }, 400, 'invalid_request_error', 'prompt'],
    ['/embeddings', { model: 'acme/writer', input: 'Hi' }, 400, 'invalid_request_error', 'model'],
    ['/responses', { ...response, store: true }, 400, 'invalid_request_error', 'store'],
  ])(
    'have the type and the parameter in failures of %s with %j: %i, %s, %j',
    async (path, json, status, type, param) => {
      const answer = await gateway.app.api.post<object>(path, { key: key.plaintext, json });

      expect(answer.status).toBe(status);
      expectTyped('failure', answer.body);
      expect(answer.body).toMatchObject({ error: { type, param, code: status } });
    },
  );

  it.each([
    [401, 503, 'server_error'],
    [402, 503, 'server_error'],
    [400, 400, 'invalid_request_error'],
    [422, 422, 'invalid_request_error'],
    [429, 429, 'rate_limit_error'],
    [500, 503, 'server_error'],
    [503, 503, 'server_error'],
  ])('have every field of failures where the provider answers %i: %i, %s', async (said, status, type) => {
    gateway.alpha.answerJson({ error: { message: 'No.' } }, said);
    for (const [path, json] of [
      ['/chat/completions', chat],
      ['/responses', response],
    ] as const) {
      const answer = await gateway.app.api.post<object>(path, { key: key.plaintext, json });
      expectTyped('failure', answer.body);
      expect([answer.status, answer.body]).toMatchObject([status, { error: { type } }]);
    }
  });

  it('have every field of failures of a key, with 401 and 402', async () => {
    const poor = await gateway.app.factory.key(organization, { limitUsd: 0.0000001 });
    const [unknown, unpaid] = [
      await gateway.app.api.post<object>('/chat/completions', { key: 'sk-none', json: chat }),
      await gateway.app.api.post<object>('/chat/completions', { key: poor.plaintext, json: chat }),
    ];

    expect([unknown.status, unpaid.status]).toEqual([401, 402]);
    for (const { body } of [unknown, unpaid]) expectTyped('failure', body);
    expect([unknown.body, unpaid.body]).toMatchObject([
      { error: { type: 'authentication_error' } },
      { error: { type: 'insufficient_quota' } },
    ]);
  });

  it('have every field of failures within streams of 200', async () => {
    gateway.alpha.answerStream(SAMPLE_STREAMS.at(-1)![1].join(''));
    for (const [path, json] of [
      ['/chat/completions', chat],
      ['/completions', { ...asked, prompt: 'Hi' }],
    ] as const) {
      expectTyped('failure', (await eventsFrom(path, json)).at(-1));
    }
  });

  it.each(['float', 'base64'])('have every field of embeddings with 200 as %s', async (encoding_format) => {
    gateway.alpha.answerJson(embeddings([[0.5, 0.25]]));
    const json = { model: 'acme/embedder', input: 'Hi', encoding_format, provider: { only: ['alpha'] } };

    expectTyped('embeddings', await ask('/embeddings', json));
  });

  it.each(['/models', '/models/user', '/embeddings/models'])(
    'have every field of the list of models with 200 at %s',
    async (path) => {
      const { status, body } = await gateway.app.api.get<{ data: object[] }>(path, { key: key.plaintext });

      expect(status).toBe(200);
      expect(body.data.length).toBeGreaterThan(0);
      expectTyped('models', body);
    },
  );
});
