import type { ScannedText } from '../../content/content-result.js';
import type { ChatMessage, ContentPart, ToolCall } from '../../providers/chat-completion.js';
import { type JsonObject, objectOf } from '../../providers/json-values.js';
import type { ChatCompletionRequest } from '../dto/chat-completion-request.dto.js';

type Request = Pick<ChatCompletionRequest, 'messages' | 'prediction'>;

/**
 * The texts of a request that content filters look at, in their order: texts and parts of every message, its name, reasoning
 * with its details, and refusal, the arguments of tool calls, and what the answer is predicted to be
 * (docs/interface/content-filters.md#what-is-scanned).
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

function mapTexts({ messages, prediction }: Request, replace: Replace): Request {
  const predicted = (text: string): string => replace(text, 'text', 'assistant');
  return {
    messages: messages.map((message) => mapMessage(message, replace)),
    ...(isContent(prediction?.content) && {
      prediction: { ...prediction, content: mapContent(prediction.content, predicted) },
    }),
  };
}

function mapMessage(message: ChatMessage, replace: Replace): ChatMessage {
  const { role, content, name, reasoning, reasoning_details: details, refusal, tool_calls: calls } = message;
  const text = (value: string): string => replace(value, 'text', role);
  return {
    ...message,
    ...(typeof name === 'string' && { name: text(name) }),
    ...(isContent(content) && { content: mapContent(content, text) }),
    ...(typeof reasoning === 'string' && { reasoning: text(reasoning) }),
    ...(Array.isArray(details) && { reasoning_details: details.map((detail: unknown) => mapDetail(detail, text)) }),
    ...(typeof refusal === 'string' && { refusal: text(refusal) }),
    ...(Array.isArray(calls) && {
      tool_calls: (calls as readonly ToolCall[]).map((call) => ({
        ...call,
        function: { ...call.function, arguments: replace(call.function.arguments, 'tool_arguments', role) },
      })),
    }),
  };
}

/** A thought that was changed has no signature any more: its provider would refuse it, so that it is not sent back. */
function mapDetail(detail: unknown, text: (value: string) => string): JsonObject {
  const thought = objectOf(detail) ?? {};
  if (typeof thought['text'] !== 'string') return thought;
  const said = text(thought['text']);
  if (said === thought['text']) return thought;
  const { signature: _signature, ...rest } = thought;
  return { ...rest, text: said };
}

function isContent(value: unknown): value is Content {
  return typeof value === 'string' || Array.isArray(value);
}

function mapContent(content: Content, text: (value: string) => string): Content {
  if (typeof content === 'string') return text(content);
  return content.map((part) => (typeof part.text === 'string' ? { ...part, text: text(part.text) } : part));
}
