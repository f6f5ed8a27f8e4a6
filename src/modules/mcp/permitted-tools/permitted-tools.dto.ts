import { ListOf } from '../../../http/openapi/response-envelopes.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  IntegerField,
  NumberField,
  TextField,
  TextListField,
} from '../../../http/validation/fields.js';
import { MCP_TOOL_STATES, type McpToolState } from '../../mcp-servers/mcp-server-vocabulary.js';

/** Why a key may not call a tool, the foremost first. */
export const TOOL_REFUSALS = [
  'server_disabled',
  'not_in_workspace',
  'not_allowed',
  'ignored',
  'not_approved',
  'changed',
  'gone',
] as const;

export type ToolRefusal = (typeof TOOL_REFUSALS)[number];

/** What a key may do with a tool, and why (docs/interface/mcp.md#trying-a-key). */
export class PermittedTool {
  @TextField({ description: 'The name of the server.', example: 'github' })
  server: string;

  @TextField({ description: 'The name of the tool at its server.', example: 'search_code' })
  tool: string;

  @TextField({ description: 'The name by which clients of `/mcp` call it.', example: 'github__search_code' })
  name: string;

  @BooleanField({ description: 'Whether the key sees it, and may call it.', example: true })
  permitted: boolean;

  @EnumListField(TOOL_REFUSALS, {
    description:
      'Why it does not: the server is disabled or not provisioned to the workspace of the key, guardrails do not allow the tool or ignore it, or it was never approved, has changed since, or is not offered any more. Empty where it does.',
    example: [],
  })
  reasons: readonly ToolRefusal[];

  @TextListField({
    description: 'The ids of the guardrails whose lists decide about tools.',
    example: ['019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60'],
  })
  guardrail_ids: readonly string[];

  @EnumField(MCP_TOOL_STATES, { description: 'The state of its approval.', example: 'approved' })
  state: McpToolState;

  @IntegerField({ description: 'How many rules its arguments must meet besides its schema.', example: 0 })
  argument_rules: number;

  @NumberField({ description: 'What a call costs, in US dollars, without what judge models cost.', example: 0.002 })
  price_per_call: number;
}

/** The answer to listPermittedMcpTools. */
export class ListPermittedMcpToolsResponse extends ListOf(PermittedTool) {}
