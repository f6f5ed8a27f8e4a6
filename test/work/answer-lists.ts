import { entries } from './request-lists.js';

type Fields = Readonly<Record<string, unknown>>;

/** An event of a stream: its name, and its document. */
export type Event = readonly [name: string | undefined, document: Fields];

/** What a provider of a dialect sends. */
interface SentAnswer {
  /** Whole answers that together have every list that one can have, each with an entry of every kind. */
  readonly documents: readonly Fields[];
  /** Events that together have every list that one can have. */
  readonly events: readonly Event[];
  /** What follows them, each many times, as long as the answer goes on. */
  readonly following: Readonly<Record<string, Event>>;
  /** What comes many times, each time at another place. */
  readonly repeated: Readonly<Record<string, (at: number) => readonly Event[]>>;
  /** What a stream begins and ends with. */
  readonly begin: readonly Event[];
  readonly end: readonly (Event | readonly [name: undefined, text: string])[];
}

const EXTRA = { extra_content: { google: { thought_signature: 'c2ln' } } };
const SEARCH = { url: 'https://a.example/', title: 'A', snippet: 'It is.' };
const CITATION = { type: 'url_citation', url_citation: { ...SEARCH, start_index: 0, end_index: 1 } };
const TOKEN = { token: 'a', logprob: -1, bytes: [97] };
const LOGPROBS = { content: [{ ...TOKEN, top_logprobs: [TOKEN] }], refusal: [{ ...TOKEN, top_logprobs: [TOKEN] }] };
const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const CALL = { id: 'call_0', type: 'function', function: { name: 'look_up', arguments: '{"a":[1]}' }, ...EXTRA };
const SAID = {
  role: 'assistant',
  content: [
    { type: 'text', text: 'Said' },
    { type: 'thinking', thinking: [{ type: 'text', text: 'Thought' }] },
  ],
  reasoning_details: [
    { type: 'reasoning.text', text: 'Thought', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 },
    { type: 'reasoning.encrypted', data: 'b3BhcXVl', format: 'google-gemini-v1', index: 1, id: 'call_0' },
    { type: 'reasoning.summary', summary: 'Thought', format: 'openai-responses-v1', index: 2 },
  ],
  annotations: [CITATION],
  images: [IMAGE],
  unknown: [{ a: [1] }],
  ...EXTRA,
};
const SOURCES = { citations: ['https://a.example/'], search_results: [SEARCH] };
const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const LOST = { code: 503, message: 'Lost', type: 'overloaded', details: [{ retryDelay: '1s' }] };

function chunk(delta: Fields, index = 0, further: Fields = {}): Event {
  return [undefined, { id: 'c', choices: [{ index, delta, finish_reason: null, ...further }] }];
}

const OPENAI: SentAnswer = {
  documents: [
    {
      id: 'c',
      choices: [
        { index: 0, message: { ...SAID, tool_calls: [CALL] }, finish_reason: 'tool_calls', logprobs: LOGPROBS },
      ],
      ...SOURCES,
      usage: USAGE,
    },
    { choices: [{ index: 0, message: { content: 'Said' }, finish_reason: 'error', error: LOST }], usage: USAGE },
  ],
  events: [
    chunk({ ...SAID, tool_calls: [{ index: 0, ...CALL }] }, 0, { logprobs: LOGPROBS }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '' }, ...EXTRA }] }),
    chunk({ content: 'Said' }, 0, { finish_reason: 'stop' }),
    [undefined, { choices: [], ...SOURCES }],
  ],
  following: {
    'with a text': chunk({ content: 'Said' }),
    'with a thought': chunk({ reasoning: 'Thought' }),
    'that end the choice': chunk({}, 0, { finish_reason: 'stop' }),
    'with a signature of the first call': chunk({
      tool_calls: [{ index: 0, function: { arguments: '' }, ...EXTRA }],
    }),
    'with sources': [undefined, { choices: [], ...SOURCES }],
    'with counts': [undefined, { choices: [], usage: USAGE }],
    'that say nothing': [undefined, { choices: [] }],
  },
  repeated: {
    choices: (at) => [chunk({ content: 'Said' }, at), chunk({}, at, { finish_reason: 'stop' })],
    'choices that do not end': (at) => [chunk({ content: 'Said' }, at)],
    'calls whose arguments come later': (at) => [
      chunk({ tool_calls: [{ index: at, id: `c${at}`, function: { name: 'look_up', arguments: '' } }] }),
      chunk({ tool_calls: [{ index: at, function: { arguments: '{}' } }] }),
    ],
    'calls that have no arguments': (at) => [
      chunk({ tool_calls: [{ index: at, id: `c${at}`, function: { name: 'look_up', arguments: '' } }] }),
      chunk({}, 0, { finish_reason: 'tool_calls' }),
    ],
    'calls without a name': (at) => [chunk({ tool_calls: [{ index: at, function: { arguments: '{' } }] })],
    'texts and thoughts behind a call that is open': (at) => [
      ...(at === 0 ? [chunk({ tool_calls: [{ index: 0, ...CALL, function: { name: 'f', arguments: '{' } }] })] : []),
      chunk({ content: 'Said', reasoning: 'Thought' }),
    ],
    'thoughts, each of its own': (at) => [
      chunk({ reasoning_details: [{ type: 'reasoning.text', text: 'Thought', index: at }] }),
    ],
    images: () => [chunk({ images: [IMAGE] })],
    'texts and refusals': () => [chunk({ content: 'Said' }), chunk({ refusal: 'No' })],
  },
  begin: [],
  end: [chunk({}, 0, { finish_reason: 'stop' }), [undefined, { choices: [], usage: USAGE }], [undefined, '[DONE]']],
};

