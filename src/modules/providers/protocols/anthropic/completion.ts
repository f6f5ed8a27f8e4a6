import type { AssistantMessage, ChatChunk, ChatCompletion, ToolCall } from '../../chat-completion.js';
import { type JsonObject, objectOf, nonEmptyText, walkedListOf, wordOf } from '../../json-values.js';
import { messagesFieldsOf, withMessagesFields } from '../../messages-fields.js';
import { ProviderError } from '../../provider-error.js';
import { hasContent } from '../../chunk-content.js';
import { newToolCallId } from '../../tool-call-id.js';
import { blockOrderOf } from './block-order.js';
import { type FinishReasons, finishReasonsOf } from './stop-reasons.js';
import { encryptedReasoning, reasoningText } from './thinking-blocks.js';
import { idOfThought } from './thought-place.js';
import { countedUsageOf, countsAnswer, serviceTierOf } from './usage.js';

/**
 * Reads a whole message.
 *
 * @param document parsed JSON
 * @throws ProviderError if it has no content, or an empty one without a reason for its end
 */
export function completionOf(document: unknown): ChatCompletion {
  const message = objectOf(document);
  if (message === undefined || !Array.isArray(message['content'])) {
    throw new ProviderError('invalid', 'The provider’s answer has no content.');
  }
  const usage = objectOf(message['usage']) ?? {};
  const blocks = walkedListOf(message['content'])
    .map(objectOf)
    .filter((block) => block !== undefined);
  const said = messageOf(blocks);
  const reasons = endOf(said, finishReasonsOf(message, said.tool_calls !== undefined));
  const fields = { ...messagesFieldsOf(reasons), block_order: blockOrderOf(blocks) };
  return {
    upstreamId: wordOf(message['id']) ?? null,
    choices: [withMessagesFields({ index: 0, message: said, ...reasons }, fields)],
    ...(countedUsageOf(usage, countsAnswer(usage)) ?? { usage: null }),
    systemFingerprint: null,
    serviceTier: serviceTierOf(usage),
  };
}

/** A document came whole, so that what it says has ended also where its provider gives no reason. */
function endOf(said: AssistantMessage, reasons: FinishReasons): FinishReasons {
  if (reasons.finish_reason !== null) return reasons;
  if (!hasContent(said)) throw new ProviderError('invalid', 'The provider’s answer is empty, and has no stop reason.');
  return { finish_reason: said.tool_calls === undefined ? 'stop' : 'tool_calls', native_finish_reason: null };
}

/** Writes a whole message as a chunk of a stream. */
export function chunkOf({ choices, ...answer }: ChatCompletion): ChatChunk {
  return {
    ...answer,
    choices: choices.map(({ message: { tool_calls: calls, ...said }, ...choice }) => ({
      ...choice,
      delta: {
        ...said,
        ...(calls === undefined ? {} : { tool_calls: calls.map((call, index) => ({ index, ...call })) }),
      },
    })),
  };
}

function messageOf(blocks: readonly JsonObject[]): AssistantMessage {
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' ? [nonEmptyText(text) ?? ''] : []));
  const details = detailsOf(blocks);
  const reasoning = blocks
    .map(({ type, thinking }) => (type === 'thinking' ? (nonEmptyText(thinking) ?? '') : ''))
    .join('');
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(toolCallOf);
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join(''),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** The details of the thoughts among the blocks of a message, each with its place. */
function detailsOf(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const details: JsonObject[] = [];
  let [text, calls] = [0, 0];
  for (const block of blocks) {
    if (block['type'] === 'text') text += (nonEmptyText(block['text']) ?? '').length;
    else if (block['type'] === 'tool_use') calls += 1;
    else if (block['type'] === 'thinking' || block['type'] === 'redacted_thinking') {
      details.push(detailOf(block, details.length, idOfThought(details.length, { text, calls })));
    }
  }
  return details;
}

function detailOf({ type, thinking, signature, data }: JsonObject, index: number, id: string | undefined): JsonObject {
  if (type === 'redacted_thinking') return encryptedReasoning(index, nonEmptyText(data) ?? '', id);
  const signed = nonEmptyText(signature);
  return reasoningText(index, {
    ...(id !== undefined && { id }),
    text: nonEmptyText(thinking) ?? '',
    ...(signed === undefined ? {} : { signature: signed }),
  });
}

function toolCallOf({ id, name, input }: JsonObject): ToolCall {
  return {
    id: nonEmptyText(id) ?? newToolCallId(),
    type: 'function',
    function: { name: nonEmptyText(name) ?? '', arguments: JSON.stringify(input ?? {}) },
  };
}
