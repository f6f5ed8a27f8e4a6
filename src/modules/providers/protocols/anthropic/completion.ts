import type { AssistantMessage, ChatCompletion, ToolCall } from '../../chat-completion.js';
import { type JsonObject, objectOf, textOf, walkedListOf, wordOf } from '../../json-values.js';
import { ProviderError } from '../../provider-error.js';
import { newToolCallId } from '../../tool-call-id.js';
import { finishReasonsOf } from './stop-reasons.js';
import { encryptedReasoning, reasoningText } from './thinking-blocks.js';
import { countedUsageOf, countsAnswer, serviceTierOf } from './usage.js';

/**
 * Reads a whole message.
 *
 * @param document parsed JSON
 * @throws ProviderError if it has no content
 */
export function completionOf(document: unknown): ChatCompletion {
  const message = objectOf(document);
  if (message === undefined || !Array.isArray(message['content'])) {
    throw new ProviderError('invalid', 'The provider’s answer has no content.');
  }
  const usage = objectOf(message['usage']) ?? {};
  const said = messageOf(walkedListOf(message['content']));
  return {
    upstreamId: wordOf(message['id']) ?? null,
    choices: [{ index: 0, message: said, ...finishReasonsOf(message, said.tool_calls !== undefined) }],
    ...(countedUsageOf(usage, countsAnswer(usage)) ?? { usage: null }),
    systemFingerprint: null,
    serviceTier: serviceTierOf(usage),
  };
}

function messageOf(content: readonly unknown[]): AssistantMessage {
  const blocks = content.map(objectOf).filter((block) => block !== undefined);
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' ? [textOf(text) ?? ''] : []));
  const details = blocks.filter(({ type }) => type === 'thinking' || type === 'redacted_thinking').map(detailOf);
  const reasoning = blocks.map(({ type, thinking }) => (type === 'thinking' ? (textOf(thinking) ?? '') : '')).join('');
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(toolCallOf);
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join(''),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function detailOf({ type, thinking, signature, data }: JsonObject, index: number): JsonObject {
  if (type === 'redacted_thinking') return encryptedReasoning(index, textOf(data) ?? '');
  const signed = textOf(signature);
  return reasoningText(index, { text: textOf(thinking) ?? '', ...(signed === undefined ? {} : { signature: signed }) });
}

function toolCallOf({ id, name, input }: JsonObject): ToolCall {
  return {
    id: textOf(id) ?? newToolCallId(),
    type: 'function',
    function: { name: textOf(name) ?? '', arguments: JSON.stringify(input ?? {}) },
  };
}
