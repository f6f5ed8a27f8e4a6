import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { ListOf } from '../../../http/openapi/response-envelopes.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import {
  EnumField,
  FreeObjectField,
  ObjectListField,
  TextField,
  TextListField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { MCP_TOOL_NAME, MCP_TOOL_STATES, type McpToolState } from '../mcp-server-vocabulary.js';

/** How many tools a server has at most; further ones are not used. */
export const MAXIMUM_TOOLS = 1_000;

const NAME = { description: 'The name of the tool at its server.', example: 'search_code', pattern: MCP_TOOL_NAME };

const DIGEST = {
  description: 'SHA-256 of its name, texts, schemas and annotations, in lowercase hexadecimal.',
  example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  pattern: '^[0-9a-f]{64}$',
} as const;

/** A tool of a server (docs/interface/mcp-servers.md#pins). */
export class McpTool {
  @TextField(NAME)
  name: string;

  @EnumField(MCP_TOOL_STATES, {
    description:
      'Whether it may be used: it is as it was approved, was never approved, has changed since, or is not offered any more.',
    example: 'approved',
  })
  state: McpToolState;

  @TextField(DIGEST)
  digest: string;

  @FreeObjectField({
    description: 'What the server says of it now: name, title, description, schemas and annotations.',
    example: { name: 'search_code', inputSchema: { type: 'object' } },
  })
  definition: object;

  @FreeObjectField({
    description: 'What differs from what was approved, by the names of its parts; null unless it has changed.',
    example: null,
    nullable: true,
  })
  difference: object | null;

  @TimestampField({ description: 'When it was approved; null if it is not.', nullable: true })
  approved_at: string | null;

  @TimestampField({ description: 'When it was first seen as it is now.' })
  seen_at: string;

  @TimestampField({ description: 'Since when it is not offered any more; null while it is.', nullable: true })
  gone_at: string | null;
}

/** A tool that is approved as it was looked at. */
export class ToolToApprove {
  @TextField(NAME)
  name: string;

  @TextField({ ...DIGEST, description: 'The digest of the tool as it was looked at.' })
  digest: string;
}

/** Which tools are approved. */
@BodyLimit(BODY_LIMITS.large)
@SchemaExample({ tools: [{ name: 'search_code', digest: DIGEST.example }] })
export class ApproveMcpToolsRequest {
  @ObjectListField(() => ToolToApprove, { description: 'The tools.', minItems: 1, maxItems: MAXIMUM_TOOLS })
  tools: ToolToApprove[];
}

/** Which tools are not approved any more. */
@BodyLimit(BODY_LIMITS.large)
@SchemaExample({ tools: ['search_code'] })
export class RevokeMcpToolsRequest {
  @TextListField({
    description: 'The names of the tools.',
    example: ['search_code'],
    minItems: 1,
    maxItems: MAXIMUM_TOOLS,
    items: { pattern: MCP_TOOL_NAME },
  })
  tools: string[];
}

/** The answer to listMcpTools. */
export class ListMcpToolsResponse extends ListOf(McpTool) {}

/** The answer to approveMcpTools. */
export class ApproveMcpToolsResponse extends ListOf(McpTool) {}

/** The answer to revokeMcpTools. */
export class RevokeMcpToolsResponse extends ListOf(McpTool) {}
