import { type JsonObject, listOf, objectOf } from '../../json-values.js';
import type { ConversationMessage } from './conversation.js';

const THOUGHTS: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking']);

/**
 * Whether the last turn of the assistant has called tools, or is the beginning of the answer, without a thought before: another model had it,
 * or its client has not kept the thoughts. The provider refuses to think with a budget behind such a turn, and goes on without thoughts.
 */
export function lacksThoughts(messages: readonly ConversationMessage[]): boolean {
  const last = messages.findLast(({ role }) => role === 'assistant');
  if (last === undefined || THOUGHTS.has(last.content[0]!.type)) return false;
  return last === messages.at(-1) || last.content.some(({ type }) => type === 'tool_use');
}

/** What is left out of a conversation by the provider, without the edit of thoughts, which is refused where there are none. */
export function withoutThoughtEdits(fields: JsonObject): JsonObject {
  const management = objectOf(fields['context_management']);
  const edits = listOf(management?.['edits']);
  const others = edits.filter((edit) => !String(objectOf(edit)?.['type']).startsWith('clear_thinking'));
  if (others.length === edits.length) return fields;
  const { context_management: _management, ...rest } = fields;
  return others.length === 0 ? rest : { ...rest, context_management: { ...management, edits: others } };
}
