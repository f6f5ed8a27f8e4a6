import type { ServerResponse } from 'node:http';
import { geminiRefusals, simulatedChunk, simulatedEnd } from '../../../support/network/gemini-simulator.js';
import type { ReceivedRequest } from '../../../support/network/provider-server.js';

/** An object of a request or an answer. */
export type Fields = Record<string, unknown>;

/** A provider of an agent, as its public rules describe it: it refuses what the real one refuses. */
export interface StrictProvider {
  /** What it would refuse of a request; none for one that it answers. */
  readonly refusals: (body: Fields) => readonly string[];
  /** The events of a turn with thoughts and two calls of a tool. */
  readonly calling: (turn: number, tool?: CalledTool) => readonly Fields[];
  /** The events of an answer in words. */
  readonly saying: (text: string) => readonly Fields[];
  /** Writes an event. */
  readonly written: (event: Fields) => string;
  /** What stands behind the last event. */
  readonly end: string;
}

/** A tool that a provider calls. */
export interface CalledTool {
  readonly name: string;
  readonly input: (turn: number, place: number) => Fields;
}

const LOOK_UP: CalledTool = { name: 'look_up', input: (turn, place) => ({ turn, place }) };

const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

const unknownFields = (object: Fields, known: readonly string[], where: string): readonly string[] =>
  Object.keys(object)
    .filter((name) => !known.includes(name))
    .map((name) => `${where}: unknown field ${name}`);

/** The id of a call of a turn. */
export const callId = (turn: number, place: number): string => `call_${turn}_${place}`;

const argumentsOf = (tool: CalledTool, turn: number, place: number): string => JSON.stringify(tool.input(turn, place));

/** The turn that a call was of. */
const turnOf = (call: Fields | undefined): number => Number(/^call_(\d+)_/.exec(String(call?.['id']))?.[1]);

// The form of chats

const MESSAGE_FIELDS = ['role', 'content', 'tool_calls', 'tool_call_id', 'name', 'refusal'];

interface ChatRules {
  readonly messageFields?: readonly string[];
  readonly callFields?: readonly string[];
  readonly refusalsOf?: (message: Fields, index: number) => readonly string[];
}

/** Unknown fields, and calls whose results do not follow them. */
function chatRefusals({ messages }: Fields, rules: ChatRules): readonly string[] {
  const issues: string[] = [];
  let open: unknown[] = [];
  for (const [index, message] of list(messages).entries()) {
    issues.push(...unknownFields(message, [...MESSAGE_FIELDS, ...(rules.messageFields ?? [])], `messages[${index}]`));
    if (message['role'] === 'tool') {
      if (!open.includes(message['tool_call_id'])) issues.push(`messages[${index}]: result without a call`);
      open = open.filter((id) => id !== message['tool_call_id']);
      continue;
    }
    if (open.length > 0) issues.push(`messages[${index}]: calls without results: ${open.join()}`);
    const calls = list(message['tool_calls']);
    for (const call of calls) {
      issues.push(
        ...unknownFields(call, ['id', 'type', 'function', ...(rules.callFields ?? [])], `messages[${index}]`),
      );
    }
    open = calls.map(({ id }) => id);
    issues.push(...(rules.refusalsOf?.(message, index) ?? []));
  }
  return open.length > 0 ? [...issues, `calls without results: ${open.join()}`] : issues;
}

const chunk = (delta: Fields, finish: string | null = null): Fields => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'up',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

const CHAT_USAGE = {
  ...chunk({}),
  choices: [],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
};

const chatForm = {
  saying: (text: string) => [chunk({ role: 'assistant', content: text }), chunk({}, 'stop'), CHAT_USAGE],
  written: (event: Fields) => `data: ${JSON.stringify(event)}\n\n`,
  end: 'data: [DONE]\n\n',
};

const beginOfCall = ({ name }: CalledTool, turn: number, place: number, fields: Fields = {}): Fields => ({
  index: place,
  id: callId(turn, place),
  type: 'function',
  function: { name, arguments: '' },
  ...fields,
});

const restOfCall = (tool: CalledTool, turn: number, place: number, from = 0, to?: number): Fields => ({
  index: place,
  function: { arguments: argumentsOf(tool, turn, place).slice(from, to) },
});

