import { functionRules, functionsAlone } from './function-rules.js';
import { inputRules } from './input-rules.js';
import { statelessRules } from './stateless-rules.js';
import { textRules } from './text-rules.js';

/** A message between agents. @param sealed what it calls encrypted */
const agentMessage = (sealed: unknown): object => ({
  type: 'agent_message',
  author: '/root',
  recipient: '/root/helper',
  content: [
    { type: 'input_text', text: 'Payload:' },
    { type: 'encrypted_content', encrypted_content: sealed },
  ],
});

const pathsOf = (issues: readonly { readonly path: string }[]): string[] => issues.map(({ path }) => path);

/** Longer than any id or name may be. */
const LONG = 'a'.repeat(513);

describe('inputRules', () => {
  it.each([
    ['a text', 'Hello'],
    [
      'messages',
      [
        { role: 'user', content: 'Hello' },
        { type: 'message', role: 'assistant', content: null },
      ],
    ],
    ['a call', [{ type: 'function_call', call_id: 'a', name: 'go', arguments: '' }]],
    ['a message between agents', [agentMessage('List the files.')]],
    ['one that only speaks of ciphertext', [agentMessage('gAAAA is how it begins.')]],
    ['a result', [{ type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: '' }] }]],
    ['reasoning', [{ type: 'reasoning', summary: [{ type: 'summary_text', text: '' }], encrypted_content: null }]],
    ['an image', [{ role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,' }] }]],
    ['a file', [{ role: 'user', content: [{ type: 'input_file', file_id: 'f', file_data: null }] }]],
    ['a refusal', [{ role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }]],
    ['a call that a provider has run', [{ type: 'web_search_call', id: 'ws_1' }]],
    ['an item of a type to come', [{ type: 'ghost_snapshot' }, { type: 'note', role: 'assistant' }]],
    [
      'tools that are added',
      [{ type: 'additional_tools', role: 'developer', tools: [{ type: 'custom', name: 'go' }] }],
    ],
    [
      'what a client has run',
      [
        { type: 'local_shell_call', id: 'ls_1', call_id: 'a', action: {} },
        { type: 'local_shell_call_output', id: 'ls_1', output: 'x' },
      ],
    ],
    ['another part of the model', [{ role: 'assistant', content: [{ type: 'output_image' }] }]],
  ])('accepts %s', (_, input) => {
    expect(inputRules({ input })).toEqual([]);
  });

  it.each([
    ['nothing', undefined, ['input']],
    ['null', null, ['input']],
    ['a number', 1, ['input']],
    ['no items', [], ['input']],
    ['an item that is no object', [null], ['input[0]']],
    ['an item of another type that asks for something', [{ type: 'note', role: 'user' }], ['input[0].type']],
    ['an item whose type is no text', [{ type: 1 }], ['input[0].type']],
    ['a result of another type without its call', [{ type: 'shell_call_output', call_id: 'a' }], ['input[0].type']],
    [
      'a wish to have the conversation compacted by the provider in place of an answer',
      [{ role: 'user', content: 'Hi' }, { type: 'compaction_trigger' }],
      ['input[1].type'],
    ],
    [
      'a conversation that a provider has compacted',
      [{ type: 'compaction', encrypted_content: 'x' }],
      ['input[0].type'],
    ],
    [
      'what a client has run under a long id',
      [
        { type: 'shell_call', call_id: LONG },
        { type: 'shell_call_output', call_id: LONG },
      ],
      ['input[0].call_id', 'input[1].call_id'],
    ],
    ['added tools that are no list', [{ type: 'additional_tools', tools: {} }], ['input[0].tools']],
    ['a reference to an item', [{ type: 'item_reference', id: 'msg_1' }], ['input[0]']],
    ['an unknown role', [{ role: 'tool', content: '' }], ['input[0].role']],
    ['a message of the user without content', [{ role: 'user' }], ['input[0].content']],
    [
      'a call with a long id and name',
      [{ type: 'function_call', call_id: LONG, name: LONG, arguments: '' }],
      ['input[0].call_id', 'input[0].name'],
    ],
    [
      'a call whose names are long together',
      [{ type: 'custom_tool_call', call_id: 'a', namespace: LONG, name: 'go', input: '' }],
      ['input[0].name'],
    ],
    ['a result with a long id', [{ type: 'function_call_output', call_id: LONG, output: '' }], ['input[0].call_id']],
    ['a content that is no list', [{ role: 'user', content: {} }], ['input[0].content']],
    ['a part that is no object', [{ role: 'user', content: [1] }], ['input[0].content[0]']],
    ['a part of another type', [{ role: 'user', content: [{ type: 'toString' }] }], ['input[0].content[0].type']],
    ['a part without text', [{ role: 'user', content: [{ type: 'input_text' }] }], ['input[0].content[0].text']],
    [
      'a refusal of the user',
      [{ role: 'user', content: [{ type: 'refusal', refusal: 'No.' }] }],
      ['input[0].content[0].type'],
    ],
    [
      'an image by a path',
      [{ role: 'user', content: [{ type: 'input_image', image_url: '/a.png' }] }],
      ['input[0].content[0].image_url'],
    ],
    [
      'an image that would be stored',
      [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }],
      ['input[0].content[0].file_id'],
    ],
    ['a file without a source', [{ role: 'user', content: [{ type: 'input_file' }] }], ['input[0].content[0]']],
    [
      'a file with two sources',
      [{ role: 'user', content: [{ type: 'input_file', file_id: 'f', file_url: 'https://example.com' }] }],
      ['input[0].content[0]'],
    ],
    [
      'audio without data',
      [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }],
      ['input[0].content[0].input_audio'],
    ],
    [
      'a call without its fields',
      [{ type: 'function_call' }],
      ['input[0].call_id', 'input[0].name', 'input[0].arguments'],
    ],
    ['a result without its fields', [{ type: 'function_call_output' }], ['input[0].call_id', 'input[0].output']],
    [
      'reasoning of other forms',
      [{ type: 'reasoning', summary: 'x', content: [{}], encrypted_content: 1 }],
      ['input[0].summary', 'input[0].content', 'input[0].encrypted_content'],
    ],
  ])('refuses %s', (_, input, paths) => {
    expect(pathsOf(inputRules({ input }))).toEqual(paths);
  });

  it.each([
    ['ciphertext', 'gAAAAABoc2VhbGVk_-X==', 'input[0].content[1].encrypted_content'],
    ['no text', 7, 'input[0].content[1].text'],
  ])('refuse a message between agents with %s in place of its text', (_, sealed, path) => {
    expect(pathsOf(inputRules({ input: [agentMessage(sealed)] }))).toEqual([path]);
  });
});

