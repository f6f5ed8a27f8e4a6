import type { ChatChunk, ChatDelta } from './chat-completion.js';

/** Whether a chunk has a part of an answer or ends one: many providers begin with one that only has the role. */
export function saysSomething({ choices }: ChatChunk): boolean {
  return choices.some(({ delta, finish_reason: reason }) => reason !== null || hasContent(delta));
}

/** Every chunk of a stream comes here, so that no list of its fields is made. */
function hasContent(delta: ChatDelta): boolean {
  for (const name in delta) {
    const value = delta[name];
    if (name !== 'role' && value !== '' && value !== null && value !== undefined) return true;
  }
  return false;
}