/** OpenAI: its calls come in turn, piece by piece. */
export const OPENAI: StrictProvider = {
  ...chatForm,
  refusals: (body) => chatRefusals(body, {}),
  calling: (turn, tool = LOOK_UP) => [
    chunk({ role: 'assistant', content: null, tool_calls: [beginOfCall(tool, turn, 0)] }),
    chunk({ tool_calls: [restOfCall(tool, turn, 0, 0, 5)] }),
    chunk({ tool_calls: [beginOfCall(tool, turn, 1)] }),
    chunk({ tool_calls: [restOfCall(tool, turn, 1, 0, 5)] }),
    chunk({ tool_calls: [restOfCall(tool, turn, 0, 5)] }),
    chunk({ tool_calls: [restOfCall(tool, turn, 1, 5)] }),
    chunk({}, 'tool_calls'),
    CHAT_USAGE,
  ],
};

const deepThought = (turn: number): string => `I look up ${turn}.`;

/** DeepSeek: it demands its thoughts back in every turn with calls, and writes a blank between the pieces of arguments. */
export const DEEPSEEK: StrictProvider = {
  ...chatForm,
  refusals: (body) =>
    chatRefusals(body, {
      messageFields: ['reasoning_content'],
      refusalsOf: (message, index) => {
        const [call] = list(message['tool_calls']);
        if (call === undefined) return [];
        const turn = turnOf(call);
        return message['reasoning_content'] === deepThought(turn)
          ? []
          : [`messages[${index}]: the reasoning_content in the thinking mode must be passed back`];
      },
    }),
  calling: (turn, tool = LOOK_UP) => [
    chunk({ role: 'assistant', reasoning_content: deepThought(turn) }),
    chunk({ tool_calls: [beginOfCall(tool, turn, 0)] }),
    chunk({ tool_calls: [restOfCall(tool, turn, 0, 0, 5)] }),
    chunk({ content: ' ' }),
    chunk({ tool_calls: [restOfCall(tool, turn, 0, 5)] }),
    chunk({ tool_calls: [beginOfCall(tool, turn, 1)] }),
    chunk({ tool_calls: [restOfCall(tool, turn, 1)] }),
    chunk({}, 'tool_calls'),
    CHAT_USAGE,
  ],
};

const signature = (turn: number): string => Buffer.from(`gemini ${turn}`).toString('base64');

/** Gemini in the form of chats: the first call of each step has the signature of its thoughts, and fields that are not known are refused. */
export const GEMINI: StrictProvider = {
  ...chatForm,
  refusals: (body) =>
    chatRefusals(body, {
      callFields: ['extra_content'],
      messageFields: ['extra_content'],
      refusalsOf: (message, index) => {
        const [call] = list(message['tool_calls']);
        if (call === undefined) return [];
        const turn = turnOf(call);
        const google = (call['extra_content'] as { google?: Fields } | undefined)?.google;
        return google?.['thought_signature'] === signature(turn)
          ? []
          : [`messages[${index}]: Function call is missing a thought_signature`];
      },
    }),
  calling: (turn, tool = LOOK_UP) => [
    chunk({
      role: 'assistant',
      tool_calls: [
        {
          ...beginOfCall(tool, turn, 0, { extra_content: { google: { thought_signature: signature(turn) } } }),
          function: { name: tool.name, arguments: argumentsOf(tool, turn, 0) },
        },
      ],
    }),
    chunk({
      tool_calls: [
        { ...beginOfCall(tool, turn, 1), function: { name: tool.name, arguments: argumentsOf(tool, turn, 1) } },
      ],
    }),
    chunk({}, 'tool_calls'),
    CHAT_USAGE,
  ],
};

/** Signatures that are missing, or stand in another part than the first call of each turn. */
function misplacedSignatures({ contents }: Fields): readonly string[] {
  return list(contents).flatMap(({ parts }, index) =>
    list(parts)
      .filter(({ functionCall: called }) => called !== undefined)
      .flatMap(({ functionCall: called, thoughtSignature: given }, place) => {
        const expected = place === 0 ? signature(turnOf(called as Fields)) : undefined;
        return given === expected ? [] : [`contents[${index}]: Corrupted thought signature.`];
      }),
  );
}

/** Gemini in its own dialect: it knows no other fields, and wants all signatures back where they were. */
export const GEMINI_DIALECT: StrictProvider = {
  refusals: (body) => [...geminiRefusals(body, { demandsSignatures: true }), ...misplacedSignatures(body)],
  calling: (turn, tool = LOOK_UP) => [
    simulatedChunk([{ text: deepThought(turn), thought: true }]),
    ...[0, 1].map((place) =>
      simulatedChunk([
        {
          functionCall: { id: callId(turn, place), name: tool.name, args: tool.input(turn, place) },
          ...(place === 0 && { thoughtSignature: signature(turn) }),
        },
      ]),
    ),
    simulatedEnd([{ text: '' }]),
  ],
  saying: (text) => [simulatedChunk([{ text }]), simulatedEnd()],
  written: (event) => `data: ${JSON.stringify(event)}\r\n\r\n`,
  end: '',
};

