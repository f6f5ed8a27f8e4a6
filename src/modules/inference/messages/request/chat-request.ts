import { type JsonObject, objectOf, wordOf } from '../../../providers/json-values.js';
import { withMessagesFields } from '../../../providers/messages-fields.js';
import { RequestAdjustments } from '../../../providers/request-adjustments.js';
import type { ChatCompletionRequest } from '../../dto/chat-completion-request.dto.js';
import type { MessagesRequest } from '../dto/messages-request.dto.js';
import type { MessagesSettings } from '../dto/messages-settings.dto.js';
import { isCallable } from '../rules/tool-param-rules.js';
import { chatMessagesOf } from './conversation.js';
import { reasoningOf } from './reasoning.js';
import { choiceFields, toolsOf } from './tools.js';

const SERVICE_TIERS: ReadonlyMap<string, string> = new Map([['standard_only', 'default']]);

/** The fields that both forms have, with one meaning. */
const SHARED = [
  'model',
  'models',
  'preset',
  'provider',
  'route',
  'plugins',
  'session_id',
  'trace',
  'stream',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
] as const;

/**
 * Reads a request of the Messages form as a chat completion (docs/interface/messages.md). What only that form has is kept for
 * providers that speak it.
 *
 * @param body the body, after its form was checked
 * @param betas the header that asks such a provider for what is not general yet
 * @param adjustments is told which tools are left out
 */
export function chatRequestOf(
  body: MessagesRequest,
  betas: string | undefined,
  adjustments = new RequestAdjustments(),
): ChatCompletionRequest {
  for (const [index, tool] of (body.tools ?? []).entries()) {
    if (!isCallable(tool)) adjustments.leftOut(`tools.${index}`, 'tool_of_provider');
  }
  const request = { messages: chatMessagesOf(body.system, body.messages), ...chatSettingsOf(body) };
  return withMessagesFields<ChatCompletionRequest>(request, {
    cache_control: objectOf(body.cache_control),
    context_management: objectOf(body.context_management),
    betas,
  });
}

/** All fields of {@link chatRequestOf} but the conversation and what only the Messages form has: what a preset keeps. */
export function chatSettingsOf(
  body: MessagesSettings & Partial<Pick<MessagesRequest, 'model'>>,
): Omit<ChatCompletionRequest, 'messages'> {
  const output = objectOf(body.output_config);
  const fields = {
    ...Object.fromEntries(SHARED.map((name) => [name, body[name]])),
    models: body.models ?? body.fallbacks?.map(({ model }) => String(model)),
    stop: body.stop_sequences,
    tools: body.tools == null ? body.tools : toolsOf(body.tools),
    ...choiceFields(objectOf(body.tool_choice)),
    reasoning: reasoningOf(objectOf(body.thinking), output?.['effort']),
    response_format: formatOf(output?.['format'] ?? body.output_format),
    service_tier: SERVICE_TIERS.get(body.service_tier ?? '') ?? body.service_tier,
    user: body.user ?? wordOf(objectOf(body.metadata)?.['user_id']),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

function formatOf(value: unknown): JsonObject | undefined {
  const format = objectOf(value);
  if (format === undefined) return undefined;
  return { type: 'json_schema', json_schema: { name: 'answer', schema: format['schema'] } };
}
