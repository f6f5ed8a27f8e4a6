import type { AssistantMessage, ChatChunk, ChatDelta } from './chat-completion.js';

/** Whether a chunk has a part of an answer or ends one: many providers begin with one that only has the role. */
export function hasAnswerPart({ choices }: ChatChunk): boolean {
  return choices.some(({ delta, finish_reason: reason }) => reason !== null || hasContent(delta));
}

/** Whether a message, or a part of one, has more than its role. Every chunk of a stream comes here, so that no list of its fields is made. */
export function hasContent(said: ChatDelta | AssistantMessage): boolean {
  for (const name in said) {
    const value = said[name];
    if (name === 'role' || value === '' || value === null || value === undefined) continue;
    // Some servers send the lists that they have nothing for.
    if (!Array.isArray(value) || value.length > 0) return true;
  }
  return false;
}
