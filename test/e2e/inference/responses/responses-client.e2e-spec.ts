import OpenAI, { type APIError, BadRequestError } from 'openai';
import { chunk, STREAM_END } from '../provider-answers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

const MODEL = 'acme/spare';

const USAGE = { input_tokens: 10, output_tokens: 5 };

/** An answer of the Messages API: signed thinking, hidden thinking, a text and a call. */
const MESSAGE = {
  id: 'msg_upstream',
  type: 'message',
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: 'Ulm, then.', signature: 'signed' },
    { type: 'redacted_thinking', data: 'hidden' },
    { type: 'text', text: 'I go.' },
    { type: 'tool_use', id: 'toolu_1', name: 'go', input: { to: 'Ulm' } },
  ],
  stop_reason: 'tool_use',
  usage: USAGE,
};

/** {@link MESSAGE} as a stream. */
const MESSAGE_STREAM = [
  { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Ulm, ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'then.' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'signed' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'hidden' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'I go.' } },
  { type: 'content_block_stop', index: 2 },
  { type: 'content_block_start', index: 3, content_block: { type: 'tool_use', id: 'toolu_1', name: 'go', input: {} } },
  { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '{"to":"Ulm"}' } },
  { type: 'content_block_stop', index: 3 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
]
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('');

const TOOL = { type: 'function' as const, name: 'go', parameters: { type: 'object' }, strict: false };

type Protocol = 'openai' | 'anthropic';

describe.each<Protocol>(['openai', 'anthropic'])(
  'createResponses through the unmodified openai client, from a provider of the protocol %s',
  (protocol) => {
    const gateway = sharedGateway({ variables: { PROVIDER_BETA_PROTOCOL: protocol } });
    const key = keyPerTest(gateway, organizationPerTest(gateway));
    let client: OpenAI;

    beforeEach(() => {
      client = new OpenAI({ apiKey: key.plaintext, baseURL: `${gateway.app.origin}/api/v1`, maxRetries: 0 });
    });

    /** Lets the provider think, say and call something, whole or as a stream. */
    const answerWithCall = (): void => {
      if (protocol === 'anthropic') {
        gateway.beta.answerWith((response, { body }) => {
          const isStream = (body as { stream?: boolean }).stream === true;
          response
            .writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
            .end(isStream ? MESSAGE_STREAM : JSON.stringify(MESSAGE));
        });
        return;
      }
      const called = { name: 'go', arguments: '{"to":"Ulm"}' };
      const call = { index: 0, id: 'toolu_1', type: 'function', function: called };
      gateway.beta.answerWith((response, { body }) => {
        const isStream = (body as { stream?: boolean }).stream === true;
        const message = { role: 'assistant', content: 'I go.', reasoning: 'Ulm, then.', tool_calls: [call] };
        const whole = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
        const parts = [
          chunk({ role: 'assistant', reasoning: 'Ulm, ' }),
          chunk({ reasoning: 'then.' }),
          chunk({ content: 'I go.' }),
          chunk({ tool_calls: [call] }),
          STREAM_END.replace('"stop"', '"tool_calls"'),
        ];
        response
          .writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
          .end(isStream ? parts.join('') : JSON.stringify(whole));
      });
    };

    const outlineOf = (output: readonly OpenAI.Responses.ResponseOutputItem[]): unknown[] =>
      output
        .filter((item) => item.type !== 'reasoning' || item.content !== undefined)
        .map((item) => {
          if (item.type === 'reasoning') return item.content![0]!.text;
          return item.type === 'function_call' ? [item.call_id, item.name, item.arguments] : item.type;
        });

    const OUTLINE = ['Ulm, then.', 'message', ['toolu_1', 'go', '{"to":"Ulm"}']];

    it('gives it a whole answer with its text, reasoning and calls', async () => {
      answerWithCall();
      const answer = await client.responses.create({ model: MODEL, input: 'Where to?', tools: [TOOL] });

      expect(answer.output_text).toBe('I go.');
      expect(outlineOf(answer.output)).toEqual(OUTLINE);
    });

    it('gives its helper for streams the same', async () => {
      answerWithCall();
      const stream = client.responses.stream({ model: MODEL, input: 'Where to?', tools: [TOOL] });
      let text = '';
      for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta;
      const answer = await stream.finalResponse();

      expect(text).toBe('I go.');
      expect(outlineOf(answer.output)).toEqual(OUTLINE);
    });

    it.each([
      ['as they came', {}, (items: OpenAI.Responses.ResponseInput) => items],
      [
        'with nothing of reasoning but what is encrypted',
        { include: ['reasoning.encrypted_content' as const] },
        (items: OpenAI.Responses.ResponseInput) =>
          items.map((item) =>
            item.type === 'reasoning'
              ? { id: item.id, type: item.type, summary: [], encrypted_content: item.encrypted_content ?? null }
              : item,
          ),
      ],
    ])('takes the items of an answer back %s', async (_, fields, kept) => {
      answerWithCall();
      const first = { model: MODEL, input: 'Where to?', tools: [TOOL], ...fields };
      const stream = client.responses.stream(first);
      const { output } = await stream.finalResponse();
      const result = { type: 'function_call_output' as const, call_id: 'toolu_1', output: 'Arrived.' };
      const earlier = kept(output as OpenAI.Responses.ResponseInput);
      const input = [{ role: 'user' as const, content: 'Where to?' }, ...earlier, result];
      await client.responses.create({ model: MODEL, tools: [TOOL], input });

      const { messages } = gateway.beta.received.at(-1)!.body as { messages: readonly unknown[] };
      expect(messages).toMatchObject(
        protocol === 'anthropic'
          ? [
              { role: 'user' },
              { role: 'assistant', content: MESSAGE.content },
              { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
            ]
          : [
              { role: 'user', content: 'Where to?' },
              { role: 'assistant', content: 'I go.', tool_calls: [{ id: 'toolu_1' }] },
              { role: 'tool', tool_call_id: 'toolu_1', content: 'Arrived.' },
            ],
      );
    });

    it('gives it the call of a tool that takes a text, beside a search of the web that no provider is offered', async () => {
      answerWithCall();
      const tools = [{ type: 'custom' as const, name: 'go' }, { type: 'web_search' as const }];
      const stream = client.responses.stream({ model: MODEL, input: 'Where to?', tools });
      const { output } = await stream.finalResponse();

      expect(output.at(-1)).toMatchObject({ type: 'custom_tool_call', name: 'go', input: '{"to":"Ulm"}' });
      expect((gateway.beta.received.at(-1)!.body as { tools: unknown }).tools).toHaveLength(1);
    });

    it('gives its parser an answer of a schema', async () => {
      answerWithCall();
      const format = { type: 'json_schema' as const, name: 'place', schema: { type: 'object' }, strict: true };
      const answer = await client.responses.create({ model: MODEL, input: 'Where?', text: { format } });

      expect(answer.text?.format).toMatchObject({ type: 'json_schema', name: 'place' });
    });

    it('makes it throw its own error for 400, with what is wrong', async () => {
      const asked = client.responses.create({ model: MODEL, input: 'Hello', previous_response_id: 'resp_1' });
      const error: unknown = await asked.catch((thrown: unknown) => thrown);

      expect(error).toBeInstanceOf(BadRequestError);
      const { metadata } = (error as APIError).error as { metadata: { issues: unknown } };
      expect(metadata.issues).toMatchObject([{ path: 'previous_response_id' }]);
    });
  },
);