const THINKING = { type: 'thinking', thinking: 'Thought', signature: 'c2ln' };
const BLOCKS = [
  THINKING,
  { type: 'redacted_thinking', data: 'b3BhcXVl' },
  { type: 'text', text: 'Said', citations: [{ type: 'char_location', cited_text: 'Said' }] },
  { type: 'tool_use', id: 'toolu_0', name: 'look_up', input: { a: [1] } },
];
const MESSAGE = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  content: BLOCKS,
  stop_reason: 'tool_use',
  usage: { input_tokens: 1, output_tokens: 1 },
};

function begun(index: number, block: Fields): Event {
  return [undefined, { type: 'content_block_start', index, content_block: block }];
}
function continued(index: number, delta: Fields): Event {
  return [undefined, { type: 'content_block_delta', index, delta }];
}
function stopped(index: number): Event {
  return [undefined, { type: 'content_block_stop', index }];
}
const messageEnd: Event = [
  undefined,
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
];
const toolUse = (at: number): Fields => ({ type: 'tool_use', id: `t${at}`, name: 'look_up', input: {} });

const ANTHROPIC: SentAnswer = {
  documents: [MESSAGE],
  events: [[undefined, MESSAGE]],
  following: { 'with its end': messageEnd },
  repeated: {
    'calls of tools': (at) => [
      begun(at, toolUse(at)),
      continued(at, { type: 'input_json_delta', partial_json: '{}' }),
      stopped(at),
    ],
    'calls of tools that are open together': (at) => [begun(at, toolUse(at))],
    thoughts: (at) => [
      begun(at, { type: 'thinking', thinking: '' }),
      continued(at, { type: 'thinking_delta', thinking: 'Thought' }),
      continued(at, { type: 'signature_delta', signature: 'c2ln' }),
      stopped(at),
    ],
    'thoughts that are not shown': (at) => [begun(at, { type: 'redacted_thinking', data: 'b3BhcXVl' }), stopped(at)],
    texts: (at) => [
      begun(at, { type: 'text', text: '' }),
      continued(at, { type: 'text_delta', text: 'Said' }),
      stopped(at),
    ],
    'pieces of one thought': (at) => [
      ...(at === 0 ? [begun(0, { type: 'thinking', thinking: '' })] : []),
      continued(0, { type: 'thinking_delta', thinking: 'Thought' }),
    ],
    'ends of the message': () => [messageEnd],
  },
  begin: [[undefined, { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null } }]],
  end: [messageEnd, [undefined, { type: 'message_stop' }]],
};

