type Item = Readonly<Record<string, unknown>>;

/** A list of a body with that many entries, and the request that has it. */
type ListOf = (length: number) => Item;

/** Entries of a list, each by its position. */
export function entries<Entry>(length: number, entryAt: (at: number) => Entry): Entry[] {
  return Array.from({ length }, (_, at) => entryAt(at));
}

const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';

const SIGNED = (id: string): Item => ({ type: 'reasoning.encrypted', format: 'google-gemini-v1', id, data: 'c2ln' });

const ask = { role: 'user', content: 'Ask' };
const call = (id: string): Item => ({ id, type: 'function', function: { name: 'look_up', arguments: '{"a":1}' } });
const calling = (calls: readonly Item[], further: Item = {}): Item => ({
  role: 'assistant',
  content: null,
  tool_calls: calls,
  ...further,
});
const result = (id: string, content: unknown = 'Found'): Item => ({ role: 'tool', tool_call_id: id, content });
const tool = (name: string, parameters: Item = { type: 'object', properties: {} }, further: Item = {}): Item => ({
  type: 'function',
  function: { name, parameters, ...further },
});
const LOOK_UP = tool('look_up');
const strictTool = (parameters: Item): Item => ({
  messages: [ask],
  tools: [tool('look_up', parameters, { strict: true }), tool('other', parameters)],
  response_format: { type: 'json_schema', json_schema: { name: 'a', strict: true, schema: parameters } },
});
const text = (at: number): Item => ({ type: 'text', text: `Text ${at}` });
const names = (length: number): string[] => entries(length, (at) => `name_${at}`);
const properties = (length: number): Item =>
  Object.fromEntries(names(length).map((name) => [name, { type: 'string' }]));

