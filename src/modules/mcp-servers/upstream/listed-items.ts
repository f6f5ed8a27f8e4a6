import { McpFailure } from './mcp-failure.js';
import type { McpCall, McpUpstream } from './mcp-upstream.service.js';
import type { ReadyMcpServer } from './ready-mcp-server.js';

/** How long a server may take for a list, in milliseconds: clients wait for it. */
export const LONGEST_LIST_MS = 10_000;

/** How soon a server that has given no list is asked again, in milliseconds. */
export const LIST_FAILED_MS = 30_000;

/** How many pages of a list are read. */
const MAXIMUM_PAGES = 100;

/** A list that servers have: the method, and where its items stand in the result. */
export interface ServerList {
  readonly method: string;
  readonly field: string;
}

/**
 * The items of a list of a server, page by page, for as long as they are asked for.
 *
 * @throws McpFailure, and as `McpUpstream.ask` does
 */
export async function* listedItems(
  upstream: McpUpstream,
  server: ReadyMcpServer,
  { method, field }: ServerList,
  call: McpCall,
): AsyncGenerator {
  let cursor: unknown;
  for (let page = 0; page < MAXIMUM_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const { result, error } = await upstream.ask(server, { method, params }, call);
    if (error !== undefined) throw new McpFailure(`the server answered with the error ${error.code}`);
    const items = result[field];
    if (!Array.isArray(items)) throw new McpFailure(`the server has no list of ${field}`);
    yield* items;
    cursor = result['nextCursor'];
    if (typeof cursor !== 'string' || cursor === '') return;
  }
}