// The Responses interface

const ITEM_FIELDS: Readonly<Record<string, readonly string[]>> = {
  message: ['type', 'role', 'content'],
  reasoning: ['type', 'id', 'summary', 'encrypted_content'],
  function_call: ['type', 'call_id', 'name', 'arguments'],
  function_call_output: ['type', 'call_id', 'output'],
};

const encrypted = (turn: number): string => Buffer.from(`gpt ${turn}`).toString('base64');

/** Requests of another form or for storage, calls without their results, and thoughts that are not directly before the calls behind them. */
function responsesRefusals({ input, store, include, reasoning }: Fields): readonly string[] {
  const issues: string[] = [];
  if (!Array.isArray(input)) return ['not a request of the Responses interface'];
  if (store !== false || !(include as string[]).includes('reasoning.encrypted_content')) issues.push('stored');
  if ((reasoning as Fields | undefined)?.['effort'] === undefined) issues.push('no effort');
  const items = list(input);
  const resulted = items.filter(({ type }) => type === 'function_call_output').map(({ call_id: id }) => id);
  for (const [index, item] of items.entries()) {
    const { type, call_id: id } = item;
    issues.push(...unknownFields(item, ITEM_FIELDS[String(type)] ?? [], `input[${index}]`));
    if (type === 'reasoning' && items[index + 1]?.['type'] !== 'function_call') {
      issues.push(`input[${index}]: reasoning was provided without its required following item`);
    }
    if (type !== 'function_call') continue;
    const before = items[index - 1];
    const isSecond = before?.['type'] === 'function_call';
    if (!isSecond && before?.['encrypted_content'] !== encrypted(turnOf({ id }))) {
      issues.push(`input[${index}]: function_call was provided without its required reasoning item`);
    }
    if (!resulted.includes(id)) issues.push(`input[${index}]: no tool output found for the call ${String(id)}`);
  }
  return issues;
}

function eventsOfResponse(output: readonly Fields[]): readonly Fields[] {
  const usage = { input_tokens: 100, output_tokens: 20, total_tokens: 120 };
  const response = { id: 'resp_1', object: 'response', output, usage };
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    ...output.flatMap((item, index) => [
      { type: 'response.output_item.added', output_index: index, item: { ...item, ...EMPTY[String(item['type'])] } },
      ...deltasOfItem(item).map((event) => ({ ...event, output_index: index, item_id: item['id'] })),
      { type: 'response.output_item.done', output_index: index, item },
    ]),
    { type: 'response.completed', response: { ...response, status: 'completed' } },
  ];
}

/** What an item does not have yet when it begins. */
const EMPTY: Readonly<Record<string, Fields>> = {
  reasoning: { summary: [], encrypted_content: '' },
  message: { content: [] },
  function_call: { arguments: '' },
};

function deltasOfItem({ type, summary, content, arguments: input }: Fields): readonly Fields[] {
  switch (type) {
    case 'reasoning':
      return list(summary).map(({ text }) => ({ type: 'response.reasoning_summary_text.delta', delta: text }));
    case 'message':
      return list(content).map(({ text }) => ({ type: 'response.output_text.delta', delta: text }));
    default:
      return [{ type: 'response.function_call_arguments.delta', delta: input }];
  }
}