/** Every list that a chat in the gateway's own form can have, with what stands in other lists about its entries. */
export const CHAT_LISTS: Readonly<Record<string, ListOf>> = {
  'messages of a user, as texts': (n) => ({ messages: entries(n, (at) => ({ role: 'user', content: `Say ${at}` })) }),
  'messages of a user, as parts': (n) => ({ messages: entries(n, (at) => ({ role: 'user', content: [text(at)] })) }),
  'messages of a user, as texts and parts': (n) => ({
    messages: entries(n, (at) => ({ role: 'user', content: at % 2 === 0 ? 'Say' : [text(at)] })),
  }),
  'messages of a user with a name': (n) => ({
    messages: entries(n, (at) => ({ role: 'user', name: `n${at}`, content: 'Say' })),
  }),
  'messages of the assistant': (n) => ({
    messages: [ask, ...entries(n, (at) => ({ role: 'assistant', content: `Said ${at}` })), ask],
  }),
  'empty messages of the assistant': (n) => ({
    messages: [ask, ...entries(n, () => ({ role: 'assistant', content: '' })), ask],
  }),
  'messages of user and assistant': (n) => ({
    messages: [...entries(n, (at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: `Say ${at}` })), ask],
  }),
  'messages of the system': (n) => ({
    messages: [...entries(n, (at) => ({ role: 'system', content: `Be ${at}` })), ask],
  }),
  'messages of the system, as parts': (n) => ({
    messages: [...entries(n, (at) => ({ role: 'system', content: [text(at)] })), ask],
  }),
  'messages of developer and user': (n) => ({
    messages: entries(n, (at) => ({ role: at % 2 === 0 ? 'user' : 'developer', content: `Say ${at}` })),
  }),
  'refusals of the assistant': (n) => ({
    messages: [ask, ...entries(n, (at) => ({ role: 'assistant', content: null, refusal: `No ${at}` })), ask],
  }),
  'parts of a message': (n) => ({ messages: [{ role: 'user', content: entries(n, text) }] }),
  'parts of the system': (n) => ({ messages: [{ role: 'system', content: entries(n, text) }, ask] }),
  'marked parts of the system': (n) => ({
    messages: [
      { role: 'system', content: entries(n, (at) => ({ ...text(at), cache_control: { type: 'ephemeral' } })) },
      ask,
    ],
  }),
  'parts of the assistant': (n) => ({ messages: [ask, { role: 'assistant', content: entries(n, text) }, ask] }),
  'images of a message': (n) => ({
    messages: [{ role: 'user', content: entries(n, () => ({ type: 'image_url', image_url: { url: PIXEL } })) }],
  }),
  'files of a message': (n) => ({
    messages: [
      {
        role: 'user',
        content: entries(n, (at) => ({
          type: 'file',
          file: { filename: `a${at}.pdf`, file_data: 'data:application/pdf;base64,JVBERi0=' },
        })),
      },
    ],
  }),
  'files of text of a message': (n) => ({
    messages: [
      {
        role: 'user',
        content: entries(n, () => ({ type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain,abc' } })),
      },
    ],
  }),
  'recordings of a message': (n) => ({
    messages: [
      {
        role: 'user',
        content: entries(n, () => ({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } })),
      },
    ],
  }),
  'videos of a message': (n) => ({
    messages: [
      {
        role: 'user',
        content: entries(n, () => ({ type: 'video_url', video_url: { url: 'data:video/mp4;base64,AAAA' } })),
      },
    ],
  }),
  'parts of an unknown type': (n) => ({
    messages: [{ role: 'user', content: [text(0), ...entries(n, (at) => ({ type: `unknown_${at}` }))] }],
  }),
  'calls of a message': (n) => ({
    messages: [ask, calling(names(n).map(call)), ...names(n).map((id) => result(id))],
    tools: [LOOK_UP],
  }),
  'calls of a message with the same id': (n) => ({
    messages: [ask, calling(entries(n, () => call('same'))), ...entries(n, () => result('same'))],
    tools: [LOOK_UP],
  }),
  'calls of a message with ids that look like numbered ones': (n) => ({
    messages: [ask, calling([...entries(n, (at) => call(`a_${at}`)), ...entries(n, () => call('a'))]), result('a')],
    tools: [LOOK_UP],
  }),
  'calls of a message with ids that only some forms tell apart': (n) => ({
    messages: [
      ask,
      calling(entries(n, (at) => call('.-_:/'.charAt(at % 5)))),
      ...entries(n, (at) => result('.-_:/'.charAt(at % 5))),
    ],
    tools: [LOOK_UP],
  }),
  'calls of a message whose results stand in another order': (n) => ({
    messages: [
      ask,
      calling(names(n).map(call)),
      ask,
      ...names(n)
        .reverse()
        .map((id) => result(id)),
    ],
    tools: [LOOK_UP],
  }),
  'messages with a call and its result': (n) => ({
    messages: [ask, ...names(n).flatMap((id) => [calling([call(id)]), result(id)])],
    tools: [LOOK_UP],
  }),
  'messages with calls of the same id': (n) => ({
    messages: [ask, ...entries(n, () => 'same').flatMap((id) => [calling([call(id)]), result(id), ask])],
    tools: [LOOK_UP],
  }),
  'results without a call': (n) => ({ messages: [ask, ...names(n).map((id) => result(id))], tools: [LOOK_UP] }),
  'results of one call': (n) => ({
    messages: [ask, calling([call('a')]), ...entries(n, () => result('a'))],
    tools: [LOOK_UP],
  }),
  'parts of a result': (n) => ({
    messages: [ask, calling([call('a')]), result('a', entries(n, text))],
    tools: [LOOK_UP],
  }),
  'images of a result': (n) => ({
    messages: [
      ask,
      calling([call('a')]),
      result(
        'a',
        entries(n, () => ({ type: 'image_url', image_url: { url: PIXEL } })),
      ),
    ],
    tools: [LOOK_UP],
  }),
  'results with an image': (n) => ({
    messages: [
      ask,
      calling(names(n).map(call)),
      ...names(n).map((id) => result(id, [{ type: 'image_url', image_url: { url: PIXEL } }])),
    ],
    tools: [LOOK_UP],
  }),
  'calls that are signed in details': (n) => ({
    messages: [
      ask,
      calling(names(n).map(call), { reasoning_details: names(n).map(SIGNED) }),
      ...names(n).map((id) => result(id)),
    ],
    tools: [LOOK_UP],
  }),
  'calls beside signatures of others': (n) => ({
    messages: [
      ask,
      calling(names(n).map(call), { reasoning_details: entries(n, (at) => SIGNED(`other.${at}`)) }),
      ...names(n).map((id) => result(id)),
    ],
    tools: [LOOK_UP],
  }),
  'signatures of places in a text': (n) => ({
    messages: [
      ask,
      calling(names(n).map(call), {
        content: 'a'.repeat(n),
        reasoning_details: entries(n, (at) => SIGNED(`after-${at}-${at}-1`)),
      }),
      ...names(n).map((id) => result(id)),
    ],
    tools: [LOOK_UP],
  }),
  'calls that are signed themselves': (n) => ({
    messages: [
      ask,
      calling(names(n).map((id) => ({ ...call(id), extra_content: { google: { thought_signature: 'c2ln' } } }))),
      ...names(n).map((id) => result(id)),
    ],
    tools: [LOOK_UP],
  }),
  'thoughts of a message': (n) => ({
    messages: [
      ask,
      {
        role: 'assistant',
        content: 'Said',
        reasoning_details: entries(n, (at) => ({
          type: 'reasoning.text',
          text: `Thought ${at}`,
          signature: 'c2ln',
          format: 'anthropic-claude-v1',
          index: at,
        })),
      },
      ask,
    ],
  }),
  'thoughts of a message in one block': (n) => ({
    messages: [
      ask,
      {
        role: 'assistant',
        content: 'Said',
        reasoning_details: entries(n, (at) => ({
          type: 'reasoning.text',
          text: `Thought ${at}`,
          format: 'anthropic-claude-v1',
          index: 0,
        })),
      },
      ask,
    ],
  }),
  'thoughts of the Responses form': (n) => ({
    messages: [
      ask,
      {
        role: 'assistant',
        content: 'Said',
        reasoning_details: entries(n, (at) => [
          {
            type: 'reasoning.summary',
            summary: `Thought ${at}`,
            format: 'openai-responses-v1',
            id: `rs_${at}`,
            index: at,
          },
          { type: 'reasoning.encrypted', data: 'ZGF0YQ==', format: 'openai-responses-v1', id: `rs_${at}`, index: at },
        ]).flat(),
      },
      ask,
    ],
  }),
  'thoughts between the parts of a message': (n) => ({
    messages: [
      ask,
      calling(names(n).map(call), {
        content: entries(n, text),
        reasoning_details: entries(n, (at) => ({
          type: 'reasoning.text',
          text: `Thought ${at}`,
          signature: 'c2ln',
          format: 'anthropic-claude-v1',
          id: `after-${Math.floor(at / 2) * 6}-${Math.floor(at / 2)}`,
          index: at,
        })),
      }),
      ...names(n).map((id) => result(id)),
    ],
    tools: [LOOK_UP],
  }),
  'thoughts at the beginning of a message': (n) => ({
    messages: [
      ask,
      {
        role: 'assistant',
        content: entries(n, text),
        reasoning_details: entries(n, (at) => ({
          type: 'reasoning.text',
          text: `Thought ${at}`,
          signature: 'c2ln',
          format: 'anthropic-claude-v1',
          id: 'after-0-0',
          index: at,
        })),
      },
      ask,
    ],
  }),
  'details of one thought of the Responses form': (n) => ({
    messages: [
      ask,
      {
        role: 'assistant',
        content: 'Said',
        reasoning_details: entries(n, (at) => ({
          type: 'reasoning.summary',
          summary: `Thought ${at}`,
          format: 'openai-responses-v1',
          id: 'rs_1',
        })),
      },
      ask,
    ],
  }),
  'images that the assistant has drawn': (n) => ({
    messages: [
      ask,
      {
        role: 'assistant',
        content: 'Drawn',
        images: entries(n, () => ({ type: 'image_url', image_url: { url: PIXEL } })),
        reasoning_details: entries(n, (at) => SIGNED(`image-${at}`)),
      },
      ask,
    ],
  }),
  'marked messages and tools': (n) => ({
    messages: entries(n, (at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: [{ ...text(at), cache_control: { type: 'ephemeral' } }],
    })),
    tools: names(n).map((name) => ({ ...tool(name), cache_control: { type: 'ephemeral' } })),
  }),
  'annotations of a message': (n) => ({
    messages: [
      ask,
      {
        role: 'assistant',
        content: 'Said',
        annotations: entries(n, (at) => ({
          type: 'url_citation',
          url_citation: { url: `https://example.com/${at}`, title: 'A', start_index: at, end_index: at + 1 },
        })),
      },
      ask,
    ],
  }),
  tools: (n) => ({ messages: [ask], tools: names(n).map((name) => tool(name)) }),
  'tools with the same name': (n) => ({ messages: [ask], tools: entries(n, () => LOOK_UP) }),
  'tools with names that are shortened': (n) => ({
    messages: [
      ask,
      ...names(n).flatMap((id, at) => [
        { ...calling([{ ...call(id), function: { name: `${'é'.repeat(20)}${at}`, arguments: '{}' } }]) },
        result(id),
      ]),
    ],
    tools: entries(n, (at) => tool(`${'n'.repeat(60)}${at}`)),
  }),
  'tools that may be called': (n) => ({
    messages: [ask],
    tools: names(n).map((name) => tool(name)),
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: names(n).map((name) => ({ type: 'function', function: { name } })) },
    },
  }),
  'properties of a schema': (n) => strictTool({ type: 'object', properties: properties(n) }),
  'properties of a schema, all required': (n) =>
    strictTool({ type: 'object', properties: properties(n), required: names(n) }),
  'required names without properties': (n) => strictTool({ type: 'object', properties: {}, required: names(n) }),
  'choices of a schema': (n) => strictTool({ type: 'object', properties: { a: { enum: names(n) } } }),
  'alternatives of a schema': (n) =>
    strictTool({ type: 'object', properties: { a: { anyOf: entries(n, () => ({ type: 'string' })) } } }),
  'alternatives at the root of a schema': (n) =>
    strictTool({
      anyOf: entries(n, (at) => ({ type: 'object', properties: { [`a${at}`]: {} }, required: ['a', `a${at}`] })),
    }),
  'alternatives beside a type': (n) =>
    strictTool({
      type: 'object',
      properties: { a: { type: ['object', 'array'], anyOf: entries(n, () => ({ minLength: 1 })) } },
    }),
  'schemas that all hold': (n) =>
    strictTool({
      type: 'object',
      properties: { a: { allOf: entries(n, (at) => ({ properties: { [`a${at}`]: {} } })) } },
    }),
  'definitions of a schema': (n) =>
    strictTool({ type: 'object', properties: { a: { $ref: '#/$defs/name_0' } }, $defs: properties(n) }),
  'types of a schema': (n) =>
    strictTool({ type: 'object', properties: { a: { type: ['object', ...names(n)], minLength: 1 } } }),
  'keywords of a schema': (n) =>
    strictTool({ type: 'object', properties: { a: { type: 'string', ...properties(n) } } }),
  'fields of a body': (n) => ({ messages: [ask], ...properties(n) }),
  'fields of a message': (n) => ({ messages: [{ ...ask, ...properties(n) }] }),
  'fields of a part': (n) => ({ messages: [{ role: 'user', content: [{ ...text(0), ...properties(n) }] }] }),
  'fields of the arguments of a call': (n) => ({
    messages: [
      ask,
      calling([{ ...call('a'), function: { name: 'look_up', arguments: JSON.stringify(properties(n)) } }]),
      result('a'),
    ],
    tools: [LOOK_UP],
  }),
  'arguments that are no JSON': (n) => ({
    messages: [
      ask,
      calling([{ ...call('a'), function: { name: 'look_up', arguments: '{"a":['.repeat(n) } }]),
      result('a'),
    ],
    tools: [LOOK_UP],
  }),
  'characters of a text': (n) => ({ messages: [{ role: 'user', content: 'a@b. '.repeat(n) }] }),
  'tokens of logit_bias': (n) => ({ messages: [ask], logit_bias: Object.fromEntries(entries(n, (at) => [at, 1])) }),
};

