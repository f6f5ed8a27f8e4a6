import { type OfferedTool, offeredToolsOf, type ResponsesTool } from '../request/offered-tools.js';

/** The tools of a request by the names under which a model calls them. */
export type CalledTools = ReadonlyMap<string, OfferedTool>;

/** Finds the tools of a request; of a preset none, because those that it can have are called by their own names. */
export function calledToolsOf(tools: readonly ResponsesTool[] | null | undefined): CalledTools {
  return new Map(offeredToolsOf(tools).map((tool) => [tool.offeredName, tool]));
}
