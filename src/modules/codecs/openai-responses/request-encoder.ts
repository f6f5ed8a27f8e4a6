import type {
  ChatMessage,
  ChatRequest,
  ContentPart,
  FunctionTool,
  ToolCall,
  ToolChoice,
} from '../chat/chat-completion.js';
import { type JsonObject, listOf, nonEmptyText, objectOf } from '../chat/json-values.js';
import { withoutKeptBlocks } from '../chat/kept-blocks.js';
import { messagesFieldsOf } from '../chat/messages-fields.js';
import { contentWithName } from '../chat/named-text.js';
import { OPENAI_RESPONSES_FORMAT } from '../chat/thought-signatures.js';
import type { RequestAdjustments } from '../chat/request-adjustments.js';
import { untranslatable } from '../errors/provider-error.js';

/** Fields that a chat and a response have with the same name and meaning. */
const SHARED_FIELDS = [
  'model',
  'temperature',
  'top_p',
  'top_logprobs',
  'parallel_tool_calls',
  'service_tier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'safety_identifier',
  'image_config',
  'modalities',
] as const;

/** Fields of a chat that are written in another way below. */
const TRANSLATED_FIELDS: ReadonlySet<string> = new Set([
  ...SHARED_FIELDS,
  'messages',
  'max_tokens',
  'max_completion_tokens',
  'tools',
  'tool_choice',
  'response_format',
  'reasoning',
  'logprobs',
  'verbosity',
  'stream',
  'stream_options',
  'store',
]);

/** Where the thoughts of a message stand. */
const DETAILS = 'messages.*.reasoning_details';

/**
 * Writes a chat as a request of the Responses interface. Nothing of it is stored, so that each request has the whole conversation, with
 * the thoughts that only the provider can read (docs/interface/providers.md#openai-responses).
 *
 * @param adjustments is told which fields the interface has no place for
 * @throws ProviderError for content that it has no form for
 */
export function requestBody(request: ChatRequest, isStreamed: boolean, adjustments?: RequestAdjustments): JsonObject {
  for (const [field, value] of Object.entries(request)) {
    if (!TRANSLATED_FIELDS.has(field) && value !== null && value !== undefined)
      adjustments?.leftOut(field, 'not_in_dialect');
  }
  const { messages, tools, tool_choice: choice, reasoning, logprobs } = request;
  const longest = request.max_completion_tokens ?? request.max_tokens;
  const text = textOptionsOf(request);
  const include = [
    'reasoning.encrypted_content',
    ...(logprobs === true || request['top_logprobs'] != null ? ['message.output_text.logprobs'] : []),
  ];
  return {
    ...Object.fromEntries(SHARED_FIELDS.flatMap((name) => (request[name] == null ? [] : [[name, request[name]]]))),
    input: withoutLastThoughts(
      messages
        .flatMap((message) => withoutKeptBlocks(message, adjustments))
        .flatMap((message) => itemsOf(message, adjustments)),
      adjustments,
    ),
    ...(longest != null && { max_output_tokens: longest }),
    ...(tools != null && tools.length > 0 && { tools: tools.flatMap((tool) => toolOf(tool, adjustments)) }),
    ...(choice != null && { tool_choice: choiceOf(choice) }),
    ...(reasoning != null && { reasoning: reasoningOf(reasoning) }),
    ...(text !== undefined && { text }),
    include,
    store: false,
    ...(isStreamed && { stream: true }),
  };
}

/** A summary of what the model thinks is asked for unless the client does without: a summary that is null says that it does. */
function reasoningOf({ effort, summary, exclude }: NonNullable<ChatRequest['reasoning']>): JsonObject {
  const isUnsaid = summary === undefined && exclude !== true && effort !== 'none';
  const shown = isUnsaid ? 'auto' : summary;
  return { ...(effort != null && { effort }), ...(shown != null && { summary: shown }) };
}

function textOptionsOf({ response_format: asked, verbosity }: ChatRequest): JsonObject | undefined {
  const format = asked == null ? undefined : formatOf(asked);
  if (format === undefined && verbosity == null) return undefined;
  return { ...(format !== undefined && { format }), ...(verbosity != null && { verbosity }) };
}

