import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { PageQuery } from '../../http/pagination/page-query.dto.js';
import { ConnectClientsService } from './connect-clients.service.js';
import {
  ConnectClientResponse,
  IssuedConnectClientResponse,
  ListConnectClientsResponse,
} from './dto/connect-client.dto.js';
import { ConnectClientPath } from './dto/connect-client-path.dto.js';
import { CreateConnectClientRequest } from './dto/create-connect-client-request.dto.js';
import { DeleteConnectClientResponse } from './dto/delete-connect-client-response.dto.js';
import { RotateRequest } from './dto/rotate-request.dto.js';

const NOT_FOUND = { 404: 'connect_client_not_found' };

/** The operations on Connect clients. */
@Controller('connect/clients')
@ApiTags('OAuth')
export class ConnectClientsController {
  constructor(private readonly clients: ConnectClientsService) {}

  @Post()
  @Authenticated('management_key')
  @Answers({
    status: 201,
    type: IssuedConnectClientResponse,
    summary: 'Create a Connect client',
    description: 'The secret itself is in this answer only.',
    errors: [400, 403, 413],
  })
  createConnectClient(
    @Caller() caller: ManagementPrincipal,
    @Input({ body: CreateConnectClientRequest }) input: CreateConnectClientRequest,
  ): Promise<IssuedConnectClientResponse> {
    return this.clients.create(caller, input);
  }

  @Get()
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ListConnectClientsResponse,
    summary: 'List Connect clients',
    description: 'Oldest first.',
    errors: [400, 403],
  })
  listConnectClients(
    @Caller() caller: ManagementPrincipal,
    @Input({ query: PageQuery }) input: PageQuery,
  ): Promise<ListConnectClientsResponse> {
    return this.clients.list(caller, input);
  }

  @Get(':id')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ConnectClientResponse,
    summary: 'Get a Connect client',
    description: 'The client, without its secret.',
    errors: [400, 403, 404],
    reasons: NOT_FOUND,
  })
  getConnectClient(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: ConnectClientPath }) input: ConnectClientPath,
  ): Promise<ConnectClientResponse> {
    return this.clients.get(caller, input);
  }

  @Delete(':id')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: DeleteConnectClientResponse,
    summary: 'Delete a Connect client',
    description: 'Deletes the keys that it created and its authorization codes with it.',
    errors: [400, 403, 404],
    reasons: NOT_FOUND,
  })
  deleteConnectClient(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: ConnectClientPath }) input: ConnectClientPath,
  ): Promise<DeleteConnectClientResponse> {
    return this.clients.delete(caller, input);
  }

  @Post(':id/rotate-secret')
  @Authenticated('management_key')
  @Answers({
    status: 201,
    type: IssuedConnectClientResponse,
    summary: 'Give a Connect client another secret',
    description:
      'The old secret is taken until the grace ends. A rotation during a grace ends that grace: a client has two secrets at most.',
    errors: [400, 403, 404, 413],
    reasons: NOT_FOUND,
  })
  rotateConnectClientSecret(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: ConnectClientPath, optionalBody: RotateRequest }) input: ConnectClientPath & RotateRequest,
  ): Promise<IssuedConnectClientResponse> {
    return this.clients.rotateSecret(caller, input);
  }
}
