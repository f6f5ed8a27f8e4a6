import { halvesOf, type ModelAnswer, TOKENS } from './model-answers.js';

const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude' };

interface Block {
  readonly type: 'server_tool_use' | 'thinking' | 'text' | 'tool_search_tool_result' | 'tool_use';
  readonly [field: string]: unknown;
}

/** The message that an answer of Claude is. */
export function claudeMessage(answer: ModelAnswer): object {
  return { ...MESSAGE, content: blocksOf(answer), stop_reason: stopReasonOf(answer), usage: usageOf(answer) };
}

/** The events of the stream that an answer of Claude is. */
export function claudeEvents(answer: ModelAnswer): readonly object[] {
  const usage = usageOf(answer);
  return [
    { type: 'message_start', message: { ...MESSAGE, content: [], usage: { ...usage, output_tokens: 1 } } },
    ...blocksOf(answer).flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: begunOf(block) },
      ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: stopReasonOf(answer) }, usage },
    { type: 'message_stop' },
  ];
}

function blocksOf({ thought, searched, text, calls = [] }: ModelAnswer): readonly Block[] {
  return [
    ...(thought === undefined ? [] : [{ type: 'thinking' as const, thinking: thought.text, ...thought }]),
    ...(searched === undefined ? [] : searchBlocks(searched)),
    ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use' as const, id, name, input })),
  ];
}

/** A search for tools that Claude's provider has run, and what it has found. */
export function searchBlocks({ query, found }: NonNullable<ModelAnswer['searched']>): readonly Block[] {
  const id = 'srvtoolu_1';
  return [
    { type: 'server_tool_use', id, name: 'tool_search_tool_regex', input: { query } },
    {
      type: 'tool_search_tool_result',
      tool_use_id: id,
      content: {
        type: 'tool_search_tool_search_result',
        tool_references: found.map((name) => ({ type: 'tool_reference', tool_name: name })),
      },
    },
  ];
}

/** A block as it begins, when nothing is in it. */
function begunOf(block: Block): object {
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  if (block.type === 'tool_search_tool_result') return block;
  return block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
}

function deltasOf({ type, thinking, text, signature, input }: Block): readonly object[] {
  if (type === 'text') return halvesOf(text as string).map((half) => ({ type: 'text_delta', text: half }));
  if (type === 'tool_search_tool_result') return [];
  if (type === 'tool_use' || type === 'server_tool_use') {
    return halvesOf(JSON.stringify(input)).map((half) => ({ type: 'input_json_delta', partial_json: half }));
  }
  const said = halvesOf(thinking as string).map((half) => ({ type: 'thinking_delta', thinking: half }));
  return [...said, { type: 'signature_delta', signature }];
}

function stopReasonOf({ end, calls = [] }: ModelAnswer): string {
  if (end === 'length') return 'max_tokens';
  if (end === 'refused') return 'refusal';
  return calls.length > 0 ? 'tool_use' : 'end_turn';
}

function usageOf({ tokens: { prompt, cached, written, completion } = TOKENS }: ModelAnswer): object {
  return {
    input_tokens: prompt - cached - written,
    output_tokens: completion,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
  };
}
