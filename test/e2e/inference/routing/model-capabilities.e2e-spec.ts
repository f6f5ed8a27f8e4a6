import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { chunk, completion, STREAM_END, STREAM_HEAD } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';

/** What the model of these tests can do, as its import says it: like the strictest of what providers have in common. */
const CAPABILITIES = {
  reasoning: ['effort'],
  reasoning_efforts: ['high', 'low', 'none'],
  reasoning_with_tools: ['responses'],
  exclusive_parameters: ['temperature', 'top_p'],
  tool_names: { longest: 32, further_characters: '_' },
};

/** What the catalog lists for its endpoint. */
const PARAMETERS = ['max_tokens', 'temperature', 'top_p', 'tools', 'tool_choice', 'reasoning'];

const LONG = 'a-tool-whose-name-is-longer-than-32-characters';

/** Questions of the four forms, with a tool of a long name where the form has tools. */
const FORMS = [
  [
    '/chat/completions',
    {
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ type: 'function', function: { name: LONG, parameters: {} } }],
    },
  ],
  [
    '/messages',
    {
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ name: LONG, input_schema: { type: 'object' } }],
    },
  ],
  ['/responses', { input: 'Hi', tools: [{ type: 'function', name: LONG, parameters: {} }] }],
  ['/completions', { prompt: 'Hi' }],
] as const;

describe('Requests to a model whose capabilities are known', () => {
  const gateway = sharedGateway({
    models: {
      'acme/strict': [endpoint('beta', { supported_parameters: PARAMETERS, capabilities: CAPABILITIES })],
    },
  });
  const key = keyPerTest(gateway, organizationPerTest(gateway));

  const ask = (path: string, fields: object): Promise<{ status: number; text: string; headers: Headers }> =>
    gateway.app.api.post(path, {
      key: key.plaintext,
      json: { model: 'acme/strict', temperature: 0.5, top_p: 0.9, ...fields },
    });

  /** Refuses what a real provider refuses, and else calls the tool. */
  beforeEach(() => {
    gateway.beta.answerWith((response, { body }) => {
      const request = body as {
        tools?: { function: { name: string } }[];
        reasoning_effort?: string;
        temperature?: number;
        top_p?: number;
        stream?: boolean;
      };
      const names = (request.tools ?? []).map((tool) => tool.function.name);
      const isRefused =
        names.some((name) => !/^\w{1,32}$/.test(name)) ||
        (request.temperature !== undefined && request.top_p !== undefined) ||
        (names.length > 0 && (request.reasoning_effort ?? 'none') !== 'none');
      const json = { 'content-type': 'application/json' };
      if (isRefused) return void response.writeHead(400, json).end(JSON.stringify({ error: { message: 'Refused.' } }));
      const called = { id: 'call_1', type: 'function', function: { name: names[0], arguments: '{}' } };
      const said = names.length === 0 ? { content: 'Hello' } : { content: null, tool_calls: [called] };
      if (request.stream === true) {
        const delta = names.length === 0 ? said : { tool_calls: [{ index: 0, ...called }] };
        return void response.writeHead(200, STREAM_HEAD).end(chunk(delta) + STREAM_END);
      }
      const choices = [
        {
          index: 0,
          message: { role: 'assistant', ...said },
          finish_reason: names.length === 0 ? 'stop' : 'tool_calls',
        },
      ];
      return void response.writeHead(200, json).end(JSON.stringify(completion('', { choices })));
    });
  });

  it.each(FORMS)(
    'are answered with 200 in the form of %s, whole and as a stream, with the client’s names of its tools',
    async (path, question) => {
      const reasoning =
        path === '/messages'
          ? { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }
          : { reasoning: { effort: 'medium' } };
      for (const stream of [false, true]) {
        const answer = await ask(path, { ...question, ...reasoning, stream });

        expect({ stream, status: answer.status }).toEqual({ stream, status: 200 });
        expect(answer.text).toContain(path === '/completions' ? 'Hello' : LONG);
        const { adjustments } = await gateway.record(answer, key);
        expect(adjustments).toContainEqual({ path: 'top_p', action: 'left_out', reason: 'excluded_by_other_field' });
        if (path !== '/completions') {
          expect(adjustments).toContainEqual({
            path: 'reasoning',
            action: 'changed',
            reason: 'reasoning_not_with_tools',
          });
          expect(adjustments).toContainEqual({
            path: 'tools.0.function.name',
            action: 'changed',
            reason: 'name_not_taken',
          });
        }
      }
    },
  );

  it('are answered with 200 where an earlier call has the client’s name', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: LONG, arguments: '{}' } };
    const answer = await ask('/chat/completions', {
      ...FORMS[0][1],
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'Done' },
      ],
    });

    expect(answer.status).toBe(200);
    expect(JSON.stringify(gateway.beta.received[0]!.body)).not.toContain(LONG);
  });

  it('are answered with 200 without unpriced fields, which the record names', async () => {
    const answer = await ask('/chat/completions', {
      messages: [{ role: 'user', content: 'Hi' }],
      max_new_tokens: 100_000,
      deferred: true,
    });

    expect(answer.status).toBe(200);
    for (const field of ['max_new_tokens', 'deferred'])
      expect(gateway.beta.received[0]!.body).not.toHaveProperty(field);
    expect((await gateway.record(answer, key))['adjustments']).toEqual(
      expect.arrayContaining(
        ['max_new_tokens', 'deferred'].map((path) => ({ path, action: 'left_out', reason: 'unknown_field' })),
      ) as unknown,
    );
  });
});
