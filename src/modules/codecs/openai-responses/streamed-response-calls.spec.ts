import { streamed, called, whole } from './streamed-response.fixture.js';

const CUSTOM_AND_SEARCH = [
  { type: 'custom', name: 'patch' },
  { type: 'tool_search', execution: 'client' },
];

describe('responsesEncoder', () => {
  it('streams calls whose pieces come in turn', () => {
    const events = streamed(
      [
        called(0, { id: 'a', function: { name: 'look', arguments: '' } }),
        called(1, { id: '', function: { name: 'go', arguments: '{"to"' } }),
        called(0, { function: { arguments: '{}' } }),
        called(1, { function: { arguments: ':1}' } }),
      ],
      'tool_calls',
    );
    expect(events.filter(({ type }) => type.endsWith('.delta'))).toMatchObject([
      { output_index: 1, delta: '{"to"' },
      { output_index: 0, delta: '{}' },
      { output_index: 1, delta: ':1}' },
    ]);
    expect(events.filter(({ type }) => type === 'response.function_call_arguments.done')).toMatchObject([
      { output_index: 0, item_id: 'fc_1-abc_0', name: 'look', arguments: '{}' },
      { output_index: 1, item_id: 'fc_1-abc_1', name: 'go', arguments: '{"to":1}' },
    ]);
    expect(events.at(-1)!.response).toMatchObject({
      status: 'completed',
      output: [
        { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}', status: 'completed' },
        { type: 'function_call', call_id: 'call_fc_1-abc_1', name: 'go', arguments: '{"to":1}' },
      ],
    });
  });

  it('announces no call of an answer that breaks off as done, not even one that looks whole', () => {
    const deltas = [
      called(0, { id: 'a', function: { name: 'look', arguments: '{}' } }),
      called(1, { id: 'b', function: { name: 'patch', arguments: '{"input":"rm -rf /tmp/fo' } }),
      called(2, { id: 'c', function: { name: 'tool_search', arguments: '{"query":"x"}' } }),
    ];
    const events = streamed(deltas, 'tool_calls', { tools: CUSTOM_AND_SEARCH }, new Error('broken'));

    expect(events.map(({ type }) => type).filter((type) => type.endsWith('.done'))).toEqual([]);
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: {
        output: [
          { type: 'function_call', call_id: 'a', arguments: '{}', status: 'incomplete' },
          { type: 'custom_tool_call', call_id: 'b', input: '', status: 'incomplete' },
          { type: 'tool_search_call', call_id: 'c', arguments: {}, status: 'incomplete' },
        ],
      },
    });
  });

  it('announces those calls of an answer that was cut as done whose arguments are whole, wherever they stand', () => {
    const calls = [
      { id: 'a', type: 'function' as const, function: { name: 'look', arguments: '{"cit' } },
      { id: 'b', type: 'function' as const, function: { name: 'look', arguments: '{"city":"Rome"}' } },
      { id: 'c', type: 'function' as const, function: { name: 'patch', arguments: '{"input":"rm -rf /tmp/fo' } },
      { id: 'd', type: 'function' as const, function: { name: 'patch', arguments: '{"input":"ls"}' } },
    ];
    const deltas = calls.map((call, index) => called(index, call));
    const events = streamed(deltas, 'length', { tools: CUSTOM_AND_SEARCH });
    const output = [
      { call_id: 'a', arguments: '{"cit', status: 'incomplete' },
      { call_id: 'b', arguments: '{"city":"Rome"}', status: 'completed' },
      { call_id: 'c', input: '', status: 'incomplete' },
      { call_id: 'd', input: 'ls', status: 'completed' },
    ];

    expect(events.filter(({ type }) => type === 'response.output_item.done')).toMatchObject([
      { output_index: 1, item: output[1] },
      { output_index: 3, item: output[3] },
    ]);
    expect(events.filter(({ type }) => type.endsWith('arguments.done'))).toMatchObject([{ output_index: 1 }]);
    expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: { output } });
    expect(whole({ tool_calls: calls }, 'length', { tools: CUSTOM_AND_SEARCH })).toMatchObject({ output });
  });

  it('leaves out fields of calls that the form does not have, whole or streamed', () => {
    const fields = { extra_content: { google: { thought_signature: 'c2lnbmVk' } } };
    const call = { id: 'a', type: 'function' as const, function: { name: 'look', arguments: '{}' }, ...fields };
    const output = { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}', status: 'completed' };
    const events = streamed([called(0, call), called(0, fields)], 'tool_calls');
    expect(JSON.stringify(events)).not.toContain('extra_content');
    expect(events.at(-1)!.response).toMatchObject({ output: [output] });
    const document = whole({ content: null, tool_calls: [call] }, 'tool_calls');
    expect(document).toMatchObject({ output: [output] });
    expect(JSON.stringify(document)).not.toContain('extra_content');
  });

  it('calls tools of namespaces by both names, and those that take a text with it, once it is whole', () => {
    const tools = [
      { type: 'custom', name: 'patch' },
      { type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'spawn' }] },
    ];
    const calls = [
      { id: 'a', type: 'function' as const, function: { name: 'patch', arguments: '{"input":"say \\"a\\""}' } },
      { id: 'b', type: 'function' as const, function: { name: 'agents__spawn', arguments: '{}' } },
      { id: 'c', type: 'function' as const, function: { name: 'patch', arguments: 'bare' } },
    ];
    const events = streamed(
      [
        called(0, { id: 'a', function: { name: 'patch', arguments: '{"input":"say' } }),
        called(0, { function: { arguments: ' \\"a\\""}' } }),
        called(1, calls[1]!),
        called(2, calls[2]!),
      ],
      'tool_calls',
      { tools },
    );
    const output = [
      { type: 'custom_tool_call', call_id: 'a', name: 'patch', input: 'say "a"' },
      { type: 'function_call', call_id: 'b', name: 'spawn', namespace: 'agents', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: 'bare' },
    ];
    expect(events.at(-1)!.response!.output).toMatchObject(output);
    expect(whole({ content: null, tool_calls: calls }, 'tool_calls', { tools }).output).toMatchObject(output);
    expect(events.filter(({ type }) => type.startsWith('response.custom_tool_call_input.'))).toMatchObject([
      { type: 'response.custom_tool_call_input.delta', item_id: 'ctc_1-abc_0', output_index: 0, delta: 'say "a"' },
      { type: 'response.custom_tool_call_input.done', item_id: 'ctc_1-abc_0', output_index: 0, input: 'say "a"' },
      { type: 'response.custom_tool_call_input.delta', item_id: 'ctc_1-abc_2', output_index: 2, delta: 'bare' },
      { type: 'response.custom_tool_call_input.done', item_id: 'ctc_1-abc_2', output_index: 2, input: 'bare' },
    ]);
    expect(events.find(({ type }) => type === 'response.output_item.added')).toMatchObject({
      item: { type: 'custom_tool_call', name: 'patch', input: '', status: 'in_progress' },
    });
  });

  it('asks the caller to search for tools, and calls those that were found', () => {
    const found = [{ type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'spawn' }] }];
    const request = {
      tools: [{ type: 'tool_search', execution: 'client' }],
      input: [{ type: 'tool_search_output', call_id: 'z', tools: found }],
    };
    const calls = [
      { id: 'a', type: 'function' as const, function: { name: 'tool_search', arguments: '{"query":"agents"}' } },
      { id: 'b', type: 'function' as const, function: { name: 'tool_search', arguments: 'agents' } },
      { id: 'c', type: 'function' as const, function: { name: 'agents__spawn', arguments: '{}' } },
    ];
    const events = streamed(
      calls.map((call, index) => called(index, call)),
      'tool_calls',
      request,
    );
    const search = { type: 'tool_search_call', status: 'completed', execution: 'client' };
    const output = [
      { ...search, id: 'tsc_1-abc_0', call_id: 'a', arguments: { query: 'agents' } },
      { ...search, id: 'tsc_1-abc_1', call_id: 'b', arguments: 'agents' },
      { type: 'function_call', call_id: 'c', name: 'spawn', namespace: 'agents', arguments: '{}' },
    ];
    expect(events.at(-1)!.response!.output).toMatchObject(output);
    expect(whole({ content: null, tool_calls: calls }, 'tool_calls', request).output).toMatchObject(output);
    expect(events.find(({ type }) => type === 'response.output_item.added')).toMatchObject({
      item: { type: 'tool_search_call', status: 'in_progress', arguments: {} },
    });
  });

  it('takes arguments that hold more values together than a body may, or nest deeper, as the texts that they are', () => {
    const request = { tools: CUSTOM_AND_SEARCH };
    const numbers = `[${'0,'.repeat(30_000)}0]`;
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const texts = [
      ['tool_search', `{"query":${deep}}`],
      ['patch', `{"input":"a","more":${deep}}`],
      ['tool_search', `{"query":${numbers}}`],
      ['tool_search', `{"query":${numbers},"more":0}`],
      ['patch', `{"input":"a","more":${numbers}}`],
      ['patch', '{"input":"a"}'],
    ] as const;
    const calls = texts.map(([name, text], index) => ({ id: `c${index}`, function: { name, arguments: text } }));
    const events = streamed(
      calls.map((call, index) => called(index, call)),
      'tool_calls',
      request,
    );
    const output = [
      { type: 'tool_search_call', arguments: texts[0][1] },
      { type: 'custom_tool_call', input: texts[1][1] },
      { type: 'tool_search_call', arguments: JSON.parse(texts[2][1]) as object },
      { type: 'tool_search_call', arguments: texts[3][1] },
      { type: 'custom_tool_call', input: texts[4][1] },
      { type: 'custom_tool_call', input: 'a' },
    ];

    expect(events.at(-1)!.response!.output).toMatchObject(output);
    expect(whole({ tool_calls: calls }, 'tool_calls', request).output).toMatchObject(output);
  });
});