/** OpenAI where its model thinks beside tools: what it thinks goes back encrypted, before the calls that it was for. */
export const OPENAI_RESPONSES: StrictProvider = {
  refusals: responsesRefusals,
  calling: (turn, tool = LOOK_UP) =>
    eventsOfResponse([
      {
        type: 'reasoning',
        id: `rs_${turn}`,
        summary: [{ type: 'summary_text', text: deepThought(turn) }],
        encrypted_content: encrypted(turn),
      },
      ...[0, 1].map((place) => ({
        type: 'function_call',
        id: `fc_${turn}_${place}`,
        call_id: callId(turn, place),
        name: tool.name,
        arguments: argumentsOf(tool, turn, place),
      })),
    ]),
  saying: (text) =>
    eventsOfResponse([
      { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] },
    ]),
  written: (event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`,
  end: '',
};

// The Messages form

const thinking = (turn: number, place: number): Fields => ({
  type: 'thinking',
  thinking: `Thought ${turn}.${place}`,
  signature: Buffer.from(`claude ${turn} ${place}`).toString('base64'),
});

const hidden = (turn: number): Fields => ({
  type: 'redacted_thinking',
  data: Buffer.from(`hidden ${turn}`).toString('base64'),
});

const use = ({ name, input }: CalledTool, turn: number, place: number): Fields => ({
  type: 'tool_use',
  id: callId(turn, place),
  name,
  input: input(turn, place),
});

/** Thoughts and calls in turn, with a hidden thought between. */
const turnBlocks = (turn: number, tool = LOOK_UP): readonly Fields[] => [
  thinking(turn, 0),
  { type: 'text', text: `Looking ${turn}.` },
  hidden(turn),
  use(tool, turn, 0),
  thinking(turn, 1),
  use(tool, turn, 1),
];

/** Calls without results behind them, thoughts in another order, and thoughts that are missing where the model thinks. */
function messagesRefusals({ messages, thinking: mode }: Fields): readonly string[] {
  const issues: string[] = [];
  const turns = list(messages);
  for (const [index, { role, content }] of turns.entries()) {
    if (role === turns[index - 1]?.['role']) issues.push(`messages[${index}]: roles must alternate`);
    if (role !== 'assistant') continue;
    const blocks = list(content);
    const used = blocks.filter(({ type }) => type === 'tool_use');
    const results = list(turns[index + 1]?.['content']).filter(({ type }) => type === 'tool_result');
    if (used.some(({ id }) => !results.some((result) => result['tool_use_id'] === id))) {
      issues.push(`messages[${index}]: tool_use ids were found without tool_result blocks immediately after`);
    }
    const given = placesOf(turnBlocks(turnOf(used[0])));
    if (used.length > 0 && placesOf(blocks).join() !== given.join()) {
      issues.push(`messages[${index}]: thinking blocks cannot be modified: ${placesOf(blocks).join()}`);
    }
  }
  const isThinking = (mode as Fields | undefined)?.['type'] === 'enabled';
  return isThinking ? issues : [...issues, 'thinking is not enabled'];
}

/** What the provider compares: thoughts by what signs them, in their places between calls. */
const placesOf = (blocks: readonly Fields[]): readonly string[] =>
  blocks
    .filter(({ type }) => type !== 'text')
    .map(({ type, thinking: text, signature: signed, data, id }) => [type, text, signed, data, id].join('|'));

function eventsOfBlocks(blocks: readonly Fields[], reason: string): readonly Fields[] {
  const usage = { input_tokens: 100, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'up', content: [], usage };
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    ...blocks.flatMap((block, index) => eventsOfBlock(block, index)),
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 20 } },
    { type: 'message_stop' },
  ];
}

function eventsOfBlock(block: Fields, index: number): readonly Fields[] {
  const around = (begin: Fields, ...deltas: Fields[]): readonly Fields[] => [
    { type: 'content_block_start', index, content_block: begin },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  switch (block['type']) {
    case 'thinking':
      return around(
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: block['thinking'] },
        { type: 'signature_delta', signature: block['signature'] },
      );
    case 'tool_use':
      return around(
        { ...block, input: {} },
        { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) },
      );
    case 'text':
      return around({ type: 'text', text: '' }, { type: 'text_delta', text: block['text'] });
    default:
      return around(block);
  }
}

/** Claude: it takes thoughts back only in their places, and thinks between its calls. */
export const CLAUDE: StrictProvider = {
  refusals: messagesRefusals,
  calling: (turn, tool) => eventsOfBlocks(turnBlocks(turn, tool), 'tool_use'),
  saying: (text) => eventsOfBlocks([{ type: 'text', text }], 'end_turn'),
  written: (event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`,
  end: '',
};

/** Answers a request as a provider: with a refusal, or the next turn. @param next the turn, or a text to end with; `cut` breaks the stream off */
export function answerAs(
  provider: StrictProvider,
  next: () => { readonly turn?: number; readonly text?: string; readonly cut?: boolean },
  refused: (issues: readonly string[]) => void,
): (response: ServerResponse, request: ReceivedRequest) => void {
  return (response, { body }) => {
    const issues = provider.refusals(body as Fields);
    if (issues.length > 0) {
      refused(issues);
      const error = { type: 'invalid_request_error', message: issues.join('; ') };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ type: 'error', error }));
      return;
    }
    const { turn, text, cut } = next();
    const events = (turn === undefined ? provider.saying(text ?? '') : provider.calling(turn)).map(provider.written);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (cut !== true) response.end(events.join('') + provider.end);
    else response.write(events.slice(0, -3).join(''), () => response.destroy());
  };
}