const GROUNDED = {
  groundingMetadata: {
    groundingChunks: [{ web: { uri: 'https://a.example/', title: 'A' } }],
    groundingSupports: [{ segment: { startIndex: 0, endIndex: 3 }, groundingChunkIndices: [0] }],
  },
  citationMetadata: {
    citationSources: [{ startIndex: 0, endIndex: 3, uri: 'https://b.example/' }],
    citations: [{ startIndex: 0, endIndex: 3, uri: 'https://c.example/' }],
  },
};
const PROBABLE = {
  logprobsResult: {
    chosenCandidates: [{ token: 'a', logProbability: -1 }],
    topCandidates: [{ candidates: [{ token: 'a', logProbability: -1 }] }],
  },
};
const PARTS = [
  { text: 'Thought', thought: true, thoughtSignature: 'c2ln' },
  { text: 'Größe', thoughtSignature: 'c2ln' },
  { functionCall: { id: 'call_0', name: 'look_up', args: { a: [1] } }, thoughtSignature: 'c2ln' },
  { inlineData: { mimeType: 'image/png', data: 'AAAA' }, thoughtSignature: 'c2ln' },
];
const METADATA = {
  promptTokenCount: 1,
  candidatesTokenCount: 1,
  totalTokenCount: 2,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 1 }],
  candidatesTokensDetails: [{ modality: 'TEXT', tokenCount: 1 }],
};

function contents(parts: readonly Fields[], index = 0, further: Fields = {}): Event {
  return [
    undefined,
    { candidates: [{ index, content: { role: 'model', parts }, ...further }], usageMetadata: METADATA },
  ];
}

const GENERATED = {
  candidates: [{ index: 0, content: { parts: PARTS }, finishReason: 'STOP', ...GROUNDED, ...PROBABLE }],
  usageMetadata: METADATA,
};

const GEMINI: SentAnswer = {
  documents: [
    GENERATED,
    { candidates: [{ content: { parts: [{ text: 'Said' }] }, finishReason: 'MALFORMED_FUNCTION_CALL' }] },
  ],
  events: [
    contents(PARTS),
    contents([{ text: 'Größe' }], 0, GROUNDED),
    contents([{ text: 'a' }], 0, PROBABLE),
    contents([], 0, { finishReason: 'STOP' }),
  ],
  following: {
    'with a text': contents([{ text: 'Said' }]),
    'with a signed call': contents([PARTS[2]!]),
    'with sources': contents([{ text: 'Said' }], 0, GROUNDED),
    'that end the candidate': contents([], 0, { finishReason: 'STOP' }),
    'with counts': [undefined, { candidates: [], usageMetadata: METADATA }],
  },
  repeated: {
    candidates: (at) => [contents([{ text: 'Said' }], at), contents([], at, { finishReason: 'STOP' })],
    'signed parts': () => [contents(PARTS)],
    'images alone': () => [contents([PARTS[3]!])],
  },
  begin: [],
  end: [contents([], 0, { finishReason: 'STOP' })],
};

const CONVERSED = {
  output: {
    message: {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: 'Thought', signature: 'c2ln' } } },
        { reasoningContent: { redactedContent: 'b3BhcXVl' } },
        { text: 'Said' },
        { citationsContent: { content: [{ text: 'Cited' }], citations: [{ title: 'A' }] } },
        { toolUse: { toolUseId: 'call_0', name: 'look_up', input: { a: [1] } } },
      ],
    },
  },
  stopReason: 'tool_use',
  usage: { inputTokens: 1, outputTokens: 1, cacheDetails: [{ ttl: '5m', inputTokens: 1 }] },
};

function blockEvent(type: 'Start' | 'Delta' | 'Stop', contentBlockIndex: number, further: Fields = {}): Event {
  return [`contentBlock${type}`, { contentBlockIndex, ...further }];
}
const callStart = (at: number): Event =>
  blockEvent('Start', at, { start: { toolUse: { toolUseId: `t${at}`, name: 'look_up' } } });
const callInput = (at: number): Event => blockEvent('Delta', at, { delta: { toolUse: { input: '{}' } } });
const thoughtText = (at: number): Event =>
  blockEvent('Delta', at, { delta: { reasoningContent: { text: 'Thought', signature: 'c2ln' } } });

const CONVERSE: SentAnswer = {
  documents: [CONVERSED],
  events: [
    [undefined, CONVERSED],
    ['metadata', { usage: CONVERSED.usage }],
  ],
  following: { 'with counts': ['metadata', { usage: CONVERSED.usage }] },
  repeated: {
    'calls of tools': (at) => [callStart(at), callInput(at), blockEvent('Stop', at)],
    'calls of tools that are open together': (at) => [callStart(at)],
    thoughts: (at) => [thoughtText(at), blockEvent('Stop', at)],
    'thoughts that are open together': (at) => [thoughtText(at)],
    'thoughts that are not shown': (at) => [
      blockEvent('Delta', at, { delta: { reasoningContent: { redactedContent: 'b3BhcXVl' } } }),
    ],
    texts: (at) => [blockEvent('Delta', at, { delta: { text: 'Said' } }), blockEvent('Stop', at)],
  },
  begin: [['messageStart', { role: 'assistant' }]],
  end: [
    ['messageStop', { stopReason: 'end_turn' }],
    ['metadata', { usage: CONVERSED.usage }],
  ],
};