const FOUND_TOOL = (name: string): Item => ({ type: 'function', name, parameters: { type: 'object', properties: {} } });

/** Every list that a request of the Responses form can have besides those of its tools and schemas. */
export const RESPONSES_LISTS: Readonly<Record<string, ListOf>> = {
  'messages of a user': (n) => ({ input: entries(n, (at) => ({ role: 'user', content: `Say ${at}` })) }),
  'messages of instructions': (n) => ({ input: [...entries(n, () => ({ role: 'developer', content: 'Be' })), ask] }),
  'messages of the assistant': (n) => ({
    input: [
      ask,
      ...entries(n, (at) => ({ role: 'assistant', content: [{ type: 'output_text', text: `Said ${at}` }] })),
      ask,
    ],
  }),
  'parts of a message': (n) => ({
    input: [{ role: 'user', content: entries(n, (at) => ({ type: 'input_text', text: `${at}` })) }],
  }),
  'annotations of an answer': (n) => ({
    input: [
      ask,
      {
        role: 'assistant',
        content: [
          {
            type: 'output_text',
            text: 'Said',
            annotations: entries(n, () => ({ type: 'url_citation', url: 'https://example.com', start_index: 0 })),
          },
        ],
      },
      ask,
    ],
  }),
  'images of a message': (n) => ({
    input: [{ role: 'user', content: entries(n, () => ({ type: 'input_image', image_url: PIXEL })) }],
  }),
  'calls and results': (n) => ({
    input: [
      ask,
      ...names(n).map((id) => ({ type: 'function_call', call_id: id, name: 'look_up', arguments: '{}' })),
      ...names(n).map((id) => ({ type: 'function_call_output', call_id: id, output: 'Found' })),
    ],
    tools: [FOUND_TOOL('look_up')],
  }),
  'calls of one id': (n) => ({
    input: [
      ask,
      ...entries(n, () => ({ type: 'function_call', call_id: 'same', name: 'look_up', arguments: '{}' })),
      ...entries(n, () => ({ type: 'function_call_output', call_id: 'same', output: 'Found' })),
    ],
    tools: [FOUND_TOOL('look_up')],
  }),
  'calls in turn with results and thoughts': (n) => ({
    input: [
      ask,
      ...names(n).flatMap((id) => [
        {
          type: 'reasoning',
          id: `rs_${id}`,
          summary: [{ type: 'summary_text', text: 'Think' }],
          encrypted_content: 'ZGF0YQ',
        },
        { type: 'function_call', call_id: id, name: 'look_up', arguments: '{}' },
        { type: 'function_call_output', call_id: id, output: [{ type: 'input_text', text: 'Found' }] },
      ]),
    ],
    tools: [FOUND_TOOL('look_up')],
  }),
  'calls of custom tools': (n) => ({
    input: [
      ask,
      ...names(n).flatMap((id) => [
        { type: 'custom_tool_call', call_id: id, name: 'run', input: 'x' },
        { type: 'custom_tool_call_output', call_id: id, output: 'Found' },
      ]),
    ],
    tools: [{ type: 'custom', name: 'run' }],
  }),
  thoughts: (n) => ({
    input: [ask, ...entries(n, () => ({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Think' }] })), ask],
  }),
  'thoughts of one item': (n) => ({
    input: [ask, { type: 'reasoning', summary: entries(n, () => ({ type: 'summary_text', text: 'Think' })) }, ask],
  }),
  'searches for tools': (n) => ({
    input: [
      ask,
      ...names(n).flatMap((id) => [
        { type: 'tool_search_call', call_id: id, arguments: {} },
        { type: 'tool_search_output', call_id: id, tools: [FOUND_TOOL(id)] },
      ]),
    ],
    tools: [{ type: 'tool_search' }, FOUND_TOOL('look_up')],
  }),
  'tools that a search has found': (n) => ({
    input: [
      ask,
      { type: 'tool_search_call', call_id: 'a', arguments: {} },
      { type: 'tool_search_output', call_id: 'a', tools: names(n).map(FOUND_TOOL) },
    ],
    tools: [{ type: 'tool_search' }, FOUND_TOOL('look_up')],
  }),
  tools: (n) => ({ input: [ask], tools: names(n).map(FOUND_TOOL) }),
  'tools of namespaces': (n) => ({
    input: [ask],
    tools: entries(n, (at) => ({ type: 'namespace', name: `n${at}`, description: 'N', tools: [FOUND_TOOL('a')] })),
  }),
  'tools of one namespace': (n) => ({
    input: [ask],
    tools: [{ type: 'namespace', name: 'n', description: 'N', tools: names(n).map(FOUND_TOOL) }],
  }),
  'tools that may be called': (n) => ({
    input: [ask],
    tools: names(n).map(FOUND_TOOL),
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: names(n).map((name) => ({ type: 'function', name })) },
  }),
  'items of agents': (n) => ({
    input: [
      ask,
      ...names(n).flatMap((id) => [
        { type: 'agent_call', call_id: id, name: 'look_up', arguments: '{}' },
        { type: 'agent_call_output', call_id: id, output: 'Found' },
      ]),
    ],
  }),
};

const block = (at: number): Item => ({ type: 'text', text: `Text ${at}` });
const use = (id: string): Item => ({ type: 'tool_use', id, name: 'look_up', input: { a: 1 } });
const used = (id: string, content: unknown = 'Found'): Item => ({ type: 'tool_result', tool_use_id: id, content });
const CLIENT_TOOL = (name: string): Item => ({ name, input_schema: { type: 'object', properties: {} } });

/** Every list that a request of the Messages form can have besides those of its schemas. */
export const MESSAGES_LISTS: Readonly<Record<string, ListOf>> = {
  'messages of a user': (n) => ({ messages: entries(n, (at) => ({ role: 'user', content: `Say ${at}` })) }),
  'messages of user and assistant': (n) => ({
    messages: [...entries(n, (at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: [block(at)] })), ask],
  }),
  'blocks of a message': (n) => ({ messages: [{ role: 'user', content: entries(n, block) }] }),
  'blocks of the system': (n) => ({ system: entries(n, block), messages: [ask] }),
  'marked blocks': (n) => ({
    messages: [{ role: 'user', content: entries(n, (at) => ({ ...block(at), cache_control: { type: 'ephemeral' } })) }],
  }),
  'images of a message': (n) => ({
    messages: [
      {
        role: 'user',
        content: entries(n, () => ({
          type: 'image',
          source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
        })),
      },
    ],
  }),
  'documents of a message': (n) => ({
    messages: [
      {
        role: 'user',
        content: entries(n, () => ({ type: 'document', source: { type: 'text', data: 'Text' }, title: 'A' })),
      },
    ],
  }),
  'parts of a document': (n) => ({
    messages: [
      { role: 'user', content: [{ type: 'document', source: { type: 'content', content: entries(n, block) } }] },
    ],
  }),
  'results of a search': (n) => ({
    messages: [
      {
        role: 'user',
        content: entries(n, (at) => ({
          type: 'search_result',
          title: 'A',
          source: `https://a/${at}`,
          content: [block(at)],
        })),
      },
    ],
  }),
  'texts of a result of a search': (n) => ({
    messages: [
      {
        role: 'user',
        content: [{ type: 'search_result', title: 'A', source: 'https://a', content: entries(n, block) }],
      },
    ],
  }),
  'calls of a message': (n) => ({
    messages: [
      ask,
      { role: 'assistant', content: names(n).map(use) },
      { role: 'user', content: names(n).map((id) => used(id)) },
    ],
    tools: [CLIENT_TOOL('look_up')],
  }),
  'calls of one id': (n) => ({
    messages: [
      ask,
      { role: 'assistant', content: entries(n, () => use('same')) },
      { role: 'user', content: entries(n, () => used('same')) },
    ],
    tools: [CLIENT_TOOL('look_up')],
  }),
  'calls in turn with results': (n) => ({
    messages: [
      ask,
      ...names(n).flatMap((id) => [
        { role: 'assistant', content: [use(id)] },
        { role: 'user', content: [used(id)] },
      ]),
    ],
    tools: [CLIENT_TOOL('look_up')],
  }),
  'blocks of a result': (n) => ({
    messages: [
      ask,
      { role: 'assistant', content: [use('a')] },
      { role: 'user', content: [used('a', entries(n, block))] },
    ],
    tools: [CLIENT_TOOL('look_up')],
  }),
  'tools that results refer to': (n) => ({
    messages: [
      ask,
      { role: 'assistant', content: [use('a')] },
      {
        role: 'user',
        content: [
          used(
            'a',
            names(n).map((name) => ({ type: 'tool_reference', tool_name: name })),
          ),
        ],
      },
    ],
    tools: [CLIENT_TOOL('look_up'), ...names(n).map((name) => ({ ...CLIENT_TOOL(name), defer_loading: true }))],
  }),
  'thoughts of a message': (n) => ({
    messages: [
      ask,
      {
        role: 'assistant',
        content: [...entries(n, (at) => ({ type: 'thinking', thinking: `Think ${at}`, signature: 'c2ln' })), block(0)],
      },
      ask,
    ],
  }),
  'thoughts in turn with texts and calls': (n) => ({
    messages: [
      ask,
      {
        role: 'assistant',
        content: names(n).flatMap((id, at) => [
          { type: 'thinking', thinking: 'Think', signature: 'c2ln' },
          { type: 'redacted_thinking', data: 'ZGF0YQ==' },
          block(at),
          use(id),
        ]),
      },
      { role: 'user', content: names(n).map((id) => used(id)) },
    ],
    tools: [CLIENT_TOOL('look_up')],
  }),
  'citations of a text': (n) => ({
    messages: [
      ask,
      {
        role: 'assistant',
        content: [{ ...block(0), citations: entries(n, () => ({ type: 'char_location', cited_text: 'a' })) }],
      },
      ask,
    ],
  }),
  'blocks of a kind that is not known': (n) => ({
    messages: [
      ask,
      { role: 'assistant', content: [block(0), ...entries(n, (at) => ({ type: 'server_tool_use', id: `s${at}` }))] },
      ask,
    ],
  }),
  tools: (n) => ({ messages: [ask], tools: names(n).map(CLIENT_TOOL) }),
  'sequences that end an answer': (n) => ({ messages: [ask], stop_sequences: names(n) }),
};
