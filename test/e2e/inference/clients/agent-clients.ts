import type { Fields } from '../providers/strict-providers.js';

/** A coding agent, as far as its conversation goes: what it sends, and what it keeps of an answer. */
export interface AgentClient {
  readonly path: string;
  /** The request for the next answer. */
  readonly request: (history: readonly Fields[]) => Fields;
  readonly asks: (text: string) => readonly Fields[];
  /** What it keeps of the events of an answer. @returns undefined for one that broke off, which it asks for again */
  readonly kept: (events: readonly Fields[]) => readonly Fields[] | undefined;
  /** The ids and arguments of the calls in what it has kept, and the results that it hands in. */
  readonly calls: (kept: readonly Fields[]) => readonly { readonly id: string; readonly input: unknown }[];
  readonly results: (ids: readonly string[]) => readonly Fields[];
}

const PARAMETERS = { type: 'object', properties: { turn: { type: 'integer' }, place: { type: 'integer' } } };

const RESULT = 'Found.';

const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

const parsed = (value: unknown): unknown => JSON.parse(String(value)) as unknown;

/** Codex: of reasoning it keeps the summary and `encrypted_content` alone, and items as they are announced as done. */
export const CODEX: AgentClient = {
  path: '/responses',
  request: (input) => ({
    input: [{ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Work.' }] }, ...input],
    tools: [{ type: 'function', name: 'look_up', strict: false, parameters: PARAMETERS }, { type: 'web_search' }],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    store: false,
    stream: true,
    include: ['reasoning.encrypted_content'],
    reasoning: { max_tokens: 2_000 },
    max_output_tokens: 8_000,
  }),
  asks: (text) => [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }],
  kept: (events) => {
    if (events.at(-1)?.['type'] !== 'response.completed') return undefined;
    return events
      .filter(({ type }) => type === 'response.output_item.done')
      .map(({ item }) => item as Fields)
      .map((item) => {
        if (item['type'] !== 'reasoning') return item;
        const { summary, encrypted_content: encrypted = null } = item;
        return { type: 'reasoning', summary, encrypted_content: encrypted };
      });
  },
  calls: (kept) =>
    kept
      .filter(({ type }) => type === 'function_call')
      .map(({ call_id: id, arguments: input }) => ({ id: String(id), input: parsed(input) })),
  results: (ids) => ids.map((id) => ({ type: 'function_call_output', call_id: id, output: RESULT })),
};

/** Claude Code: it keeps blocks as they came, but for the caller of calls. */
export const CLAUDE_CODE: AgentClient = {
  path: '/messages',
  request: (messages) => ({
    system: [{ type: 'text', text: 'Work.', cache_control: { type: 'ephemeral' } }],
    messages,
    tools: [{ name: 'look_up', description: 'Looks up.', input_schema: PARAMETERS }],
    thinking: { type: 'enabled', budget_tokens: 2_000 },
    max_tokens: 8_000,
    stream: true,
  }),
  asks: (text) => [{ role: 'user', content: [{ type: 'text', text }] }],
  kept: (events) => {
    if (events.at(-1)?.['type'] !== 'message_stop') return undefined;
    const blocks: Fields[] = [];
    for (const { type, index, content_block: block, delta } of events) {
      if (type === 'content_block_start') blocks[Number(index)] = { ...(block as Fields) };
      if (type === 'content_block_delta') addTo(blocks[Number(index)]!, delta as Fields);
    }
    const content = blocks.map(({ json, caller: _caller, citations: _citations, ...block }) =>
      json === undefined ? block : { ...block, input: parsed(json) },
    );
    return [{ role: 'assistant', content }];
  },
  calls: ([message]) =>
    list(message?.['content'])
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, input }) => ({ id: String(id), input })),
  results: (ids) => [
    { role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: RESULT })) },
  ],
};

/** A text, or an empty one for what is absent. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function addTo(block: Fields, delta: Fields): void {
  const fields = { text_delta: 'text', thinking_delta: 'thinking', signature_delta: 'signature' } as const;
  if (delta['type'] === 'input_json_delta') block['json'] = textOf(block['json']) + textOf(delta['partial_json']);
  const name = fields[delta['type'] as keyof typeof fields];
  if (name !== undefined) block[name] = textOf(block[name]) + textOf(delta[name]);
}

/** A client of chats that hands back `reasoning_details` as they came, and of calls what the public interface names. */
export const CHAT_CLIENT: AgentClient = {
  path: '/chat/completions',
  request: (messages) => ({
    messages: [{ role: 'system', content: 'Work.' }, ...messages],
    tools: [{ type: 'function', function: { name: 'look_up', parameters: PARAMETERS } }],
    reasoning: { max_tokens: 2_000 },
    max_tokens: 8_000,
    stream: true,
  }),
  asks: (text) => [{ role: 'user', content: text }],
  kept: (events) => {
    if (events.length === 0 || events.some(({ error }) => error !== undefined)) return undefined;
    const deltas = events.flatMap(({ choices }) => list(choices).map(({ delta }) => delta as Fields));
    const calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[] = [];
    for (const { index, id, function: called } of deltas.flatMap(({ tool_calls: parts }) => list(parts))) {
      const { name, arguments: piece = '' } = (called ?? {}) as Fields;
      const call = (calls[Number(index)] ??= {
        id: String(id),
        type: 'function',
        function: { name: String(name), arguments: '' },
      });
      call.function.arguments += String(piece);
    }
    const text = (name: string): string => deltas.map((delta) => textOf(delta[name])).join('');
    const details = deltas.flatMap(({ reasoning_details: given }) => list(given));
    return [
      {
        role: 'assistant',
        content: text('content') || null,
        ...(text('reasoning') !== '' && { reasoning: text('reasoning') }),
        ...(details.length > 0 && { reasoning_details: details }),
        ...(calls.length > 0 && { tool_calls: calls }),
      },
    ];
  },
  calls: ([message]) =>
    list(message?.['tool_calls']).map(({ id, function: called }) => ({
      id: String(id),
      input: parsed((called as Fields)['arguments']),
    })),
  results: (ids) => ids.map((id) => ({ role: 'tool', tool_call_id: id, content: RESULT })),
};
