import { isObject } from '../../../api/validation/constraints.js';
import type { ScannedText } from '../../content/content-result.js';
import type { ChatMessage, ContentPart, FunctionTool, ToolCall } from '../../providers/chat-completion.js';
import type { ChatCompletionRequest } from '../dto/chat-completion-request.dto.js';

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

/** A request with other texts. @param texts as many as {@link textsOf} gives, in the same order */
export function withTexts(request: ChatCompletionRequest, texts: readonly string[]): ChatCompletionRequest {
  let index = 0;
  return { ...request, ...mapTexts(request, () => texts[index++]!) };
}

type Replace = (text: string, kind: ScannedText['kind'], role: ChatMessage['role']) => string;

type Content = string | readonly ContentPart[];

function mapTexts({ messages, prediction, tools, response_format: format }: Request, replace: Replace): Request {
  const predicted = (text: string): string => replace(text, 'text', 'assistant');
  return {
    messages: messages.map((message) => mapMessage(message, replace)),
    ...(isContent(prediction?.content) && {
      prediction: { ...prediction, content: mapContent(prediction.content, predicted) },
    }),
    ...(Array.isArray(tools) && { tools: (tools as readonly FunctionTool[]).map((tool) => mapTool(tool, replace)) }),
    ...(isObject(format) && { response_format: mapJson(format, replace) }),
  };
}

/** Names stay as they are, for calls name tools by them. */
function mapTool({ type, ...tool }: FunctionTool, replace: Replace): FunctionTool {
  if (!isObject(tool.function)) return { type, ...mapJson(tool, replace) };
  const { name, ...described } = tool.function;
  return { type, ...tool, function: { name, ...mapJson(described, replace) } };
}

/** What the caller describes in JSON is one text that stays JSON, however many descriptions there are. */
function mapJson<Described extends object>(described: Described, replace: Replace): Described {
  const json = JSON.stringify(described);
  const replaced = replace(json, 'tool_arguments', 'system');
  return replaced === json ? described : (JSON.parse(replaced) as Described);
}

function mapMessage(message: ChatMessage, replace: Replace): ChatMessage {
  const { role, content, name, reasoning, reasoning_details: details, refusal, tool_calls: calls } = message;
  const text = (value: string): string => replace(value, 'text', role);
  return {
    ...message,
    ...(typeof name === 'string' && { name: text(name) }),
    ...(isContent(content) && { content: mapContent(content, text) }),
    ...(typeof reasoning === 'string' && { reasoning: text(reasoning) }),
    ...(Array.isArray(details) && {
      reasoning_details: (details as readonly Detail[]).map((detail) => mapDetail(detail, text)),
    }),
    ...(typeof refusal === 'string' && { refusal: text(refusal) }),
    ...(Array.isArray(calls) && {
      tool_calls: (calls as readonly ToolCall[]).map((call) => ({
        ...call,
        function: { ...call.function, arguments: replace(call.function.arguments, 'tool_arguments', role) },
      })),
    }),
  };
}

type Detail = Readonly<Record<string, unknown>>;

/** A signature is of the text that the provider has sent: without that text it has no use, and the provider refuses it. */
function mapDetail(detail: Detail, map: (value: string) => string): Detail {
  const { text, summary, signature, ...rest } = detail;
  const mapped = {
    ...(text !== undefined && { text: typeof text === 'string' ? map(text) : text }),
    ...(summary !== undefined && { summary: typeof summary === 'string' ? map(summary) : summary }),
  };
  const isUnchanged = mapped.text === text && mapped.summary === summary;
  return isUnchanged ? detail : { ...rest, ...mapped };
}

function isContent(value: unknown): value is Content {
  return typeof value === 'string' || Array.isArray(value);
}

function mapContent(content: Content, text: (value: string) => string): Content {
  if (typeof content === 'string') return text(content);
  return content.map((part) => (typeof part.text === 'string' ? { ...part, text: text(part.text) } : part));
}
