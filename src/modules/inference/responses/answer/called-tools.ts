import type { ResponsesRequest } from '../dto/responses-request.dto.js';
import { foundToolsOf } from '../request/found-tools.js';
import { type OfferedTool, offeredToolsOf } from '../request/offered-tools.js';

/** The tools of a request by the names under which a model calls them. */
export type CalledTools = ReadonlyMap<string, OfferedTool>;

/** Finds the tools of a request, with those that searches have found; of a preset none, because those that it can have are called by their own names. */
export function calledToolsOf({ tools, input }: ResponsesRequest): CalledTools {
  return new Map(offeredToolsOf(tools, foundToolsOf(input)).map((tool) => [tool.offeredName, tool]));
}
