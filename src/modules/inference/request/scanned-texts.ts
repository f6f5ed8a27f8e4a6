import { isObject } from '../../../api/validation/constraints.js';
import type { ScannedText } from '../../content/content-result.js';
import type { ChatMessage, ContentPart, FunctionTool, ToolCall } from '../../providers/chat-completion.js';
import { messagesFieldsOf, withMessagesFields } from '../../providers/messages-fields.js';
import type { ChatCompletionRequest } from '../dto/chat-completion-request.dto.js';
import { isHandedOn, isParameter } from './upstream-request.js';

/** Where a text stands in a request. */
export interface TextPlace {
  /** Names of fields and positions in lists; none for what the request itself has besides the fields that are read. */
  readonly steps: readonly (string | number)[];
  /** Whether the text is there as it is scanned: what is described in JSON is written anew. */
  readonly isVerbatim: boolean;
}

type Steps = TextPlace['steps'];

type Request = Pick<ChatCompletionRequest, 'messages' | 'prediction' | 'tools' | 'response_format'> &
  Readonly<Record<string, unknown>>;

/** Fields of a request that are looked at by themselves, and the choice of a tool, which names one. */
const READ_BY_THEMSELVES: ReadonlySet<string> = new Set([
  'messages',
  'prediction',
  'tools',
  'tool_choice',
  'response_format',
]);

/**
 * The same of a message. Calls and results belong together by their ids, which stay as they are, and images and audio are not
 * looked into.
 */
const READ_OF_MESSAGE: ReadonlySet<string> = new Set([
  'role',
  'content',
  'name',
  'reasoning',
  'reasoning_details',
  'refusal',
  'tool_calls',
  'tool_call_id',
  'images',
  'audio',
]);

/** The same of a part of a message. */
const READ_OF_PART: ReadonlySet<string> = new Set([
  'type',
  'text',
  'image_url',
  'input_audio',
  'video_url',
  'file',
  'cache_control',
]);

/**
 * The texts of a request that content filters look at, in their order: texts and parts of every message, its name, reasoning
 * and refusal, the arguments of tool calls, what the answer is predicted to be, what describes tools and the form of the
 * answer, and all else that a provider gets (docs/interface/content-filters.md#what-is-scanned).
 */
export function textsOf(request: Request): ScannedText[] {
  const texts: ScannedText[] = [];
  mapTexts(request, (text, kind, role) => {
    texts.push({ role, text, kind });
    return text;
  });
  return texts;
}

/** Where each of these texts stands, in the same order (docs/interface/guardrails.md#trying-a-guardrail). */
export function placesOf(request: Request): TextPlace[] {
  const places: TextPlace[] = [];
  mapTexts(request, (text, _kind, _role, steps, isVerbatim) => {
    places.push({ steps, isVerbatim });
    return text;
  });
  return places;
}

/** A request with other texts. @param texts as many as {@link textsOf} gives, in the same order */
export function withTexts(request: ChatCompletionRequest, texts: readonly string[]): ChatCompletionRequest {
  let index = 0;
  return mapTexts(request, () => texts[index++]!);
}

type FunctionDescription = NonNullable<FunctionTool['function']>;

type Replace = (
  text: string,
  kind: ScannedText['kind'],
  role: ChatMessage['role'],
  steps: Steps,
  isVerbatim: boolean,
) => string;

/** Replaces a text as it is, by the end of its place. */
type ReplaceText = (text: string, ...last: Steps) => string;

type Content = string | readonly ContentPart[];

function mapTexts<Body extends Request>(request: Body, replace: Replace): Body {
  const { messages, prediction, tools, response_format: format } = request;
  const predicted: ReplaceText = (text, ...last) => replace(text, 'text', 'assistant', ['prediction', ...last], true);
  const mapped = {
    ...request,
    messages: messages.map((message, index) => mapMessage(message, ['messages', index], replace)),
    ...(isContent(prediction?.content) && {
      prediction: { ...prediction, content: mapContent(prediction.content, ['prediction'], predicted, replace) },
    }),
    ...(Array.isArray(tools) && {
      tools: (tools as readonly FunctionTool[]).map((tool, index) => mapTool(tool, ['tools', index], replace)),
    }),
    ...(isObject(format) && { response_format: mapJson(format, ['response_format'], replace) }),
  };
  return mapOthers(mapped, [], (field) => isReadOfRequest(field, request[field]), replace);
}

/** What no provider gets is not read, nor are numbers and switches where the gateway knows what they say. */
function isReadOfRequest(field: string, value: unknown): boolean {
  if (READ_BY_THEMSELVES.has(field) || !isHandedOn(field, value)) return true;
  return isParameter(field) && typeof value !== 'string' && typeof value !== 'object';
}

