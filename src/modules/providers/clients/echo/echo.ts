import type {
  ChatMessage,
  ChatRequest,
  FinishReason,
  TokenUsage,
  ToolCall,
} from '../../../codecs/chat/chat-completion.js';

/** The answer to a request of the builtin provider. */
interface Echo {
  readonly answer: string;
  /** The call that a tool choice asks for, in place of an answer. */
  readonly toolCall: ToolCall | null;
  readonly finish: { readonly finish_reason: FinishReason; readonly native_finish_reason: string };
  readonly usage: TokenUsage;
}

/** The bytes of UTF-8 that count as one token. */
export const BYTES_PER_TOKEN = 4;

/** The text of the last user message, up to a stop text and the maximum of tokens. */
export function echoOf(request: ChatRequest): Echo {
  const said = messageText(request.messages.findLast(({ role }) => role === 'user'));
  const promptTokens = request.messages.reduce((sum, message) => sum + tokensOf(messageText(message)), 0);
  const toolCall = toolCallOf(request, said);
  if (toolCall !== null) {
    return { answer: '', toolCall, finish: finishOf('tool_calls'), usage: usageOf(promptTokens, tokensOf(said)) };
  }
  const text = beforeStop(said, request.stop ?? []);
  const limit = request.max_completion_tokens ?? request.max_tokens ?? Infinity;
  const answer = tokensOf(text) <= limit ? text : withinTokens(text, limit);
  const isCut = answer.length < text.length;
  return {
    answer,
    toolCall,
    finish: finishOf(isCut ? 'length' : 'stop'),
    usage: usageOf(promptTokens, tokensOf(answer)),
  };
}

/** The words of an answer, with the space before it each, one at a time: lists of them would take much more memory than texts. */
export function* wordsOf(text: string): Generator<string, void, undefined> {
  for (const [word] of text.matchAll(/\s*\S+\s*$|\s*\S+|\s+/g)) yield word;
}

/** The first words of a text, up to a number of tokens. */
function withinTokens(text: string, tokens: number): string {
  let [bytes, length] = [0, 0];
  for (const word of wordsOf(text)) {
    bytes += Buffer.byteLength(word);
    if (Math.ceil(bytes / BYTES_PER_TOKEN) > tokens) break;
    length += word.length;
  }
  return text.slice(0, length);
}

function messageText(message: ChatMessage | undefined): string {
  const content = message?.content ?? '';
  if (typeof content === 'string') return content;
  return content.map(({ text }) => text ?? '').join('');
}

function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** A request that must call a tool calls the one that it names, or the first. */
function toolCallOf({ tools, tool_choice: choice }: ChatRequest, said: string): ToolCall | null {
  const named = typeof choice === 'object' ? choice?.function?.name : undefined;
  if (named === undefined && choice !== 'required') return null;
  const name = named ?? tools?.find(({ type }) => type === 'function')?.function?.name;
  if (name === undefined) return null;
  return { id: 'call_echo', type: 'function', function: { name, arguments: JSON.stringify({ text: said }) } };
}

function beforeStop(text: string, stop: string | readonly string[]): string {
  const places = [stop]
    .flat()
    .filter((word) => word !== '')
    .map((word) => text.indexOf(word))
    .filter((place) => place !== -1);
  return text.slice(0, Math.min(text.length, ...places));
}

function finishOf(reason: FinishReason): Echo['finish'] {
  return { finish_reason: reason, native_finish_reason: reason };
}

function usageOf(prompt: number, completion: number): TokenUsage {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
