import type { McpToolEntity } from '../entities/mcp-tool.entity.js';
import type { McpToolState } from '../mcp-server-vocabulary.js';
import type { ToolDefinition } from './tool-definition.js';

/** What decides about the state of a tool. */
type Pinned = Pick<McpToolEntity, 'digest' | 'approvedDigest' | 'goneAt'>;

/** The state of a tool by its pin (docs/interface/mcp-servers.md#pins). */
export function stateOf({ digest, approvedDigest, goneAt }: Pinned): McpToolState {
  if (goneAt !== null) return 'gone';
  if (approvedDigest === null) return 'new';
  return approvedDigest === digest ? 'approved' : 'changed';
}

/** The definition of a tool that clients get; undefined for one that may not be used. @param follow of its server */
export function usableDefinition(tool: McpToolEntity, follow: boolean): ToolDefinition | undefined {
  const state = stateOf(tool);
  return state === 'approved' || (follow && state !== 'gone') ? tool.definition : undefined;
}
