import { isObject } from '../../../api/validation/constraints.js';
import type { ScannedText } from '../../content/content-result.js';
import type { ChatMessage, ContentPart, FunctionTool, ToolCall } from '../../providers/chat-completion.js';
import type { ChatCompletionRequest } from '../dto/chat-completion-request.dto.js';

/** Where a text stands in a request: names of fields and positions in lists. */
export type TextPlace = readonly (string | number)[];

type Request = Pick<ChatCompletionRequest, 'messages' | 'prediction' | 'tools' | 'response_format'>;

/**
 * The texts of a request that content filters look at, in their order: texts and parts of every message, its name, reasoning
 * and refusal, the arguments of tool calls, what the answer is predicted to be, and what describes tools and the form of the
 * answer (docs/interface/content-filters.md#what-is-scanned).
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
  mapTexts(request, (text, _kind, _role, place) => {
    places.push(place);
    return text;
  });
  return places;
}

/** A request with other texts. @param texts as many as {@link textsOf} gives, in the same order */
export function withTexts(request: ChatCompletionRequest, texts: readonly string[]): ChatCompletionRequest {
  let index = 0;
  return { ...request, ...mapTexts(request, () => texts[index++]!) };
}

type Replace = (text: string, kind: ScannedText['kind'], role: ChatMessage['role'], place: TextPlace) => string;

/** Replaces a text of a message, by its place in the message. */
type ReplaceText = (text: string, place: TextPlace) => string;

type Content = string | readonly ContentPart[];

function mapTexts({ messages, prediction, tools, response_format: format }: Request, replace: Replace): Request {
  const predicted: ReplaceText = (text, place) => replace(text, 'text', 'assistant', ['prediction', ...place]);
  return {
    messages: messages.map((message, index) => mapMessage(message, index, replace)),
    ...(isContent(prediction?.content) && {
      prediction: { ...prediction, content: mapContent(prediction.content, predicted) },
    }),
    ...(Array.isArray(tools) && {
      tools: (tools as readonly FunctionTool[]).map((tool, index) => mapTool(tool, ['tools', index], replace)),
    }),
    ...(isObject(format) && { response_format: mapJson(format, ['response_format'], replace) }),
  };
}

/** Names stay as they are, for calls name tools by them. */
function mapTool({ type, ...tool }: FunctionTool, place: TextPlace, replace: Replace): FunctionTool {
  if (!isObject(tool.function)) return { type, ...mapJson(tool, place, replace) };
  const { name, ...described } = tool.function;
  return { type, ...tool, function: { name, ...mapJson(described, [...place, 'function'], replace) } };
}

/** What the caller describes in JSON is one text that stays JSON, however many descriptions there are. */
function mapJson<Described extends object>(described: Described, place: TextPlace, replace: Replace): Described {
  const json = JSON.stringify(described);
  const replaced = replace(json, 'tool_arguments', 'system', place);
  return replaced === json ? described : (JSON.parse(replaced) as Described);
}

function mapMessage(message: ChatMessage, index: number, replace: Replace): ChatMessage {
  const { role, content, name, reasoning, reasoning_details: details, refusal, tool_calls: calls } = message;
  const text: ReplaceText = (value, place) => replace(value, 'text', role, ['messages', index, ...place]);
  return {
    ...message,
    ...(typeof name === 'string' && { name: text(name, ['name']) }),
    ...(isContent(content) && { content: mapContent(content, text) }),
    ...(typeof reasoning === 'string' && { reasoning: text(reasoning, ['reasoning']) }),
    ...(Array.isArray(details) && {
      reasoning_details: (details as readonly Detail[]).map((detail, order) =>
        mapDetail(detail, (value, field) => text(value, ['reasoning_details', order, field])),
      ),
    }),
    ...(typeof refusal === 'string' && { refusal: text(refusal, ['refusal']) }),
    ...(Array.isArray(calls) && {
      tool_calls: (calls as readonly ToolCall[]).map((call, order) => ({
        ...call,
        function: {
          ...call.function,
          arguments: replace(call.function.arguments, 'tool_arguments', role, [
            'messages',
            index,
            'tool_calls',
            order,
            'function',
            'arguments',
          ]),
        },
      })),
    }),
  };
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

function mapContent(content: Content, text: ReplaceText): Content {
  if (typeof content === 'string') return text(content, ['content']);
  return content.map((part, index) =>
    typeof part.text === 'string' ? { ...part, text: text(part.text, ['content', index, 'text']) } : part,
  );
}
