import type { ResponsesRequest } from './client-request.js';
import { textOfDetails } from '../chat/carried-reasoning.js';
import { chatRequestOfResponses } from './request-decoder.js';

const chat = (request: object) => chatRequestOfResponses(request as ResponsesRequest);

const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'look', arguments: '{"at":1}' });
const toolCall = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{"at":1}' } });

describe('chatRequestOfResponses', () => {
  it('takes a text as what the user says, behind the instructions', () => {
    expect(chat({ input: 'Hello', instructions: 'Be brief.' }).messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ]);
    expect(chat({ input: 'Hello', instructions: null }).messages).toEqual([{ role: 'user', content: 'Hello' }]);
  });

  it('takes messages between agents for messages of the user, in their places', () => {
    const from = { type: 'agent_message', author: '/root', recipient: '/root/helper' };
    const head = { type: 'input_text', text: 'Message Type: NEW_TASK\nSender: /root\nPayload:\n' };
    const input = [
      { ...from, content: [head, { type: 'encrypted_content', encrypted_content: 'List the files.' }] },
      call('a'),
      { type: 'function_call_output', call_id: 'a', output: 'here' },
      { ...from, author: '/root/helper', content: [{ type: 'input_text', text: 'The helper found 42.' }] },
    ];
    expect(chat({ input }).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: head.text },
          { type: 'text', text: 'List the files.' },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [toolCall('a')] },
      { role: 'tool', tool_call_id: 'a', content: 'here' },
      { role: 'user', content: 'The helper found 42.' },
    ]);
  });

  it('offers parameters without the wish that they be encrypted', () => {
    const message = { type: 'string', description: 'The task.' };
    const spawn = (fields: object) => ({
      type: 'function',
      name: 'spawn_agent',
      parameters: { type: 'object', properties: { message: { ...message, ...fields }, name: { type: 'string' } } },
    });
    const parametersOf = (tool: object): unknown =>
      chat({ input: 'Hi', tools: [tool] }).tools![0]!.function!.parameters;
    expect(parametersOf(spawn({ encrypted: true }))).toEqual(spawn({}).parameters);
    expect(parametersOf(spawn({}))).toEqual(spawn({}).parameters);
  });

  it('makes one message of what the model did between two items of others', () => {
    const input = [
      { role: 'user', content: 'Where?' },
      { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Two places.' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
      call('a'),
      call('b'),
      { type: 'function_call_output', call_id: 'a', output: 'here' },
      { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'there' }] },
      { role: 'assistant', content: 'Here.' },
      { role: 'assistant', content: [{ type: 'output_text', text: 'And there.' }] },
    ];
    expect(chat({ input }).messages).toEqual([
      { role: 'user', content: 'Where?' },
      { role: 'assistant', content: 'I look.', reasoning: 'Two places.', tool_calls: [toolCall('a'), toolCall('b')] },
      { role: 'tool', tool_call_id: 'a', content: 'here' },
      { role: 'tool', tool_call_id: 'b', content: 'there' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Here.' },
          { type: 'text', text: 'And there.' },
        ],
      },
    ]);
  });

  it('writes two calls with a result between them as separate messages', () => {
    const output = { type: 'function_call_output', call_id: 'a', output: '' };
    expect(chat({ input: [call('a'), output, call('b')] }).messages).toEqual([
      { role: 'assistant', content: null, tool_calls: [toolCall('a')] },
      { role: 'tool', tool_call_id: 'a', content: '' },
      { role: 'assistant', content: null, tool_calls: [toolCall('b')] },
    ]);
  });

  it('writes every kind of part', () => {
    const content = [
      { type: 'input_text', text: 'Look', prompt_cache_breakpoint: { mode: 'explicit' } },
      { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'low' },
      { type: 'input_file', filename: 'a.pdf', file_url: 'https://example.com/a.pdf', file_id: null },
      { type: 'input_file', file_data: 'data:text/plain;base64,QQ==' },
      { type: 'input_audio', input_audio: { data: 'QQ==', format: 'mp3' } },
      { type: 'input_video', video_url: 'https://example.com/a.mp4' },
    ];
    expect(chat({ input: [{ role: 'user', content }] }).messages[0]!.content).toEqual([
      { type: 'text', text: 'Look', cache_control: { type: 'ephemeral' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
      { type: 'file', file: { file_data: 'https://example.com/a.pdf', filename: 'a.pdf' } },
      { type: 'file', file: { file_data: 'data:text/plain;base64,QQ==' } },
      { type: 'input_audio', input_audio: { data: 'QQ==', format: 'mp3' } },
      { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } },
    ]);
  });

  it('hands reasoning back with its signature, encrypted, and as one text', () => {
    const details = [{ type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0, text: 'Hm.', signature: 's' }];
    const input = [
      { type: 'reasoning', content: [{ text: 'So.' }], signature: 't', format: 'anthropic-claude-v1' },
      { type: 'reasoning', summary: [{ text: 'Short.' }], encrypted_content: 'opaque', format: 'openai-responses-v1' },
      { type: 'reasoning', summary: [], encrypted_content: textOfDetails(details) },
      { type: 'reasoning', summary: [], encrypted_content: 'reasoning-details.1.no-json' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    ];
    expect(chat({ input }).messages).toEqual([
      {
        role: 'assistant',
        content: null,
        refusal: 'No.',
        reasoning: 'So.Short.Hm.',
        reasoning_details: [
          { type: 'reasoning.text', format: 'anthropic-claude-v1', text: 'So.', signature: 't' },
          { type: 'reasoning.encrypted', format: 'openai-responses-v1', data: 'opaque' },
          ...details,
          { type: 'reasoning.encrypted', format: 'unknown', data: 'reasoning-details.1.no-json' },
        ],
      },
    ]);
  });

  it('writes functions, and offers only those that the choice allows', () => {
    const tools = [
      { type: 'function', name: 'look', description: 'Looks', parameters: { type: 'object' }, strict: true },
      { type: 'function', name: 'go', description: null, parameters: null, strict: null },
    ];
    const look = { name: 'look', description: 'Looks', parameters: { type: 'object' }, strict: true };
    expect(chat({ input: '', tools, tool_choice: { type: 'function', name: 'go' } })).toMatchObject({
      tools: [
        { type: 'function', function: look },
        { type: 'function', function: { name: 'go' } },
      ],
      tool_choice: { type: 'function', function: { name: 'go' } },
    });
    const allowed = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'look' }] };
    expect(chat({ input: '', tools, tool_choice: allowed })).toMatchObject({
      tools: [{ type: 'function', function: look }],
      tool_choice: 'required',
    });
  });

  it('writes tools that take a text and those of namespaces as functions, and leaves searches of the web out', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' };
    const tools = [
      { type: 'custom', name: 'patch', description: 'Patches', format },
      { type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'spawn', parameters: {} }] },
      { type: 'namespace', name: 'mcp__files__', tools: [{ type: 'custom', name: 'read' }] },
      { type: 'web_search' },
    ];
    const offered = chat({ input: '', tools, tool_choice: { type: 'function', name: 'spawn', namespace: 'agents' } });
    const parameters = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };
    expect(offered).toMatchObject({
      tools: [
        { type: 'function', function: { name: 'patch', parameters } },
        { type: 'function', function: { name: 'agents__spawn', parameters: {} } },
        { type: 'function', function: { name: 'mcp__files__read', parameters } },
      ],
      tool_choice: { type: 'function', function: { name: 'agents__spawn' } },
    });
    expect(offered.tools![0]!.function!.description).toBe(
      'Patches\n\nThe input matches this grammar (lark):\nstart: "a"',
    );
  });

  it('writes a search for tools as a function, and offers each tool that one has found once', () => {
    const spawn = { type: 'function', name: 'spawn', parameters: { type: 'object' } };
    const tools = [{ type: 'tool_search', execution: 'client', description: 'Finds', parameters: { type: 'object' } }];
    const found = [{ type: 'namespace', name: 'agents', tools: [spawn] }];
    const input = [
      { type: 'tool_search_call', call_id: 'a', arguments: { query: 'agents' } },
      { type: 'tool_search_output', call_id: 'a', tools: found },
      { type: 'tool_search_call', call_id: 'b', arguments: '{}' },
      { type: 'tool_search_output', call_id: 'b', tools: [...found, ...found] },
      { type: 'tool_search_output', call_id: 'c', tools: [] },
    ];
    const search = (id: string, text: string): object => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'tool_search', arguments: text } }],
    });
    const names = 'These tools can be called now: agents__spawn';

    expect(chat({ input, tools })).toEqual({
      tools: [
        { type: 'function', function: { name: 'tool_search', description: 'Finds', parameters: { type: 'object' } } },
        { type: 'function', function: { name: 'agents__spawn', parameters: { type: 'object' } } },
      ],
      messages: [
        search('a', '{"query":"agents"}'),
        { role: 'tool', tool_call_id: 'a', content: names },
        search('b', '{}'),
        { role: 'tool', tool_call_id: 'b', content: names },
        { role: 'tool', tool_call_id: 'c', content: 'No tools were found.' },
      ],
    });
  });

  it('leaves the choice out with the only tools that it is among, searches of the web', () => {
    const request = chat({ input: '', tools: [{ type: 'web_search' }], tool_choice: 'auto' });
    expect(Object.keys(request)).toEqual(['messages']);
  });

  it('writes calls of such tools, and what they returned, under the names that the model knows', () => {
    const input = [
      { type: 'custom_tool_call', call_id: 'a', name: 'patch', input: 'say "a"' },
      { ...call('b'), namespace: 'agents' },
      { type: 'custom_tool_call_output', call_id: 'a', output: 'patched' },
    ];
    expect(chat({ input }).messages).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'patch', arguments: '{"input":"say \\"a\\""}' } },
          { id: 'b', type: 'function', function: { name: 'agents__look', arguments: '{"at":1}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'patched' },
    ]);
  });

  it('writes the form of the answer, its length and what it has besides', () => {
    const format = { type: 'json_schema', name: 'place', schema: { type: 'object' }, strict: true, description: null };
    const fields = {
      max_output_tokens: 9,
      reasoning: { effort: 'low', summary: null },
      text: { format, verbosity: 'high' },
      include: ['message.output_text.logprobs'],
      temperature: 0,
      metadata: { ticket: '1' },
      store: false,
      stream: true,
      truncation: 'auto',
      client_metadata: {},
    };
    expect(chat({ input: 'x', ...fields })).toEqual({
      messages: [{ role: 'user', content: 'x' }],
      max_tokens: 9,
      reasoning: { effort: 'low', summary: null },
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'place', schema: { type: 'object' }, strict: true },
      },
      verbosity: 'high',
      logprobs: true,
      temperature: 0,
      metadata: { ticket: '1' },
      stream: true,
    });
  });
});
