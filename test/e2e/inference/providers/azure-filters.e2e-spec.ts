import { ConnectionsService } from '../../../../src/modules/providers/connections/connections.service.js';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { STREAM_HEAD } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint, PROVIDER_KEY } from '../test-gateway.js';
import { CLIENT_FORMS, type ReadAnswer, streamedEvents } from './plain-clients.js';

const MODEL = 'openai/gpt-5.4';

const SAFE = {
  hate: { filtered: false, severity: 'safe' },
  protected_material_text: { filtered: false, detected: false },
};

const FILTERED = { ...SAFE, hate: { filtered: true, severity: 'high' } };

/** What Azure has in place of ids where an event is about its filters alone. */
const NAMELESS = { id: '', created: 0, model: '', object: '' };

const NAMED = {
  id: 'chatcmpl-azure',
  created: 1_770_000_000,
  model: 'gpt-5.4-2026-03-01',
  object: 'chat.completion.chunk',
};

/** The first event of every stream. */
const PROMPT = { ...NAMELESS, choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: SAFE }] };

/** What an asynchronous filter says between and behind the pieces of an answer: a choice without a delta. */
const checked = (end: number, finish_reason: string | null = null, content_filter_results: object = SAFE): object => ({
  ...NAMELESS,
  choices: [
    {
      index: 0,
      finish_reason,
      content_filter_results,
      content_filter_offsets: { check_offset: 0, start_offset: 0, end_offset: end },
    },
  ],
});

const said = (delta: object, finish_reason: string | null = null): object => ({
  ...NAMED,
  choices: [{ index: 0, delta, finish_reason, logprobs: null, content_filter_results: {} }],
});

const COUNTED = { ...NAMED, choices: [], usage: { prompt_tokens: 30, completion_tokens: 5, total_tokens: 35 } };

const called = (fields: object): object => said({ tool_calls: [{ index: 0, ...fields }] });

const TEXT: Partial<ReadAnswer> = { text: 'It is 7 °C.', calls: [], end: 'stop' };

/** Streams of Azure, each with what clients have to read of it. */
const STREAMS: Readonly<Record<string, readonly [events: readonly object[], read: Partial<ReadAnswer>]>> = {
  'between and behind the pieces of a text, its end and its usage': [
    [
      PROMPT,
      said({ role: 'assistant', content: '' }),
      checked(0),
      said({ content: 'It is ' }),
      checked(6),
      { ...NAMELESS, choices: [] },
      said({ content: '7 °C.' }),
      said({}, 'stop'),
      checked(11),
      COUNTED,
      checked(11),
    ],
    TEXT,
  ],
  'before the first piece of a text': [
    [PROMPT, checked(0), checked(0), said({ role: 'assistant', content: 'It is 7 °C.' }), said({}, 'stop'), COUNTED],
    TEXT,
  ],
  'between the pieces of a call': [
    [
      PROMPT,
      called({ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }),
      checked(0),
      called({ function: { arguments: '{"city":' } }),
      checked(8),
      called({ function: { arguments: '"Ulm"}' } }),
      said({}, 'tool_calls'),
      checked(14),
      COUNTED,
    ],
    { text: '', calls: [{ id: 'call_1', name: 'weather', input: { city: 'Ulm' } }], end: 'calls' },
  ],
  'that end the answer late': [
    [PROMPT, said({ role: 'assistant', content: 'It is 7 °C.' }), checked(11, 'content_filter', FILTERED), COUNTED],
    { ...TEXT, end: 'refused' },
  ],
};

