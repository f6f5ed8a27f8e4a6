import { FreeObjectField, TextField } from '../../../http/validation/fields.js';
import { MCP_TOOL_ENTRY } from '../mcp/mcp-tools-policy.js';

/** How many rules for arguments a guardrail has at most. */
export const MAXIMUM_ARGUMENT_RULES = 32;

/** What the arguments of a tool, or of all tools of a server, must meet (docs/interface/guardrails.md#tools-of-mcp-servers). */
export class McpArgumentRuleEntry {
  @TextField({
    description: 'The tool: `server/tool`, or `server/*` for all tools of a server.',
    example: 'github/search_code',
    pattern: MCP_TOOL_ENTRY,
  })
  tool: string;

  @FreeObjectField({
    description: 'A JSON Schema of the revision 2020-12 without references.',
    example: { properties: { query: { type: 'string', maxLength: 200 } }, required: ['query'] },
  })
  schema: Readonly<Record<string, unknown>>;
}