const REASONING = {
  type: 'reasoning',
  id: 'rs_0',
  summary: [{ type: 'summary_text', text: 'Thought' }],
  content: [{ type: 'reasoning_text', text: 'Thought' }],
  encrypted_content: 'b3BhcXVl',
};
const OUTPUT_MESSAGE = {
  type: 'message',
  id: 'msg_0',
  content: [
    { type: 'output_text', text: 'Said', annotations: [{ type: 'url_citation', ...SEARCH }], logprobs: [LOGPROBS] },
    { type: 'refusal', refusal: 'No' },
  ],
};
const CALLED = { type: 'function_call', id: 'fc_0', call_id: 'call_0', name: 'look_up', arguments: '{"a":[1]}' };
const DRAWN = { type: 'image_generation_call', id: 'ig_0', result: 'AAAA', output_format: 'png' };
const RESPONSE = {
  id: 'resp_0',
  status: 'completed',
  output: [REASONING, OUTPUT_MESSAGE, CALLED, DRAWN],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};

function itemEvent(kind: string, output_index: number, further: Fields): Event {
  return [undefined, { type: `response.${kind}`, output_index, item_id: `i${output_index}`, ...further }];
}
const added = (at: number, item: Fields): Event => itemEvent('output_item.added', at, { item });
const done = (at: number, item: Fields): Event => itemEvent('output_item.done', at, { item });
const openCall = (at: number): Event => added(at, { ...CALLED, id: `i${at}`, call_id: `c${at}`, arguments: '' });

const RESPONSES: SentAnswer = {
  documents: [RESPONSE],
  events: [
    done(0, REASONING),
    done(1, OUTPUT_MESSAGE),
    done(3, DRAWN),
    itemEvent('output_text.delta', 1, { delta: 'Said', logprobs: [LOGPROBS] }),
  ],
  following: {
    'with a text': itemEvent('output_text.delta', 1, { delta: 'Said', logprobs: [] }),
    'with a source': itemEvent('output_text.annotation.added', 1, { annotation: { type: 'url_citation', ...SEARCH } }),
    'with a thought': itemEvent('reasoning_summary_text.delta', 0, { delta: 'Thought' }),
    'that are not known': [undefined, { type: 'response.unknown' }],
  },
  repeated: {
    'calls of tools': (at) => [
      openCall(at),
      itemEvent('function_call_arguments.delta', at, { delta: '{}' }),
      done(at, CALLED),
    ],
    'calls of tools that are open together': (at) => [openCall(at)],
    thoughts: (at) => [
      added(at, { type: 'reasoning', id: `i${at}`, summary: [] }),
      itemEvent('reasoning_summary_text.delta', at, { delta: 'Thought' }),
      done(at, REASONING),
    ],
    texts: (at) => [itemEvent('output_text.delta', at, { delta: 'Said' }), done(at, OUTPUT_MESSAGE)],
    images: (at) => [done(at, DRAWN)],
  },
  begin: [[undefined, { type: 'response.created', response: { ...RESPONSE, output: [] } }]],
  end: [[undefined, { type: 'response.completed', response: { ...RESPONSE, output: [] } }]],
};

/** What providers of every dialect of chats send. */
export const ANSWERS = {
  openai: OPENAI,
  'openai-responses': RESPONSES,
  anthropic: ANTHROPIC,
  gemini: GEMINI,
  converse: CONVERSE,
} as const satisfies Readonly<Record<string, SentAnswer>>;

/** An error with every list that one can have. */
export const REFUSAL = {
  error: {
    message: [{ msg: 'Wrong', loc: ['body'] }],
    status: 'INVALID_ARGUMENT',
    details: [{ retryDelay: '1s', reason: 'WRONG', fieldViolations: [{ field: 'a' }] }],
    innererror: { content_filter_result: { hate: { filtered: true, details: [1] } } },
  },
};

const VECTOR = [0.5];

