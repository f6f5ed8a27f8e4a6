import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { STREAM_HEAD } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';

const TOOL = { name: 'look_up', parameters: { type: 'object', properties: { word: { type: 'string' } } } };

const THOUGHT = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'I look it up.' }],
  encrypted_content: 'opaque',
};

const CALL = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look_up', arguments: '{"word":"x"}' };

const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [THOUGHT, CALL],
  usage: { input_tokens: 100, output_tokens: 50, output_tokens_details: { reasoning_tokens: 40 }, total_tokens: 150 },
};

const EVENTS = [
  { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [] } },
  { type: 'response.output_item.added', output_index: 0, item: { ...THOUGHT, summary: [], encrypted_content: '' } },
  { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'I look it up.' },
  { type: 'response.output_item.done', output_index: 0, item: THOUGHT },
  { type: 'response.output_item.added', output_index: 1, item: { ...CALL, arguments: '' } },
  { type: 'response.function_call_arguments.delta', output_index: 1, delta: CALL.arguments },
  { type: 'response.output_item.done', output_index: 1, item: CALL },
  { type: 'response.completed', response: RESPONSE },
];

interface Completion {
  readonly choices: readonly { readonly message: object; readonly finish_reason: string }[];
  readonly usage: object;
}

describe('A provider of the Responses interface', () => {
  const gateway = sharedGateway({
    variables: { PROVIDER_BETA_PROTOCOL: 'openai-responses' },
    models: { 'acme/thinker': [endpoint('beta', { supported_parameters: ['max_tokens', 'tools', 'reasoning'] })] },
  });
  const key = keyPerTest(gateway, organizationPerTest(gateway));

  beforeEach(() => {
    gateway.beta.answerWith((response, { body }) => {
      if ((body as { stream?: boolean }).stream !== true) {
        return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(RESPONSE));
      }
      const text = EVENTS.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
      response.writeHead(200, STREAM_HEAD).end(text);
    });
  });

  const ask = (path: string, fields: object): Promise<{ status: number; body: Completion; text: string }> =>
    gateway.app.api.post<Completion>(path, { key: key.plaintext, json: { model: 'acme/thinker', ...fields } });

  it('answers chats with 200, and gets its thoughts back with the result of the call', async () => {
    const question = { role: 'user', content: 'What is x?' };
    const tools = [{ type: 'function', function: TOOL }];
    const asked = { reasoning: { effort: 'high' }, tools };
    const { status, body } = await ask('/chat/completions', { messages: [question], ...asked });

    expect(status).toBe(200);
    expect(body.choices).toMatchObject([{ finish_reason: 'tool_calls', message: { reasoning: 'I look it up.' } }]);
    expect(body.usage).toMatchObject({ prompt_tokens: 100, completion_tokens: 50, cost: 0.0002 });
    expect(gateway.beta.received[0]).toMatchObject({
      path: '/v1/responses',
      body: { reasoning: { effort: 'high' }, tools: [{ type: 'function', name: 'look_up', strict: false }] },
    });

    const result = { role: 'tool', tool_call_id: 'call_1', content: 'A letter.' };
    await ask('/chat/completions', { messages: [question, body.choices[0]!.message, result], ...asked });
    const { id: _id, ...call } = CALL;
    expect(gateway.beta.received[1]!.body).toMatchObject({
      input: [
        { type: 'message', role: 'user' },
        THOUGHT,
        call,
        { type: 'function_call_output', call_id: 'call_1', output: 'A letter.' },
      ],
    });
  });

  it.each<[string, object, string]>([
    ['/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }, '[DONE]'],
    ['/messages', { max_tokens: 2_000, messages: [{ role: 'user', content: 'Hi' }] }, 'message_stop'],
    ['/responses', { input: 'Hi' }, 'response.completed'],
  ])('answers 200 with a stream for clients of %s', async (path, fields, end) => {
    const { status, text } = await ask(path, { ...fields, stream: true });

    expect(status).toBe(200);
    expect(text).toContain('I look it up.');
    expect(text).toContain('look_up');
    expect(text).toContain(end);
  });

  it('answers 404 for embeddings, which it does not have', async () => {
    gateway.beta.received.length = 0;
    const { status } = await gateway.app.api.post('/embeddings', {
      key: key.plaintext,
      json: { model: 'acme/embedder', input: 'Hi', provider: { only: ['beta'] } },
    });

    expect(status).toBe(404);
    expect(gateway.beta.received).toEqual([]);
  });
});
