import type { AssistantMessage, ChatDelta } from '../../providers/chat-completion.js';

/**
 * The size of what a model wrote: its text, reasoning, refusal, and the names and arguments of the tools that it calls. It is
 * what is charged where a provider reports no usage (docs/interface/inference.md#cost).
 *
 * @returns bytes of UTF-8
 */
export function deliveredBytes({
  content,
  reasoning,
  refusal,
  tool_calls: calls,
}: AssistantMessage | ChatDelta): number {
  const texts = [
    content,
    reasoning,
    refusal,
    ...(calls ?? []).flatMap(({ function: called }) => [called?.name, called?.arguments]),
  ];
  return texts.reduce((sum, text) => sum + (typeof text === 'string' ? Buffer.byteLength(text) : 0), 0);
}