/** A chat has what describes a schema one level deeper. */
function formatOf(format: JsonObject): JsonObject {
  const described = objectOf(format['json_schema']);
  return format['type'] === 'json_schema' && described !== undefined ? { type: 'json_schema', ...described } : format;
}

/** A function is not held to its schema unless the request says so: the interface would do it by default. */
function toolOf(tool: FunctionTool, adjustments: RequestAdjustments | undefined): readonly JsonObject[] {
  const { type, function: described } = tool;
  if (type === 'function' && described !== undefined) {
    const { name, description, parameters, strict } = described;
    return [
      {
        type,
        name,
        ...(description != null && { description }),
        parameters: parameters ?? { type: 'object', properties: {} },
        strict: strict ?? false,
      },
    ];
  }
  adjustments?.leftOut('tools', 'tool_of_provider');
  return [];
}

function choiceOf(choice: ToolChoice): unknown {
  if (typeof choice === 'string') return choice;
  if (choice.function !== undefined) return { type: 'function', name: choice.function.name };
  const allowed = objectOf(choice.allowed_tools);
  if (allowed === undefined) return 'auto';
  const tools = listOf(allowed['tools']).flatMap((tool) => {
    const name = nonEmptyText(objectOf(objectOf(tool)?.['function'])?.['name']);
    return name === undefined ? [] : [{ type: 'function', name }];
  });
  return { type: 'allowed_tools', mode: allowed['mode'] ?? 'auto', tools };
}

function itemsOf(message: ChatMessage, adjustments: RequestAdjustments | undefined): readonly JsonObject[] {
  switch (message.role) {
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.tool_call_id ?? '', output: outputOf(message.content) }];
    case 'assistant':
      return assistantItemsOf(message, adjustments);
    default:
      return [{ type: 'message', role: message.role, content: inputPartsOf(contentWithName(message)) }];
  }
}

/** A result that is only text is a text. */
function outputOf(content: ChatMessage['content']): unknown {
  if (typeof content === 'string' || content == null) return content ?? '';
  return content.every(({ type }) => type === 'text')
    ? content.map(({ text }) => text ?? '').join('')
    : content.map(inputPartOf);
}

function inputPartsOf(content: ChatMessage['content']): readonly JsonObject[] {
  if (content == null) return [];
  return typeof content === 'string' ? [{ type: 'input_text', text: content }] : content.map(inputPartOf);
}

/** A part of what a model is given, with the mark at which a cached prompt ends. */
function inputPartOf(part: ContentPart): JsonObject {
  const breakpoint = objectOf(part['prompt_cache_breakpoint']);
  const mark = breakpoint === undefined ? {} : { prompt_cache_breakpoint: breakpoint };
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text ?? '', ...mark };
    case 'image_url': {
      const { url, detail } = objectOf(part['image_url']) ?? {};
      return { type: 'input_image', image_url: url, detail: detail ?? 'auto', ...mark };
    }
    case 'file':
      return { type: 'input_file', ...fileOf(objectOf(part['file']) ?? {}), ...mark };
    default:
      throw untranslatable(`content of the type ${part.type}`);
  }
}

function fileOf({ file_data: source, file_id: id, filename }: JsonObject): JsonObject {
  const isAddress = typeof source === 'string' && /^https?:/i.test(source);
  return {
    ...(typeof source === 'string' && (isAddress ? { file_url: source } : { file_data: source })),
    ...(typeof id === 'string' && { file_id: id }),
    // The interface knows a file that comes with its content by its name.
    ...(!isAddress && { filename: typeof filename === 'string' ? filename : 'file' }),
  };
}

/** What a model has thought, said and called, in the order in which it did where that is stated. */
function assistantItemsOf(message: ChatMessage, adjustments: RequestAdjustments | undefined): readonly JsonObject[] {
  const details = message.reasoning_details ?? [];
  const thoughts = reasoningItemsOf(details);
  if (details.length > 0 && thoughts.length === 0) adjustments?.leftOut(DETAILS, 'thoughts_of_other_provider');
  const said = [...outputPartsOf(message.content), ...refusalPartOf(message['refusal'])];
  const calls = (message.tool_calls ?? []).map(callItemOf);
  const placed = inStatedOrder(message, { thoughts, said, calls });
  return placed ?? [...thoughts, ...messageItemOf(said), ...calls];
}