describe('statelessRules', () => {
  it('refuses what would have to be stored, and accepts to be told that nothing is', () => {
    const stored = {
      store: true,
      background: true,
      previous_response_id: 'resp_1',
      conversation: {},
      prompt: { id: 'p' },
    };
    expect(pathsOf(statelessRules(stored))).toEqual(Object.keys(stored));
    expect(statelessRules({ store: false, background: null, previous_response_id: null, prompt: null })).toEqual([]);
  });
});

describe('functionRules', () => {
  it('refuses tools that the caller does not run where there are no others, or a choice demands one', () => {
    const hosted = [{ type: 'file_search' }, { type: 'mcp' }, { type: 'web_search' }, { type: 'tool_search' }];
    expect(pathsOf(functionRules({ tools: hosted }))).toEqual(['tools[0].type', 'tools[1].type', 'tools[3].type']);
    expect(functionRules({ tools: [...hosted, { type: 'function', name: 'go' }] })).toEqual([]);
    expect(functionRules({ tools: [{ type: 'web_search' }] })).toEqual([]);
    expect(pathsOf(functionRules({ tools: [{ type: 'web_search' }], tool_choice: 'required' }))).toEqual([
      'tool_choice',
    ]);
  });

  it('refuses functions without a name, and tools whose type is no text', () => {
    const tools = [
      { type: 1 },
      { type: 'function', name: '' },
      { type: 'function', name: 'a'.repeat(65) },
      { type: 'function', name: '😀'.repeat(64), parameters: null },
      { type: 'function', name: 'go', parameters: [] },
    ];
    const paths = ['tools[0].type', 'tools[1].name', 'tools[2].name', 'tools[4].parameters'];
    expect(pathsOf(functionRules({ tools }))).toEqual(paths);
  });

  it('accepts tools that take a text, namespaces, and searches of the web', () => {
    const tools = [
      { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } },
      { type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'spawn' }] },
      { type: 'web_search', external_web_access: true },
    ];
    expect(functionRules({ tools, tool_choice: { type: 'custom', name: 'patch' } })).toEqual([]);
  });

  it('refuses namespaces whose tools cannot be called, or are not told from others', () => {
    const spawn = { type: 'function', name: 'spawn' };
    const tools = [
      { type: 'namespace', name: 'agents' },
      { type: 'namespace', name: '', tools: [] },
      { type: 'namespace', name: 'agents', tools: [{ type: 'mcp' }, { type: 'custom', name: 'a'.repeat(57) }, {}] },
      { type: 'namespace', name: 'agents', tools: [spawn, spawn] },
      { type: 'function', name: 'other__spawn' },
      { type: 'namespace', name: 'other', tools: [spawn] },
    ];
    expect(pathsOf(functionRules({ tools }))).toEqual([
      'tools[0].tools',
      'tools[1].name',
      'tools[2].tools[1].name',
      'tools[2].tools[2].type',
      'tools[3].tools[1].name',
      'tools[5].tools[0].name',
    ]);
  });

  it('accepts a search for tools that the caller runs, and what it has found, also twice', () => {
    const spawn = { type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'spawn' }] };
    const tools = [{ type: 'tool_search', execution: 'client', parameters: { type: 'object' } }, spawn];
    const found = { type: 'tool_search_output', call_id: 'a', tools: [spawn, { type: 'function', name: 'look' }] };
    const call = { type: 'tool_search_call', call_id: 'a', arguments: { query: 'agents' } };
    const input = [call, found, { ...call, arguments: '{}' }, found];
    expect([...functionRules({ tools, input }), ...inputRules({ input })]).toEqual([]);
    expect(functionRules({ tools: [{ type: 'function', name: 'tool_search' }] })).toEqual([]);
  });

  it('refuses a search for tools whose parameters are no object, and what it cannot have found', () => {
    const search = { type: 'tool_search', execution: 'client' };
    const tools = [{ type: 'tool_search' }, { ...search, parameters: [] }, { type: 'function', name: 'a__b' }];
    const found = (list: unknown): object => ({ type: 'tool_search_output', call_id: 'a', tools: list });
    const input = [
      found([{ type: 'namespace', name: 'a', tools: [{ type: 'function', name: 'b' }] }]),
      ...[found({}), found(Array.from({ length: 1_001 }, (_, name) => ({ type: 'function', name: `${name}` })))],
      found([{ type: 'function' }]),
      { type: 'tool_search_call', call_id: null, arguments: [] },
    ];
    expect(pathsOf(functionRules({ tools, input }))).toEqual([
      'tools[1].parameters',
      'tools[1].name',
      'input[0].tools[0].tools[0].name',
    ]);
    expect(pathsOf(inputRules({ input }))).toEqual([
      ...['input[1].tools', 'input[2].tools', 'input[3].tools[0].name'],
      ...['input[4].call_id', 'input[4].arguments'],
    ]);
  });

  it('refuses to require a search of the web', () => {
    const tools = [{ type: 'web_search' }];
    expect(pathsOf(functionRules({ tools, tool_choice: 'required' }))).toEqual(['tool_choice']);
    expect(functionRules({ tools, tool_choice: 'auto' })).toEqual([]);
  });

  it.each([
    ['any', ['tool_choice']],
    [1, ['tool_choice']],
    [{ type: 'shell' }, ['tool_choice.type']],
    [{ type: 'function' }, ['tool_choice.name']],
    [{ type: 'allowed_tools' }, ['tool_choice.mode', 'tool_choice.tools']],
    [{ type: 'allowed_tools', mode: 'auto', tools: [{ type: 'mcp' }] }, ['tool_choice.tools[0].type']],
    [{ type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'go' }] }, []],
    [{ type: 'function', name: 'go' }, []],
    ['required', []],
  ])('finds what is wrong with the choice %j', (choice, paths) => {
    expect(pathsOf(functionRules({ tool_choice: choice }))).toEqual(paths);
  });
});

describe('functionsAlone', () => {
  it('refuses in a preset what only requests of one form can have', () => {
    const tools = ['function', 'custom', 'namespace', 'tool_search'].map((type) => ({ type }));
    expect(pathsOf(functionsAlone({ tools }))).toEqual(['tools[1].type', 'tools[2].type', 'tools[3].type']);
  });
});

describe('textRules', () => {
  it.each([
    [{ type: 'grammar' }, ['text.format.type']],
    [{ type: 'json_schema' }, ['text.format.name', 'text.format.schema']],
    [{ type: 'json_schema', name: 'place', schema: {} }, []],
    [{ type: 'json_object' }, []],
  ])('finds what is wrong with the format %j', (format, paths) => {
    expect(pathsOf(textRules({ text: { format } }))).toEqual(paths);
  });
});
