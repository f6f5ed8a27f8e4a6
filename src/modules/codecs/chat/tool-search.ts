import { type JsonObject, nonEmptyText } from './json-values.js';

/** How the names and types of searches for tools begin that a provider of the Messages form runs. */
const PREFIX = 'tool_search_tool_';

const SEARCH = /^tool_search_tool_(bm25|regex)(_\d{8})?$/;

/** Whether a tool of the Messages form is a search of its provider for tools whose loading is deferred (docs/interface/messages.md#tools). */
export function isToolSearch({ type }: JsonObject): boolean {
  return typeof type === 'string' && SEARCH.test(type);
}

/** Whether a block of an assistant message is the call or the result of such a search. */
export function isOfToolSearch({ type, name }: JsonObject): boolean {
  if (type === 'server_tool_use') return nonEmptyText(name)?.startsWith(PREFIX) === true;
  return type === 'tool_search_tool_result';
}
