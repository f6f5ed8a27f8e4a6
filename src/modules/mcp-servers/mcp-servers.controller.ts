import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { ClientSignal } from '../../http/client-signal.js';
import { ManagedByFiles } from '../../http/managed-objects/managed-objects.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { PageQuery } from '../../http/pagination/pagination.js';
import { IfMatch, Precondition } from '../../http/precondition.js';
import { HoldsSlotsInParts } from '../../http/request-limits/request-slots.js';
import { CREDENTIALS_REQUIRED, TooManyHostLookups } from '../observability/observability.errors.js';
import {
  CreateMcpServerRequest,
  CreateMcpServerResponse,
  DeleteMcpServerResponse,
  GetMcpServerResponse,
  ListMcpServersResponse,
  McpServerPath,
  TestMcpServerResponse,
  UpdateMcpServerRequest,
  UpdateMcpServerResponse,
} from './dto/mcp-server.dto.js';
import {
  ApproveMcpToolsRequest,
  ApproveMcpToolsResponse,
  ListMcpToolsResponse,
  RevokeMcpToolsRequest,
  RevokeMcpToolsResponse,
} from './dto/mcp-tool.dto.js';
import { McpServerExists, McpServerNotFound, McpToolChanged } from './mcp-servers.errors.js';
import { McpServersService } from './mcp-servers.service.js';
import { McpToolsService } from './tools/mcp-tools.service.js';

/** The operations on MCP servers and their tools. */
@Controller('mcp-servers')
@ManagedByFiles('mcp_servers')
@ApiTags('MCP Servers')
@Authenticated(['management_key'], 'mcp_servers')
export class McpServersController {
  constructor(
    private readonly servers: McpServersService,
    private readonly tools: McpToolsService,
  ) {}

  @Post()
  @Operation({
    status: 201,
    type: CreateMcpServerResponse,
    hasEntityTag: true,
    summary: 'Create an MCP server',
    description:
      'Creates an MCP server: a server of tools that clients reach through `/mcp`. Nobody may use its tools until they are approved and guardrails allow them. Every response masks its secret.',
    errors: [McpServerExists, TooManyHostLookups],
  })
  createMcpServer(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: CreateMcpServerRequest,
    @ClientSignal() gone: AbortSignal,
  ) {
    return this.servers.create(caller, input, gone);
  }

  @Get()
  @Operation({
    type: ListMcpServersResponse,
    summary: 'List MCP servers',
    description: 'Lists the MCP servers of the organization, oldest first.',
  })
  listMcpServers(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: PageQuery) {
    return this.servers.list(caller, input);
  }

  @Get(':id')
  @Operation({
    type: GetMcpServerResponse,
    hasEntityTag: true,
    summary: 'Get an MCP server',
    description: 'Returns an MCP server.',
    errors: [McpServerNotFound],
  })
  getMcpServer(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: McpServerPath) {
    return this.servers.get(caller, input);
  }

  @Patch(':id')
  @Operation({
    type: UpdateMcpServerResponse,
    hasEntityTag: true,
    summary: 'Update an MCP server',
    description:
      'Changes the fields in the request; absent ones stay. A secret that is sent back masked stays. It holds for each request that comes after the answer.',
    errors: [CREDENTIALS_REQUIRED, McpServerNotFound, TooManyHostLookups],
  })
  updateMcpServer(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: McpServerPath,
    @Body() body: UpdateMcpServerRequest,
    @ClientSignal() gone: AbortSignal,
    @IfMatch() precondition: Precondition,
  ) {
    return this.servers.update(caller, { ...body, ...path }, gone, precondition);
  }

  @Delete(':id')
  @Operation({
    type: DeleteMcpServerResponse,
    hasEntityTag: true,
    summary: 'Delete an MCP server',
    description: 'Deletes an MCP server with what was approved of its tools.',
    errors: [McpServerNotFound],
  })
  deleteMcpServer(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: McpServerPath,
    @IfMatch() precondition: Precondition,
  ) {
    return this.servers.delete(caller, input, precondition);
  }

  @Post(':id/test')
  @HoldsSlotsInParts()
  @Operation({
    type: TestMcpServerResponse,
    isSafe: true,
    summary: 'Test an MCP server',
    description:
      'Asks the server for its tools now, and returns whether it gave them, in which revision, and how long that took. The tools are stored as they were seen; nothing is approved.',
    errors: [McpServerNotFound],
  })
  testMcpServer(@CurrentPrincipal() caller: ManagementPrincipal, @Param() path: McpServerPath) {
    return this.servers.test(caller, path);
  }

  @Get(':id/tools')
  @Operation({
    type: ListMcpToolsResponse,
    summary: 'List the tools of an MCP server',
    description:
      'Lists the tools of a server as they were last seen, by their names: whether each may be used, and what has changed since it was approved.',
    errors: [McpServerNotFound],
  })
  listMcpTools(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: McpServerPath) {
    return this.tools.list(caller, input);
  }

  @Post(':id/tools/approve')
  @Operation({
    type: ApproveMcpToolsResponse,
    summary: 'Approve tools of an MCP server',
    description:
      'Approves tools as they were looked at, which their digests say: from now on they may be used for as long as they stay so. All of them are approved, or none.',
    errors: [McpServerNotFound, McpToolChanged],
  })
  approveMcpTools(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: McpServerPath,
    @Body() body: ApproveMcpToolsRequest,
  ) {
    return this.tools.approve(caller, { ...body, ...path });
  }

  @Post(':id/tools/revoke')
  @Operation({
    type: RevokeMcpToolsResponse,
    summary: 'Revoke approvals of tools of an MCP server',
    description: 'Approves tools no more. Nobody may use them until they are approved again.',
    errors: [McpServerNotFound, McpToolChanged],
  })
  revokeMcpTools(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: McpServerPath,
    @Body() body: RevokeMcpToolsRequest,
  ) {
    return this.tools.revoke(caller, { ...body, ...path });
  }
}
