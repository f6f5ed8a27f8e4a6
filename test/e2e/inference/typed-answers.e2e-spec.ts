import { completion, embeddings } from './provider-answers.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';
import { sharedGateway } from './shared-gateway.js';
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
