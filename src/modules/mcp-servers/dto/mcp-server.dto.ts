import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { DataOf, Deleted, PageOf } from '../../../http/openapi/response-envelopes.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import {
  BooleanField,
  EnumField,
  FreeObjectField,
  IntegerField,
  NumberField,
  TextField,
  TextListField,
  TimestampField,
  UuidField,
} from '../../../http/validation/fields.js';
import { PathIdField } from '../../../http/validation/id-fields.js';
import { Rules } from '../../../http/validation/rules.js';
import {
  HIGHEST_CALL_PRICE,
  MCP_AUTHENTICATIONS,
  MCP_SERVER_NAME,
  MCP_TIMEOUTS,
  type McpAuthentication,
} from '../mcp-server-vocabulary.js';
import { issuesOfHeader, issuesOfNew, issuesOfPrices } from './mcp-server-rules.js';

const ID = '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f90';

/** How many workspaces a server is provisioned to at most, where not to all. */
const MAXIMUM_WORKSPACES = 1_000;

const FIELDS = {
  name: {
    description:
      'The name by which guardrails and clients know it: lowercase letters, digits and hyphens. It cannot be changed.',
    example: 'github',
    pattern: MCP_SERVER_NAME,
  },
  url: {
    description:
      'The address of its MCP endpoint: an https URL of a host on the internet, without a query. It is shown.',
    example: 'https://mcp.example.com/mcp',
    minLength: 1,
    maxLength: 2_048,
  },
  authentication: {
    description:
      'How it is shown who asks: not at all, by a header of its own, by a bearer token, or by a token of its authorization server: one for the gateway, or one of each member.',
    example: 'bearer',
  },
  header: {
    description: 'The name of the header that has the secret, with the authentication `header`.',
    example: 'X-Api-Key',
    nullable: true,
    pattern: '^[A-Za-z0-9-]{1,100}$',
  },
  clientId: {
    description:
      'The id of the gateway at the authorization server; null with `oauth_member` for the one that its metadata document has.',
    example: null,
    nullable: true,
    minLength: 1,
    maxLength: 2_048,
    pattern: '^[\\x21-\\x7e]+$',
  },
  scope: {
    description: 'What tokens are to be good for, with spaces between; null for what the server asks for.',
    example: null,
    nullable: true,
    minLength: 1,
    maxLength: 2_048,
    pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+( [\\x21\\x23-\\x5b\\x5d-\\x7e]+)*$',
  },
  authorizationServer: {
    description: 'The issuer of its tokens (RFC 8414); null for the one that the server names (RFC 9728).',
    example: null,
    nullable: true,
    minLength: 1,
    maxLength: 2_048,
  },
  enabled: { description: 'Whether it may be used.', example: true },
  trusted: {
    description: 'Whether what it says of the effects of its tools (annotations) is handed on.',
    example: false,
  },
  follow: {
    description: 'Whether its tools are used as they are at the moment, without an approval and also when they change.',
    example: false,
  },
  workspaceIds: {
    description: 'The workspaces whose keys may use it; null for all of the organization.',
    example: null,
    nullable: true,
    maxItems: MAXIMUM_WORKSPACES,
    items: { format: 'uuid' },
  },
  pricePerCall: {
    description:
      'The price of a call of a tool in US dollars, which counts toward limits of spending; null for nothing.',
    example: 0.002,
    nullable: true,
    minimum: 0,
    maximum: HIGHEST_CALL_PRICE,
  },
  toolPrices: {
    description: 'The prices of tools that have their own, in US dollars, by their names.',
    example: { search_code: 0.01 },
  },
  revisions: {
    description:
      'The revisions that it was found to have, newest first: the newest of all, and of those with a handshake the newest one.',
    example: ['2026-07-28', '2025-11-25'],
  },
  timeoutMs: {
    description: 'How long it may take to answer a request, in milliseconds.',
    example: MCP_TIMEOUTS.default,
    minimum: MCP_TIMEOUTS.minimum,
    maximum: MCP_TIMEOUTS.maximum,
  },
} as const;

/** Which server. */
export class McpServerPath {
  @PathIdField('The id of the MCP server.', ID)
  id: string;
}

/** A server of tools (docs/interface/mcp-servers.md). */
export class McpServer {
  @UuidField({ description: 'The id of the MCP server.', example: ID })
  id: string;

  @TextField(FIELDS.name)
  name: string;

  @TextField(FIELDS.url)
  url: string;

  @EnumField(MCP_AUTHENTICATIONS, FIELDS.authentication)
  authentication: McpAuthentication;

  @TextField(FIELDS.header)
  header: string | null;

  @TextField(FIELDS.clientId)
  client_id: string | null;

  @TextField(FIELDS.scope)
  scope: string | null;

  @TextField(FIELDS.authorizationServer)
  authorization_server: string | null;

  @TextField({ description: 'A mask of the secret; null for none.', example: 'ghp_...cdef', nullable: true })
  secret: string | null;

  @BooleanField(FIELDS.enabled)
  enabled: boolean;

  @BooleanField(FIELDS.trusted)
  trusted: boolean;

  @BooleanField(FIELDS.follow)
  follow: boolean;

  @TextListField(FIELDS.workspaceIds)
  workspace_ids: string[] | null;

  @NumberField(FIELDS.pricePerCall)
  price_per_call: number | null;

