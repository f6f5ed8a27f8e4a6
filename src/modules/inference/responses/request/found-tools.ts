import type { InputItem, InputToolSearchOutput } from './input-item.js';
import { offeredToolsOf, type ResponsesTool } from './offered-tools.js';

/** The tools that the searches of a conversation have found, which the model can call from then on. */
export function foundToolsOf(input: string | readonly InputItem[]): readonly ResponsesTool[] {
  if (typeof input === 'string') return [];
  return input.flatMap((item) => (item.type === 'tool_search_output' ? item.tools : []));
}

/** What a model reads of a search: the names by which it can call what was found. Their descriptions are those of tools. */
export function foundNamesOf({ tools }: InputToolSearchOutput): string {
  const names = offeredToolsOf([], tools).map(({ offeredName }) => offeredName);
  return names.length === 0 ? 'No tools were found.' : `These tools can be called now: ${names.join(', ')}`;
}