/** Reads the other fields of an object, which may be of any form, as one JSON: their names can be texts as well. */
function mapOthers<Fields extends object>(
  fields: Fields,
  steps: Steps,
  isRead: (field: string) => boolean,
  replace: Replace,
): Fields {
  const others = Object.entries(fields).filter(([field]) => !isRead(field));
  const found = Object.fromEntries(others);
  const mapped = mapJson(found, steps, replace);
  if (mapped === found) return fields;
  const read = Object.entries(fields).filter(([field]) => isRead(field));
  return withMessagesFields({ ...Object.fromEntries(read), ...mapped } as Fields, messagesFieldsOf(fields));
}

/** Names stay as they are, for calls name tools by them. */
function mapTool(tool: FunctionTool, steps: Steps, replace: Replace): FunctionTool {
  const { type, function: described, ...others } = tool;
  const { type: kind, name: ofKind, ...fields } = messagesFieldsOf(tool);
  const mapped = {
    type,
    ...mapJson(others, steps, replace),
    ...(isObject(described) && { function: mapFunction(described, [...steps, 'function'], replace) }),
  } as FunctionTool;
  return withMessagesFields(mapped, { type: kind, name: ofKind, ...mapJson(fields, steps, replace) });
}

function mapFunction({ name, ...described }: FunctionDescription, steps: Steps, replace: Replace): FunctionDescription {
  return { name, ...mapJson(described, steps, replace) };
}

/** What the caller describes in JSON is one text that stays JSON, however many descriptions there are. */
function mapJson<Described extends object>(described: Described, steps: Steps, replace: Replace): Described {
  if (Object.keys(described).length === 0) return described;
  const json = JSON.stringify(described);
  const replaced = replace(json, 'tool_arguments', 'system', steps, false);
  return replaced === json ? described : (JSON.parse(replaced) as Described);
}

function mapMessage(message: ChatMessage, steps: Steps, replace: Replace): ChatMessage {
  const { role, content, name, reasoning, reasoning_details: details, refusal, tool_calls: calls } = message;
  const text: ReplaceText = (value, ...last) => replace(value, 'text', role, [...steps, ...last], true);
  const mapped = {
    ...message,
    ...(typeof name === 'string' && { name: text(name, 'name') }),
    ...(isContent(content) && { content: mapContent(content, steps, text, replace) }),
    ...(typeof reasoning === 'string' && { reasoning: text(reasoning, 'reasoning') }),
    ...(Array.isArray(details) && {
      reasoning_details: (details as readonly Detail[]).map((detail, index) =>
        mapDetail(detail, (value, field) => text(value, 'reasoning_details', index, field)),
      ),
    }),
    ...(typeof refusal === 'string' && { refusal: text(refusal, 'refusal') }),
    ...(Array.isArray(calls) && {
      tool_calls: (calls as readonly ToolCall[]).map((call, index) =>
        mapCall(call, (value) =>
          replace(value, 'tool_arguments', role, [...steps, 'tool_calls', index, 'function', 'arguments'], true),
        ),
      ),
    }),
  };
  return mapOthers(mapped, steps, (field) => READ_OF_MESSAGE.has(field), replace);
}

function mapCall(call: ToolCall, map: (value: string) => string): ToolCall {
  return { ...call, function: { ...call.function, arguments: map(call.function.arguments) } };
}

type Detail = Readonly<Record<string, unknown>>;

/** A signature is of the text that the provider has sent: without that text it has no use, and the provider refuses it. */
function mapDetail(detail: Detail, map: (value: string, field: 'text' | 'summary') => string): Detail {
  const { text, summary, signature, ...rest } = detail;
  const mapped = {
    ...(text !== undefined && { text: typeof text === 'string' ? map(text, 'text') : text }),
    ...(summary !== undefined && { summary: typeof summary === 'string' ? map(summary, 'summary') : summary }),
  };
  const isUnchanged = mapped.text === text && mapped.summary === summary;
  return isUnchanged ? detail : { ...rest, ...mapped };
}

function isContent(value: unknown): value is Content {
  return typeof value === 'string' || Array.isArray(value);
}

function mapContent(content: Content, steps: Steps, text: ReplaceText, replace: Replace): Content {
  if (typeof content === 'string') return text(content, 'content');
  return content.map((part, index) => {
    const mapped = {
      ...part,
      ...(typeof part.text === 'string' && { text: text(part.text, 'content', index, 'text') }),
      ...(isObject(part['file']) && {
        file: mapFile(part['file'], (name) => text(name, 'content', index, 'file', 'filename')),
      }),
    };
    return mapOthers(mapped, [...steps, 'content', index], (field) => READ_OF_PART.has(field), replace);
  });
}

/** A file itself is not looked into. */
function mapFile(file: Readonly<Record<string, unknown>>, text: (value: string) => string): object {
  return typeof file['filename'] === 'string' ? { ...file, filename: text(file['filename']) } : file;
}
