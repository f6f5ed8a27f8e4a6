import type { ChatChunk } from '../../providers/chat-completion.js';

/** Whether a chunk has a part of an answer or ends one: many providers begin with one that only has the role. */
export function saysSomething({ choices }: ChatChunk): boolean {
  return choices.some(({ delta, finish_reason: reason }) => {
    const said = Object.entries(delta).filter(([name]) => name !== 'role');
    return reason !== null || said.some(([, value]) => value !== '' && value !== null && value !== undefined);
  });
}
