import { Body, Controller, Delete, Get, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, KeepsToOwn } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { Environment } from '../../../config/environment.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { publicUrlOf } from '../../../http/pages/origin.js';
import type { GatehouseRequest } from '../../../http/request.js';
import { callbackOf } from '../authorization/client-metadata.js';
import { McpAuthorizationFailed, McpConnectionRefused, McpServerNotFound } from '../mcp-servers.errors.js';
import {
  AuthorizeMcpConnectionRequest,
  AuthorizeMcpConnectionResponse,
  CreateMcpConnectionRequest,
  CreateMcpConnectionResponse,
  DeleteMcpConnectionResponse,
  ListMcpConnectionsResponse,
  McpConnectionPath,
} from './mcp-connection.dto.js';
import { McpConnectionsService } from './mcp-connections.service.js';

/** The operations by which members connect to MCP servers. Each member has only their own connections. */
@Controller('mcp-connections')
@ApiTags('MCP Servers')
export class McpConnectionsController {
  constructor(
    private readonly connections: McpConnectionsService,
    private readonly environment: Environment,
  ) {}

  @Get()
  @Authenticated(['management_key'], 'keys_read')
  @KeepsToOwn()
  @Operation({
    type: ListMcpConnectionsResponse,
    summary: 'List connections to MCP servers',
    description:
      'Lists the MCP servers that each member connects to for themselves, by their names, and whether the caller has.',
  })
  listMcpConnections(@CurrentPrincipal() caller: ManagementPrincipal) {
    return this.connections.list(caller);
  }

  @Post('authorize')
  @Authenticated(['management_key'], 'keys_write')
  @KeepsToOwn()
  @Operation({
    type: AuthorizeMcpConnectionResponse,
    isSafe: true,
    summary: 'Begin to connect to an MCP server',
    description:
      'Returns the address at which the caller lets the gateway use an MCP server in their name. From there the browser comes back to the console, which completes the connection.',
    errors: [McpServerNotFound, McpAuthorizationFailed],
  })
  authorizeMcpConnection(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: AuthorizeMcpConnectionRequest,
    @Req() request: GatehouseRequest,
  ) {
    return this.connections.authorize(caller, input, callbackOf(publicUrlOf(request, this.environment)));
  }

  @Post()
  @Authenticated(['management_key'], 'keys_write')
  @KeepsToOwn()
  @Operation({
    status: 201,
    type: CreateMcpConnectionResponse,
    summary: 'Connect to an MCP server',
    description:
      'Completes a connection that the same member has begun at most an hour ago: fetches the tokens, which keys of the member use from now on. An earlier connection to the server is replaced.',
    errors: [McpServerNotFound, McpConnectionRefused, McpAuthorizationFailed],
  })
  createMcpConnection(@CurrentPrincipal() caller: ManagementPrincipal, @Body() input: CreateMcpConnectionRequest) {
    return this.connections.create(caller, input);
  }

  @Delete(':server')
  @Authenticated(['management_key'], 'keys_write')
  @KeepsToOwn()
  @Operation({
    type: DeleteMcpConnectionResponse,
    summary: 'Disconnect from an MCP server',
    description:
      'Deletes the tokens of the caller for an MCP server, and asks its authorization server to revoke them.',
    errors: [McpServerNotFound],
  })
  deleteMcpConnection(@CurrentPrincipal() caller: ManagementPrincipal, @Param() path: McpConnectionPath) {
    return this.connections.delete(caller, path);
  }
}
