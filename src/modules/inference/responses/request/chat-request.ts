import { RequestAdjustments } from '../../../providers/request-adjustments.js';
import type { ChatCompletionRequest } from '../../dto/chat-completion-request.dto.js';
import type { ResponsesRequest } from '../dto/responses-request.dto.js';
import type { ResponsesSettings } from '../dto/responses-settings.dto.js';
import { foundToolsOf } from './found-tools.js';
import { chatToolsOf } from './function-tools.js';
import { messagesOf } from './input-messages.js';
import { isRunByCaller, type ResponsesTool } from './offered-tools.js';

/** The fields that both forms have, with the same meaning. */
const SHARED_FIELDS = [
  'model',
  'models',
  'preset',
  'provider',
  'route',
  'plugins',
  'stream',
  'session_id',
  'trace',
  'debug',
  'metadata',
  'user',
  'temperature',
  'top_p',
  'top_k',
  'top_logprobs',
  'frequency_penalty',
  'presence_penalty',
  'parallel_tool_calls',
  'service_tier',
  'modalities',
  'image_config',
  'cache_control',
  'prompt_cache_key',
  'prompt_cache_options',
  'safety_identifier',
] as const satisfies readonly (keyof ResponsesSettings)[];

/** The value of `include` with which a client asks for the probabilities of tokens. */
const LOGPROBS = 'message.output_text.logprobs';

/**
 * Writes a request of the Responses interface as a chat completion, which goes through the same steps
 * (docs/interface/responses.md). A field that is absent stays absent.
 *
 * @param request as its class allows it
 * @param adjustments is told which items, parts and tools are left out
 */
export function chatRequestOf(
  request: ResponsesRequest,
  adjustments = new RequestAdjustments(),
): ChatCompletionRequest {
  noteLeftOutTools(request.tools, adjustments);
  return { ...chatSettingsOf(request, foundToolsOf(request.input)), messages: chatMessagesOf(request, adjustments) };
}

/**
 * All fields of {@link chatRequestOf} but the conversation: what a preset keeps.
 *
 * @param found the tools that searches of the conversation have found
 */
export function chatSettingsOf(
  request: ResponsesSettings,
  found: readonly ResponsesTool[] = [],
): Omit<ChatCompletionRequest, 'messages'> {
  const { max_output_tokens: maxTokens, reasoning, text, tools, tool_choice: choice } = request;
  return {
    ...Object.fromEntries(SHARED_FIELDS.flatMap((name) => (name in request ? [[name, request[name]]] : []))),
    ...(isGiven(maxTokens) && { max_tokens: maxTokens }),
    ...(isGiven(reasoning) && { reasoning: withoutNulls(reasoning) }),
    ...(isGiven(text?.format) && { response_format: responseFormatOf(text.format) }),
    ...(isGiven(text?.verbosity) && { verbosity: text.verbosity }),
    ...(wantsLogprobs(request) && { logprobs: true }),
    ...chatToolsOf(tools, choice, found),
  };
}

function noteLeftOutTools(tools: ResponsesRequest['tools'], adjustments: RequestAdjustments): void {
  for (const [index, tool] of (tools ?? []).entries()) {
    if (!isRunByCaller(tool)) adjustments.leftOut(`tools.${index}`, 'tool_of_provider');
  }
}

function chatMessagesOf(
  { instructions, input }: ResponsesRequest,
  adjustments: RequestAdjustments,
): ChatCompletionRequest['messages'] {
  const messages = messagesOf(input, adjustments);
  return isGiven(instructions) ? [{ role: 'system', content: instructions }, ...messages] : messages;
}

function responseFormatOf({ type, ...schema }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return type === 'json_schema' ? { type, json_schema: withoutNulls(schema) } : { type };
}

function wantsLogprobs({ include, top_logprobs: alternatives }: ResponsesSettings): boolean {
  return include?.includes(LOGPROBS) === true || (alternatives ?? 0) > 0;
}

function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== undefined && value !== null;
}

function withoutNulls(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isGiven(value)));
}
