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
  // Added up without a list, because every chunk of a stream comes here.
  let size = 0;
  if (typeof content === 'string') size += sizeOf(content);
  if (typeof reasoning === 'string') size += sizeOf(reasoning);
  if (typeof refusal === 'string') size += sizeOf(refusal);
  for (const { function: called } of calls ?? []) {
    if (typeof called?.name === 'string') size += sizeOf(called.name);
    if (typeof called?.arguments === 'string') size += sizeOf(called.arguments);
  }
  return size;
}