  @FreeObjectField(FIELDS.toolPrices)
  tool_prices: Readonly<Record<string, number>>;

  @IntegerField(FIELDS.timeoutMs)
  timeout_ms: number;

  @TextField({
    description: 'The newest revision that it was found to have; null before it has answered.',
    example: '2026-07-28',
    nullable: true,
  })
  protocol_version: string | null;

  @TextListField(FIELDS.revisions)
  revisions: string[];

  @TimestampField({ description: 'When its tools were last asked for; null if never.', nullable: true })
  checked_at: string | null;

  @TextField({ description: 'Why it gave no tools then; null if it did.', example: null, nullable: true })
  failure: string | null;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed.' })
  updated_at: string;
}

/** What requests that create and change have. */
@BodyLimit(BODY_LIMITS.medium)
@Rules(issuesOfPrices, issuesOfHeader)
abstract class McpServerRequest {
  @TextField({ ...FIELDS.header, optional: true })
  header?: string | null;

  @TextField({
    description: 'The value of the header, the bearer token, or the secret of the client at the authorization server.',
    example: 'ghp_0123456789abcdef',
    nullable: true,
    optional: true,
    minLength: 1,
    maxLength: 16_384,
    pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
  })
  secret?: string | null;

  @TextField({ ...FIELDS.clientId, optional: true })
  client_id?: string | null;

  @TextField({ ...FIELDS.scope, optional: true })
  scope?: string | null;

  @TextField({ ...FIELDS.authorizationServer, optional: true })
  authorization_server?: string | null;

  @EnumField(MCP_AUTHENTICATIONS, { ...FIELDS.authentication, optional: true })
  authentication?: McpAuthentication;

  @BooleanField({ ...FIELDS.enabled, optional: true })
  enabled?: boolean;

  @BooleanField({ ...FIELDS.trusted, optional: true })
  trusted?: boolean;

  @BooleanField({ ...FIELDS.follow, optional: true })
  follow?: boolean;

  @TextListField({ ...FIELDS.workspaceIds, optional: true })
  workspace_ids?: string[] | null;

  @NumberField({ ...FIELDS.pricePerCall, optional: true })
  price_per_call?: number | null;

  @FreeObjectField({ ...FIELDS.toolPrices, optional: true })
  tool_prices?: Readonly<Record<string, number>>;

  @IntegerField({ ...FIELDS.timeoutMs, optional: true })
  timeout_ms?: number;
}

/** A request for a new server. */
@Rules(issuesOfNew)
@SchemaExample({
  name: 'github',
  url: 'https://mcp.example.com/mcp',
  authentication: 'bearer',
  secret: 'ghp_0123456789abcdef',
})
export class CreateMcpServerRequest extends McpServerRequest {
  @TextField(FIELDS.name)
  name: string;

  @TextField(FIELDS.url)
  url: string;

  @EnumField(MCP_AUTHENTICATIONS, { ...FIELDS.authentication, optional: true, default: 'none' })
  override authentication?: McpAuthentication;

  @BooleanField({ ...FIELDS.enabled, optional: true, default: true })
  override enabled?: boolean;

  @BooleanField({ ...FIELDS.trusted, optional: true, default: false })
  override trusted?: boolean;

  @BooleanField({ ...FIELDS.follow, optional: true, default: false })
  override follow?: boolean;

  @FreeObjectField({ ...FIELDS.toolPrices, optional: true, default: {} })
  override tool_prices?: Readonly<Record<string, number>>;

  @IntegerField({ ...FIELDS.timeoutMs, optional: true, default: MCP_TIMEOUTS.default })
  override timeout_ms?: number;
}

/** A request to change a server; its name stays. */
@SchemaExample({ price_per_call: 0.005, enabled: false })
export class UpdateMcpServerRequest extends McpServerRequest {
  @TextField({ ...FIELDS.url, optional: true })
  url?: string;
}

/** What a test of a server has found. */
export class McpServerTestResult {
  @BooleanField({ description: 'Whether it gave its tools.', example: true })
  succeeded: boolean;

  @TextField({ description: 'Why it did not; null if it did.', example: null, nullable: true })
  failure: string | null;

  @TextField({
    description: 'The revision in which it was asked; null where none was found.',
    example: '2026-07-28',
    nullable: true,
  })
  protocol_version: string | null;

  @TextListField(FIELDS.revisions)
  revisions: string[];

  @IntegerField({ description: 'How many tools it has.', example: 12 })
  tools: number;

  @IntegerField({
    description: 'How many further ones it names that are not used: no tools, or too large.',
    example: 0,
  })
  unusable_tools: number;

  @IntegerField({ description: 'How long it took, in milliseconds.', example: 84 })
  milliseconds: number;
}

/** The answer to createMcpServer. */
export class CreateMcpServerResponse extends DataOf(McpServer) {}

/** The answer to listMcpServers. */
export class ListMcpServersResponse extends PageOf(McpServer) {}

/** The answer to getMcpServer. */
export class GetMcpServerResponse extends DataOf(McpServer) {}

/** The answer to updateMcpServer. */
export class UpdateMcpServerResponse extends DataOf(McpServer) {}

/** The answer to deleteMcpServer. */
export class DeleteMcpServerResponse extends Deleted('Always true: the server and its tools were deleted.') {}

/** The answer to testMcpServer. */
export class TestMcpServerResponse extends DataOf(McpServerTestResult) {}
