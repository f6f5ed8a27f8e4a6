import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { IfMatch, Precondition } from '../../../http/precondition.js';
import { PageQuery } from '../../../http/pagination/pagination.js';
import { ConnectClientsService } from './connect-clients.service.js';
import {
  ConnectClientPath,
  ConnectClientResponse,
  CreateConnectClientRequest,
  DeleteConnectClientResponse,
  IssuedConnectClientResponse,
  ListConnectClientsResponse,
} from './connect-client.dto.js';
import { RotateRequest } from '../../keys/dto/key.dto.js';
import { TooManyLargeLists } from '../../organization-limits/organization-limits.errors.js';
import { ConnectClientNotFound } from '../oauth.errors.js';

/** The operations on Connect clients. */
@Controller('connect/clients')
@ApiTags('OAuth')
@Authenticated(['management_key'], 'connect')
export class ConnectClientsController {
  constructor(private readonly clients: ConnectClientsService) {}

  @Post()
  @Operation({
    status: 201,
    type: IssuedConnectClientResponse,
    hasEntityTag: true,
    summary: 'Create a Connect client',
    description: 'Creates a Connect client. Only this response contains the secret.',
  })
  createConnectClient(@CurrentPrincipal() caller: ManagementPrincipal, @Body() input: CreateConnectClientRequest) {
    return this.clients.create(caller, input);
  }

  @Get()
  @Operation({
    type: ListConnectClientsResponse,
    summary: 'List Connect clients',
    description: 'Lists the Connect clients, oldest first.',
    errors: [TooManyLargeLists],
  })
  listConnectClients(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: PageQuery) {
    return this.clients.list(caller, input);
  }

  @Get(':id')
  @Operation({
    type: ConnectClientResponse,
    hasEntityTag: true,
    summary: 'Get a Connect client',
    description: 'Returns a Connect client, without its secret.',
    errors: [ConnectClientNotFound],
  })
  getConnectClient(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: ConnectClientPath) {
    return this.clients.get(caller, input);
  }

  @Delete(':id')
  @Operation({
    type: DeleteConnectClientResponse,
    hasEntityTag: true,
    summary: 'Delete a Connect client',
    description: 'Deletes a client, the keys that it created and its authorization codes.',
    errors: [ConnectClientNotFound],
  })
  deleteConnectClient(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: ConnectClientPath,
    @IfMatch() precondition: Precondition,
  ) {
    return this.clients.delete(caller, input, precondition);
  }

  @Post(':id/rotate-secret')
  @Operation({
    status: 201,
    type: IssuedConnectClientResponse,
    hasEntityTag: true,
    optionalBody: true,
    summary: 'Rotate the secret of a Connect client',
    description:
      'Gives the client a new secret. The old secret is accepted until the grace period ends; another rotation ends it earlier, because a client has at most two secrets.',
    errors: [ConnectClientNotFound],
  })
  rotateConnectClientSecret(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: ConnectClientPath,
    @Body() body: RotateRequest,
  ) {
    return this.clients.rotateSecret(caller, { ...body, ...path });
  }
}