describe('Calls with parameters that a caller wants encrypted', () => {
  const toolOf = (name: string, field: object): object => ({
    type: 'function',
    name,
    parameters: { type: 'object', properties: { message: { type: 'string', ...field } } },
  });
  const tools = [
    {
      type: 'namespace',
      name: 'collaboration',
      tools: [toolOf('spawn_agent', { encrypted: true }), toolOf('wait', {})],
    },
  ];
  const callOf = (name: string): object => ({
    id: 'call_1',
    type: 'function',
    function: { name: `collaboration__${name}`, arguments: '{"message":"Look."}' },
  });

  it('say that they are not, whole and in each event of a stream', () => {
    const { output } = whole({ tool_calls: [callOf('spawn_agent')] }, 'tool_calls', { tools });
    const readable = { name: 'spawn_agent', namespace: 'collaboration', encrypted_function_args: [] };
    expect(output).toMatchObject([readable]);
    const events = streamed([called(0, callOf('spawn_agent'))], 'tool_calls', { tools });
    const items = events.flatMap(({ item }) => (item === undefined ? [] : [item]));
    expect(items).toMatchObject([readable, readable]);
  });

  it('say nothing of others', () => {
    const { output } = whole({ tool_calls: [callOf('wait')] }, 'tool_calls', { tools });
    expect(output[0]).not.toHaveProperty('encrypted_function_args');
  });
});
