import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { DataOf, Deleted, ListOf } from '../../../http/openapi/response-envelopes.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { TextField, TimestampField } from '../../../http/validation/fields.js';
import { MCP_SERVER_NAME } from '../mcp-server-vocabulary.js';

const SERVER = { description: 'The name of the MCP server.', example: 'tickets', pattern: MCP_SERVER_NAME };

/** Which server. */
export class McpConnectionPath {
  @TextField(SERVER)
  server: string;
}

/** A server that members connect to, and whether the caller has (docs/interface/mcp-servers.md#connections-of-members). */
export class McpConnection {
  @TextField(SERVER)
  server: string;

  @TextField({ description: 'The address of the MCP server.', example: 'https://mcp.example.com/mcp' })
  url: string;

  @TimestampField({
    description: 'Since when the gateway may use the server in the name of the caller; null if it may not.',
    nullable: true,
  })
  connected_at: string | null;
}

/** A request for an address to connect at. */
@BodyLimit(BODY_LIMITS.medium)
@SchemaExample({ server: 'tickets' })
export class AuthorizeMcpConnectionRequest {
  @TextField(SERVER)
  server: string;
}

/** Where a member connects. */
export class McpAuthorization {
  @TextField({
    description:
      "Where the member's browser is to go: to the authorization server of the MCP server, and from there back to the console.",
    example: 'https://login.example.com/authorize?client_id=gatehouse&response_type=code',
  })
  authorization_url: string;
}

/** A request to complete what was begun: what the authorization server has said. */
@BodyLimit(BODY_LIMITS.medium)
@SchemaExample({ query: 'code=SplxlOBeZQQYbYS6WxSbIA&state=AgR5...&iss=https%3A%2F%2Flogin.example.com' })
export class CreateMcpConnectionRequest {
  @TextField({
    description: 'The query of the address to which the authorization server has sent the browser back.',
    example: 'code=SplxlOBeZQQYbYS6WxSbIA&state=AgR5...&iss=https%3A%2F%2Flogin.example.com',
    minLength: 1,
    maxLength: 16_384,
    pattern: '^[\\x21\\x22\\x24-\\x7e]+$',
  })
  query: string;
}

/** The answer to listMcpConnections. */
export class ListMcpConnectionsResponse extends ListOf(McpConnection) {}

/** The answer to authorizeMcpConnection. */
export class AuthorizeMcpConnectionResponse extends DataOf(McpAuthorization) {}

/** The answer to createMcpConnection. */
export class CreateMcpConnectionResponse extends DataOf(McpConnection) {}

/** The answer to deleteMcpConnection. */
export class DeleteMcpConnectionResponse extends Deleted('Always true: the connection was deleted, with its tokens.') {}
