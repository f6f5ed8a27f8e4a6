import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint, QUESTION } from '../test-gateway.js';

/** What a provider demands whose requests are translated in every way. */
const CAPABILITIES = {
  alternating_roles: true,
  unique_call_ids: true,
  tool_schema: { keywords: ['type', 'properties', 'items', 'anyOf', 'required', 'enum'], objects: 'closed' },
  response_schema: { keywords: ['type', 'properties', 'items', 'anyOf', 'required', 'enum'], objects: 'closed' },
};

const calls = (count: number): object[] =>
  Array.from({ length: count }, () => ({
    id: 'same',
    type: 'function',
    function: { name: 'look_up', arguments: '{}' },
  }));

const result = { role: 'tool', tool_call_id: 'same', content: 'Found' };

const called = (count: number): object[] => [
  ...QUESTION,
  { role: 'assistant', content: null, tool_calls: calls(count) },
  result,
];

const tool = (parameters: object): object => ({ type: 'function', function: { name: 'look_up', parameters } });

/** A schema within itself. */
function nested(levels: number, around: (inner: object) => object): object {
  return levels === 0 ? { type: 'string' } : around(nested(levels - 1, around));
}

const names = Array.from({ length: 1_001 }, (_, at) => `name_${at}`);

describe('A request that would take much work', () => {
  const gateway = sharedGateway({ models: { 'acme/strict': [endpoint('alpha', { capabilities: CAPABILITIES })] } });
  const key = keyPerTest(gateway, organizationPerTest(gateway));

  /** Sends a request, and asks for the state of the process meanwhile, which must be a 200. */
  async function send<Body>(path: string, fields: object): Promise<Answer<Body>> {
    const [answer, health] = await Promise.all([
      gateway.app.api.post<Body>(path, { key: key.plaintext, json: { model: 'acme/strict', ...fields } }),
      fetch(`${gateway.app.origin}/health/live`),
    ]);
    expect(health.status).toBe(200);
    return answer;
  }

  const sentBody = (): Readonly<Record<string, never>> => gateway.alpha.received.at(-1)!.body as never;

  it.each<[string, object]>([
    ['1,000 calls of a message with the same id', { messages: called(1_000), tools: [tool({})] }],
    ['2,000 messages of the user in a row', { messages: Array.from({ length: 2_000 }, () => QUESTION[0]) }],
    ['8,000 messages of the user in a row', { messages: Array.from({ length: 8_000 }, () => QUESTION[0]) }],
    [
      '500 tools',
      {
        messages: QUESTION,
        tools: Array.from({ length: 500 }, (_, at) => ({
          type: 'function',
          function: { name: `tool_${at}`, parameters: { type: 'object', properties: { a: { type: 'string' } } } },
        })),
      },
    ],
    [
      'a schema of 26 levels that name a type twice',
      {
        messages: QUESTION,
        tools: [tool(nested(26, (a) => ({ type: ['object', 'object'], properties: { a } })))],
      },
    ],
  ])('is answered 200 with %s', async (_what, fields) => {
    expect((await send('/chat/completions', fields)).status).toBe(200);
    expect(gateway.alpha.received).toHaveLength(1);
  });

  it('joins messages of the user, numbers ids and translates each part of a schema once in a 200', async () => {
    const messages = ['One', 'Two', 'Three'].map((content) => ({ role: 'user', content }));
    await send('/chat/completions', { messages: [...messages, ...called(3).slice(1)], tools: [tool({})] });
    const { messages: sent } = sentBody() as unknown as {
      messages: { content: string; tool_calls: { id: string }[] }[];
    };
    expect(sent[0]!.content).toBe('One\n\nTwo\n\nThree');
    expect(sent[1]!.tool_calls.map(({ id }) => id)).toEqual(['same', 'same_2', 'same_3']);
    const schema = nested(26, (a) => ({ type: ['object', 'object'], properties: { a } }));
    await send('/chat/completions', { messages: QUESTION, tools: [tool(schema)] });
    expect(JSON.stringify(sentBody()).length).toBeLessThan(5_000);
  });

  const TOO_COMPLEX: [string, object][] = [
    ['ten types in each of six levels', nested(6, (a) => ({ type: [...'abcdefghi', 'object'], anyOf: [a] }))],
    [
      'two types beside alternatives in each of 24 levels',
      nested(24, (a) => ({ type: ['object', 'array'], anyOf: [a] })),
    ],
  ];

  it.each(TOO_COMPLEX)(
    'is refused with 400 request_too_complex for a schema with %s, in every form',
    async (_, schema) => {
      const chat = await send<ErrorBody>('/chat/completions', { messages: QUESTION, tools: [tool(schema)] });
      expect([chat.status, chat.body.error.metadata.reason]).toEqual([400, 'request_too_complex']);
      const responses = await send<{ error: { code: string; metadata: { reason: string } } }>('/responses', {
        input: 'Hi',
        tools: [{ type: 'function', name: 'look_up', parameters: schema }],
      });
      expect([responses.status, responses.body.error.metadata.reason]).toEqual([400, 'request_too_complex']);
      const messages = await send<{ type: string; error: { type: string; metadata: { reason: string } } }>(
        '/messages',
        {
          messages: QUESTION,
          max_tokens: 100,
          tools: [{ name: 'look_up', input_schema: schema }],
        },
      );
      expect([
        messages.status,
        messages.body.type,
        messages.body.error.type,
        messages.body.error.metadata.reason,
      ]).toEqual([400, 'error', 'invalid_request_error', 'request_too_complex']);
      expect(gateway.alpha.received).toEqual([]);
    },
  );

  it.each<[string, string, object, string]>([
    ['8,000 calls of a message', '/chat/completions', { messages: called(8_000) }, 'messages[1].tool_calls'],
    [
      '8,000 calls in a row',
      '/responses',
      {
        input: [
          { role: 'user', content: 'Hi' },
          ...Array.from({ length: 8_000 }, () => ({ type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' })),
        ],
      },
      'input[2001]',
    ],
    [
      '2,001 calls of a message',
      '/messages',
      {
        max_tokens: 100,
        messages: [
          ...QUESTION,
          {
            role: 'assistant',
            content: Array.from({ length: 2_001 }, () => ({ type: 'tool_use', id: 'a', name: 'f', input: {} })),
          },
        ],
      },
      'messages[1].content',
    ],
    [
      '10,001 details of reasoning',
      '/chat/completions',
      {
        messages: [
          ...QUESTION,
          { role: 'assistant', content: 'A', reasoning_details: Array.from({ length: 10_001 }, () => ({})) },
        ],
      },
      'messages[1].reasoning_details',
    ],
    [
      '1,001 annotations',
      '/chat/completions',
      {
        messages: [
          ...QUESTION,
          { role: 'assistant', content: 'A', annotations: Array.from({ length: 1_001 }, () => ({})) },
        ],
      },
      'messages[1].annotations',
    ],
    [
      '1,001 annotations',
      '/responses',
      {
        input: [
          {
            role: 'assistant',
            content: [{ type: 'output_text', text: 'A', annotations: Array.from({ length: 1_001 }, () => ({})) }],
          },
        ],
      },
      'input[0].content[0].annotations',
    ],
    [
      '1,001 citations',
      '/messages',
      {
        max_tokens: 100,
        messages: [
          ...QUESTION,
          {
            role: 'assistant',
            content: [{ type: 'text', text: 'A', citations: Array.from({ length: 1_001 }, () => ({})) }],
          },
        ],
      },
      'messages[1].content[0].citations',
    ],
    [
      '1,001 required names in a tool',
      '/chat/completions',
      { messages: QUESTION, tools: [tool({ properties: { a: { required: names } } })] },
      'tools[0].function.parameters',
    ],
    [
      '1,001 required names in a format',
      '/chat/completions',
      {
        messages: QUESTION,
        response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { required: names } } },
      },
      'response_format.json_schema.schema',
    ],
    [
      '1,001 required names in a tool',
      '/responses',
      { input: 'Hi', tools: [{ type: 'function', name: 'a', parameters: { anyOf: [{ required: names }] } }] },
      'tools[0].parameters',
    ],
    [
      '1,001 required names in a format',
      '/responses',
      { input: 'Hi', text: { format: { type: 'json_schema', name: 'a', schema: { required: names } } } },
      'text.format.schema',
    ],
    [
      '1,001 required names in a tool',
      '/messages',
      { messages: QUESTION, max_tokens: 100, tools: [{ name: 'a', input_schema: { required: names } }] },
      'tools[0].input_schema',
    ],
    [
      '1,001 required names in a format',
      '/messages',
      {
        messages: QUESTION,
        max_tokens: 100,
        output_config: { format: { type: 'json_schema', schema: { required: names } } },
      },
      'output_config.format.schema',
    ],
  ])('is refused with 400 for %s at %s', async (_what, path, fields, place) => {
    const { status, body } = await send<ErrorBody>(path, fields);
    expect(status).toBe(400);
    expect(JSON.stringify(body.error.metadata.issues ?? body.error.message)).toContain(place);
    expect(gateway.alpha.received).toEqual([]);
  });
});
