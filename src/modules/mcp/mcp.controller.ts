import { applyDecorators, Body, Controller, Delete, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Authenticated, ResolvedBy, TakesApiKeyHeader } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal } from '../../auth/principal.js';
import type { GatehouseRequest } from '../../http/request.js';
import { HoldsSlotsInParts } from '../../http/request-limits/request-slots.js';
import { OperationOfProtocol } from '../../http/openapi/operation.decorator.js';
import { CallerContexts } from '../inference/pipeline/context/caller-contexts.service.js';
import { ServiceStopping, TooManyOpenRequests, TooMuchInferenceMemory } from '../inference/inference.errors.js';
import { McpEndpointPath, McpEndpointQuery, McpMessageDocument } from './dto/mcp-message.dto.js';
import { McpEndpoint } from './mcp-endpoint.service.js';
import {
  McpArgumentsNotAllowed,
  McpOriginNotAllowed,
  McpServerFailed,
  McpServerTimedOut,
  McpServerUnknown,
  McpSessionUnknown,
  McpToolNotApproved,
  McpToolUnknown,
} from './mcp.errors.js';
import { McpConnectionRequired, TooManyMcpRequests } from '../mcp-servers/mcp-servers.errors.js';
import { MCP_ERROR_FORM } from './messages/rpc-errors.js';

/** Declares a method of a controller as one of the endpoint of MCP. */
function McpOperation(): MethodDecorator {
  return applyDecorators(
    OperationOfProtocol({
      bodyTypes: ['application/json'],
      errorWriter: MCP_ERROR_FORM,
      // What fails once a message was read is answered as an error of JSON-RPC, and recorded.
      errors: [
        McpOriginNotAllowed,
        ServiceStopping,
        TooManyOpenRequests,
        TooMuchInferenceMemory,
        McpServerUnknown,
        McpSessionUnknown,
        McpToolUnknown,
        McpToolNotApproved,
        McpArgumentsNotAllowed,
        McpConnectionRequired,
        McpServerFailed,
        McpServerTimedOut,
        TooManyMcpRequests,
      ],
    }),
    ResolvedBy(CallerContexts),
    HoldsSlotsInParts(),
    TakesApiKeyHeader(),
    Authenticated(['api_key']),
  );
}

/** The endpoint for clients of MCP: all servers together, and each by itself (docs/interface/mcp.md). */
@Controller('mcp')
@ApiExcludeController()
export class McpController {
  constructor(private readonly endpoint: McpEndpoint) {}

  @Post()
  @McpOperation()
  async sendMcpMessage(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() body: McpMessageDocument,
    @Query() _query: McpEndpointQuery,
    @Req() http: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.receive({ caller, http, response, serverName: undefined, body });
  }

  @Post(':server')
  @McpOperation()
  async sendMcpServerMessage(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Param() { server }: McpEndpointPath,
    @Body() body: McpMessageDocument,
    @Query() _query: McpEndpointQuery,
    @Req() http: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.receive({ caller, http, response, serverName: server, body });
  }

  @Delete(['', ':server'])
  @McpOperation()
  async endMcpSession(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Param() { server }: McpEndpointPath,
    @Query() _query: McpEndpointQuery,
    @Req() http: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.end({ caller, http, response, serverName: server });
  }

  @Get(['', ':server'])
  @McpOperation()
  async openMcpStream(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Param() { server }: McpEndpointPath,
    @Query() _query: McpEndpointQuery,
    @Req() http: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.listen({ caller, http, response, serverName: server });
  }
}