describe('The asynchronous content filter of Azure', () => {
  const gateway = sharedGateway({ models: { [MODEL]: [endpoint('nobody', { supported_parameters: [] })] } });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeAll(async () => {
    const { baseUrl } = gateway.alpha;
    const connection = { provider: 'nobody', preset: 'azure-openai', settings: { resource: 'acme' }, baseUrl };
    await gateway.app.application
      .get(ConnectionsService)
      .connect({ ...connection, apiKey: PROVIDER_KEY, timeouts: {}, models: {} });
  });

  describe.each(Object.entries(CLIENT_FORMS))('for a client of %s', (_, form) => {
    it.each(Object.entries(STREAMS))('sends events %s, which is a 200 all the same', async (__, [events, read]) => {
      gateway.alpha.answerWith((response) => {
        const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
        response.writeHead(200, STREAM_HEAD).end([...lines, 'data: [DONE]\n\n'].join(''));
      });
      const request = { model: MODEL, ...form.asking({ text: 'Weather?', tool: true }), stream: true };
      const answer = await gateway.app.api.post(form.path, { key: key.plaintext, json: request });

      expect(answer.status).toBe(200);
      const sent = streamedEvents(answer.text);
      expect(form.read(form.assembled(sent))).toEqual({
        thought: '',
        ...read,
        tokens: { prompt: 30, cached: 0, completion: 5 },
      });
      // Clients of chats look into the delta of each choice, which the events of the filter do not have.
      const choices = sent.flatMap((event) => (event['choices'] ?? []) as object[]);
      for (const choice of choices) expect(choice).toMatchObject({ delta: expect.any(Object) as object });
      expect(await gateway.record(answer, key)).toMatchObject({ status: 200, upstream_id: 'chatcmpl-azure' });
    });
  });

  it.each(Object.entries(CLIENT_FORMS))('has results in whole answers, which are a 200 of %s', async (_, form) => {
    const message = { role: 'assistant', content: 'It is 7 °C.' };
    const { usage } = COUNTED;
    const choice = { index: 0, message, finish_reason: 'stop', content_filter_results: SAFE };
    gateway.alpha.answerJson({ ...PROMPT, ...NAMED, choices: [choice], usage });
    const json = { model: MODEL, ...form.asking({ text: 'Weather?' }) };
    const whole = await gateway.app.api.post<object>(form.path, { key: key.plaintext, json });
    expect([whole.status, form.read({ ...whole.body })]).toMatchObject([200, TEXT]);

    const blocked = { ...choice, message: { role: 'assistant' }, finish_reason: 'content_filter' };
    gateway.alpha.answerJson({ ...PROMPT, ...NAMED, choices: [blocked], usage });
    const empty = await gateway.app.api.post<object>(form.path, { key: key.plaintext, json });
    expect([empty.status, form.read({ ...empty.body })]).toMatchObject([200, { text: '', end: 'refused' }]);
  });

  describe('says in records and to clients (200) what the filter has said', () => {
    const CITED = {
      hate: { filtered: false, severity: 'medium' },
      protected_material_code: {
        filtered: false,
        detected: true,
        citation: { URL: 'https://example.com/jane.roe@example.com' },
      },
      'a text': { filtered: true },
    };
    const RECORDED = [
      { source: 'prompt', category: 'hate', filtered: false, severity: 'safe' },
      { source: 'prompt', category: 'protected_material_text', filtered: false, detected: false },
      { source: 'answer', category: 'hate', filtered: false, severity: 'medium' },
      { source: 'answer', category: 'protected_material_code', filtered: false, detected: true },
    ];
    const PROSE = 'It is 7 °C in the city. '.repeat(100);
    const EVENTS = [
      PROMPT,
      said({ role: 'assistant', content: PROSE }),
      checked(9, null, CITED),
      said({}, 'stop'),
      checked(11),
    ];
    const [{ prompt_filter_results: ofPrompt }] = [PROMPT];

    const ask = async (issued: IssuedCredential, stream: boolean) => {
      gateway.alpha.answerWith((response) => {
        const message = { role: 'assistant', content: PROSE };
        const whole = { index: 0, message, finish_reason: 'stop', content_filter_results: CITED, token_ids: [1] };
        const lines = EVENTS.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
        const body = stream ? `${lines}data: [DONE]\n\n` : JSON.stringify({ ...PROMPT, ...NAMED, choices: [whole] });
        response.writeHead(200, stream ? STREAM_HEAD : { 'content-type': 'application/json' }).end(body);
      });
      const json = { model: MODEL, messages: [{ role: 'user', content: 'Weather?' }], stream };
      const answer = await gateway.app.api.post<object>('/chat/completions', { key: issued.plaintext, json });
      expect(answer.status).toBe(200);
      const parts = (stream ? streamedEvents(answer.text) : [answer.body]) as Readonly<Record<string, unknown>>[];
      const choices = parts.flatMap((part) => (part['choices'] ?? []) as Readonly<Record<string, unknown>>[]);
      const results = choices.flatMap(({ content_filter_results: result }) => result ?? []);
      const { provider_filters: recorded } = await gateway.record(answer, issued);
      return {
        text: answer.text,
        prompts: parts.flatMap((part) => part['prompt_filter_results'] ?? []),
        results,
        recorded,
      };
    };

    it.each([false, true])('as it came (streamed: %j)', async (stream) => {
      const { prompts, results, recorded } = await ask(key, stream);
      expect(prompts).toEqual(ofPrompt);
      expect(results).toEqual(stream ? [{}, CITED, {}, SAFE] : [CITED]);
      expect(recorded).toEqual(
        stream
          ? [...RECORDED, { source: 'answer', category: 'protected_material_text', filtered: false, detected: false }]
          : RECORDED,
      );
    });

    it.each([false, true])(
      'as the filters leave it, where filters of answers are enforced (streamed: %j)',
      async (stream) => {
        const content_filter_builtins = [{ slug: 'email', action: 'redact', applies_to: ['response'] }];
        const guarded = await gateway.guardedKey(organization, { content_filter_builtins });
        const { text, prompts, results } = await ask(guarded, stream);
        expect(prompts).toEqual(ofPrompt);
        expect(results).toEqual(stream ? [SAFE] : [expect.objectContaining({ hate: CITED.hate })]);
        expect(text).not.toContain('jane.roe');
        expect(text).not.toContain('token_ids');
      },
    );
  });

  it('answers 400 to a prompt that the filter refuses, and names the categories', async () => {
    const filtered = { hate: { filtered: true, severity: 'high' }, sexual: { filtered: false, severity: 'safe' } };
    const innererror = { code: 'ResponsibleAIPolicyViolation', content_filter_result: filtered };
    const error = {
      message: 'The response was filtered.',
      type: null,
      param: 'prompt',
      code: 'content_filter',
      status: 400,
    };
    gateway.alpha.answerJson({ error: { ...error, innererror } }, 400);
    const json = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] };
    const answer = await gateway.app.api.post<object>('/chat/completions', { key: key.plaintext, json });

    expect(answer.status).toBe(400);
    expect((await gateway.record(answer, key)).provider_filters).toEqual([
      { source: 'prompt', category: 'hate', filtered: true },
    ]);
    expect(answer.body).toMatchObject({
      error: {
        message: 'The response was filtered.',
        metadata: { error_type: 'content_policy_violation', provider_code: 'content_filter', reasons: ['hate'] },
      },
    });
  });
});
