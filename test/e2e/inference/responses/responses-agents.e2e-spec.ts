import { respond } from './responses-answers.js';
import { responsesRequests } from './responses-requests.js';

const NAMESPACE = {
  type: 'namespace',
  name: 'functions',
  tools: [
    { type: 'custom', name: 'exec', description: 'Runs jane.doe@example.com' },
    { type: 'function', name: 'wait', parameters: { type: 'object', properties: {} } },
  ],
};

describe('createResponses', () => {
  const { gateway, organization, key } = responsesRequests();

  const sent = () =>
    gateway.alpha.received.at(-1)!.body as { messages: Record<string, unknown>[]; tools?: { function: object }[] };

  it('answers 200 with the tools offered that an item adds, which content filters have read', async () => {
    const guarded = await gateway.guardedKey(organization, {
      content_filter_builtins: [{ slug: 'email', action: 'redact' }],
    });
    const { status } = await respond(gateway, guarded, {
      input: [
        { type: 'additional_tools', role: 'developer', id: 'at_1', tools: [NAMESPACE] },
        { role: 'user', content: 'Hi' },
      ],
    });

    expect(status).toBe(200);
    expect(sent().tools).toMatchObject([
      { function: { name: 'functions__exec', description: 'Runs [EMAIL]' } },
      { function: { name: 'functions__wait' } },
    ]);
    expect(sent().messages).toHaveLength(1);
  });

  it('answers 200 without what a provider had run in an earlier answer, which the record says', async () => {
    const answer = await respond(gateway, key, {
      input: [
        { role: 'user', content: 'a' },
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } },
        { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'AAAA' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b' }, { type: 'output_image' }] },
        { role: 'user', content: 'c' },
      ],
      tools: [{ type: 'code_interpreter' }, { type: 'function', name: 'go' }],
    });

    expect(answer.status).toBe(200);
    expect(sent().messages.map(({ content }) => content)).toEqual(['a', 'b', 'c']);
    const { adjustments } = (await gateway.record(answer, key)) as unknown as { adjustments: object[] };
    expect(adjustments).toEqual(
      expect.arrayContaining([
        { path: 'tools.0', action: 'left_out', reason: 'tool_of_provider' },
        { path: 'input.1', action: 'left_out', reason: 'item_without_counterpart' },
        { path: 'input.2', action: 'left_out', reason: 'item_without_counterpart' },
        { path: 'input.3.content.1', action: 'left_out', reason: 'part_without_counterpart' },
      ]),
    );
  });

  it('answers 200 with what the client has run as calls of functions and their results', async () => {
    const { status } = await respond(gateway, key, {
      input: [
        { role: 'user', content: 'a' },
        { type: 'local_shell_call', id: 'ls_1', call_id: 'call_1', status: 'completed', action: { command: ['ls'] } },
        { type: 'local_shell_call_output', id: 'ls_1', output: 'a.txt' },
        { type: 'shell_call', call_id: 'call_2', action: { commands: ['pwd'] } },
        { type: 'shell_call_output', call_id: 'call_2', output: [{ stdout: '/', stderr: '' }] },
      ],
    });

    expect(status).toBe(200);
    const call = (id: string, name: string, input: object): object => ({
      role: 'assistant',
      tool_calls: [{ id, function: { name, arguments: JSON.stringify(input) } }],
    });
    expect(sent().messages).toMatchObject([
      { role: 'user' },
      call('call_1', 'local_shell', { action: { command: ['ls'] } }),
      { role: 'tool', tool_call_id: 'call_1', content: 'a.txt' },
      call('call_2', 'shell', { action: { commands: ['pwd'] } }),
      { role: 'tool', tool_call_id: 'call_2', content: '[{"stdout":"/","stderr":""}]' },
    ]);
  });
});
