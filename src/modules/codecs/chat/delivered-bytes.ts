import type { AssistantMessage, ChatDelta } from './chat-completion.js';

/**
 * The size of what a model wrote: its text, reasoning, refusal, and the names and arguments of the tools that it calls.
 *
 * @param sizeOf says the size of a text; by default its bytes of UTF-8
 */
export function deliveredBytes(
  { content, reasoning, refusal, tool_calls: calls }: AssistantMessage | ChatDelta,
  sizeOf: (text: string) => number = (text) => Buffer.byteLength(text),
): number {
  const texts = [
    content,
    reasoning,
    refusal,
    ...(calls ?? []).flatMap(({ function: called }) => [called?.name, called?.arguments]),
  ];
  return texts.reduce((sum, text) => sum + (typeof text === 'string' ? sizeOf(text) : 0), 0);
}
