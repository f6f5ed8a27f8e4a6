import type { InputItem, InputToolSearchOutput } from './input-item.js';
import { offeredToolsOf, type ResponsesTool } from './offered-tools.js';

/** The types of items that have tools, which the model can call from then on. */
const WITH_TOOLS: ReadonlySet<unknown> = new Set(['additional_tools', 'tool_search_output']);

/** Whether an item has tools: those that a search of the conversation has found, or that its client adds. */
export function hasTools(item: object): item is { readonly tools: readonly ResponsesTool[] } {
  return 'type' in item && WITH_TOOLS.has(item.type);
}

/** The tools that stand in the items of a conversation. */
export function foundToolsOf(input: string | readonly InputItem[]): readonly ResponsesTool[] {
  if (typeof input === 'string') return [];
  return input.flatMap((item) => (hasTools(item) ? item.tools : []));
}

/** What a model reads of a search: the names by which it can call what was found. Their descriptions are those of tools. */
export function foundNamesOf({ tools }: InputToolSearchOutput): string {
  const names = offeredToolsOf([], tools).map(({ offeredName }) => offeredName);
  return names.length === 0 ? 'No tools were found.' : `These tools can be called now: ${names.join(', ')}`;
}