/** The operations whose answers have no chat: what asks for an answer with so many entries, and the answer. */
export const RESULTS: Readonly<Record<string, (length: number) => readonly [name: string, ...values: unknown[]]>> = {
  'embeddings of openai': (n) => [
    'embeddings',
    'openai',
    undefined,
    { data: entries(n, (index) => ({ index, embedding: VECTOR })), usage: USAGE },
    n,
  ],
  'embeddings of openai in another order': (n) => [
    'embeddings',
    'openai',
    undefined,
    { data: entries(n, (index) => ({ index: n - index, embedding: VECTOR })), usage: USAGE },
    n,
  ],
  'numbers of a vector of openai': (n) => [
    'embeddings',
    'openai',
    undefined,
    { data: [{ index: 0, embedding: entries(n, () => 0.5) }], usage: USAGE },
    1,
  ],
  'embeddings of gemini': (n) => [
    'embeddings',
    'gemini',
    undefined,
    { embeddings: entries(n, () => ({ values: VECTOR })), usageMetadata: METADATA },
    n,
  ],
  'modalities of embeddings of gemini': (n) => [
    'embeddings',
    'gemini',
    undefined,
    {
      embeddings: [{ values: VECTOR }],
      usageMetadata: { promptTokenCount: 1, promptTokensDetails: entries(n, () => ({ modality: 'TEXT' })) },
    },
    1,
  ],
  'embeddings of vertex': (n) => [
    'embeddings',
    'gemini',
    'vertex',
    { predictions: entries(n, () => ({ embeddings: { values: VECTOR, statistics: { token_count: 1 } } })) },
    n,
  ],
  'embeddings of converse': (n) => [
    'embeddings',
    'converse',
    undefined,
    { id: 'e', embeddings: { float: entries(Math.min(n, 96), () => entries(n, () => 0.5)) } },
    Math.min(n, 96),
    { embedding_form: 'cohere' },
  ],
  'ranked documents': (n) => ['rerank', { results: entries(n, (index) => ({ index, relevance_score: -index })) }, n],
  'images of openai': (n) => ['images', 'openai', { data: entries(n, () => ({ b64_json: 'AAAA' })) }],
  'images of gemini': (n) => [
    'images',
    'gemini',
    { candidates: [{ content: { parts: entries(n, () => PARTS[3]) }, finishReason: 'STOP' }] },
  ],
  'segments and words of a transcription': (n) => [
    'transcription',
    {
      text: 'Said',
      segments: entries(n, () => ({ text: 'Said', tokens: [1] })),
      words: entries(n, () => ({ word: 'Said' })),
    },
  ],
};

/** Where the lists of a document are: the names and positions that lead to each. */
export function listsIn(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, part]) =>
    listsIn(part, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  return Array.isArray(value) && value.length > 0 ? [path, ...inner] : inner;
}

/** The fields that say which one an entry is. */
const PLACES: ReadonlySet<string> = new Set(['index', 'id', 'call_id', 'toolUseId', 'uri', 'url']);

/**
 * A document with one list that has so many entries.
 *
 * @param path to the list, as {@link listsIn} gives it
 * @param areTold whether the entries have places and ids of their own; else they are the same
 */
export function grown<Document>(
  document: Document,
  path: readonly (string | number)[],
  length: number,
  areTold: boolean,
): Document {
  const [name, ...rest] = path;
  if (name !== undefined) {
    const copy = (Array.isArray(document) ? [...(document as unknown[])] : { ...document }) as Record<
      string | number,
      unknown
    >;
    copy[name] = grown(copy[name], rest, length, areTold);
    return copy as Document;
  }
  const list = document as readonly unknown[];
  return entries(length, (at) => {
    const entry = list[at % list.length];
    return areTold ? told(entry, at) : entry;
  }) as Document;
}

function told(value: unknown, at: number): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return typeof value === 'string' && value.startsWith('https:') ? `${value}${at}` : value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      if (!PLACES.has(name)) return [name, told(part, at)];
      return [name, typeof part === 'number' ? at : `${String(part)}${at}`];
    }),
  );
}

/** Whether the entries of a list have places or ids, so that they can be the same or others. */
export function hasPlaces(document: unknown, path: readonly (string | number)[]): boolean {
  const list = path.reduce((value, name) => (value as Readonly<Record<string | number, unknown>>)[name], document);
  return JSON.stringify(list) !== JSON.stringify((list as readonly unknown[]).map((entry) => told(entry, 1)));
}