interface Said {
  readonly thoughts: readonly JsonObject[];
  readonly said: readonly JsonObject[];
  readonly calls: readonly JsonObject[];
}

/** @returns undefined if no order is stated, or it is not one of these items */
function inStatedOrder(message: ChatMessage, { thoughts, said, calls }: Said): readonly JsonObject[] | undefined {
  const order = listOf(messagesFieldsOf(message)['block_order']);
  if (order.length === 0) return undefined;
  const details = message.reasoning_details ?? [];
  const starts = details.map((detail, at) => at === 0 || itemOf(detail) !== itemOf(details[at - 1]!));
  const [nextThought, nextPart, nextCall] = [thoughts.values(), said.values(), calls.values()];
  const items: JsonObject[] = [];
  let detail = 0;
  for (const kind of order) {
    // The details of one item follow each other.
    if (kind === 'thought') items.push(...(starts[detail++] === true ? taken(nextThought.next()) : []));
    else if (kind === 'part') items.push(...messageItemOf(taken(nextPart.next())));
    else items.push(...taken(nextCall.next()));
  }
  const isComplete = nextThought.next().done === true && nextCall.next().done === true;
  return isComplete && thoughts.length === starts.filter(Boolean).length
    ? [...items, ...messageItemOf([...nextPart])]
    : undefined;
}

function taken(next: IteratorResult<JsonObject, unknown>): readonly JsonObject[] {
  return next.done === true ? [] : [next.value];
}

function messageItemOf(content: readonly JsonObject[]): readonly JsonObject[] {
  return content.length === 0 ? [] : [{ type: 'message', role: 'assistant', content }];
}

function outputPartsOf(content: ChatMessage['content']): readonly JsonObject[] {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  return parts.flatMap(({ text, refusal }: Partial<ContentPart>) =>
    nonEmptyText(text) === undefined ? refusalPartOf(refusal) : [{ type: 'output_text', text, annotations: [] }],
  );
}

function refusalPartOf(refusal: unknown): readonly JsonObject[] {
  return nonEmptyText(refusal) === undefined ? [] : [{ type: 'refusal', refusal }];
}

function callItemOf({ id, function: { name, arguments: given } }: ToolCall): JsonObject {
  return { type: 'function_call', call_id: id, name, arguments: given.trim() === '' ? '{}' : given };
}

/** The interface refuses thoughts behind which the model has said and called nothing, as an answer that broke off leaves them. */
function withoutLastThoughts(
  items: readonly JsonObject[],
  adjustments: RequestAdjustments | undefined,
): readonly JsonObject[] {
  let isFollowed = false;
  const kept = items.toReversed().filter((item) => {
    if (item['type'] === 'reasoning') return isFollowed;
    isFollowed = item['type'] === 'function_call' || item['role'] === 'assistant';
    return true;
  });
  if (kept.length === items.length) return items;
  adjustments?.leftOut(DETAILS, 'thoughts_without_answer');
  return kept.toReversed();
}

/** The item that a detail is of. Details that the interface gave have its id, or else their index. */
function itemOf({ id, index }: JsonObject): unknown {
  return id ?? index;
}

/** Writes details as the items of reasoning that they were made of. The provider takes back only those that it has encrypted. */
function reasoningItemsOf(details: readonly JsonObject[]): readonly JsonObject[] {
  const items = new Map<unknown, JsonObject[]>();
  for (const detail of details) {
    if (detail['format'] !== OPENAI_RESPONSES_FORMAT) continue;
    const item = itemOf(detail);
    const ofItem = items.get(item);
    if (ofItem === undefined) items.set(item, [detail]);
    else ofItem.push(detail);
  }
  return [...items.values()].flatMap((ofItem) => {
    const encrypted = ofItem.find(({ type }) => type === 'reasoning.encrypted');
    if (encrypted === undefined) return [];
    const id = nonEmptyText(encrypted['id']);
    const summary = ofItem.flatMap(({ summary: text }) =>
      nonEmptyText(text) === undefined ? [] : [{ type: 'summary_text', text }],
    );
    return [{ type: 'reasoning', ...(id !== undefined && { id }), summary, encrypted_content: encrypted['data'] }];
  });
}
