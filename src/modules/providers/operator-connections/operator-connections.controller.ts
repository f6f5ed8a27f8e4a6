import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, OnlyForOperator } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { ClientSignal } from '../../../http/client-signal.js';
import { RouteNotFound } from '../../../http/errors/request.errors.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { PageQuery } from '../../../http/pagination/pagination.js';
import { HoldsSlotsInParts } from '../../../http/request-limits/request-slots.js';
import { TooManyHostLookups } from '../../observability/observability.errors.js';
import { KeysOfOtherAddress } from '../own-keys/own-keys.errors.js';
import {
  ConnectProviderPath,
  ConnectProviderRequest,
  ConnectProviderResponse,
  DisconnectProviderResponse,
  ListProviderConnectionsResponse,
  ProviderConnectionPath,
  TestProviderConnectionResponse,
} from './operator-connections.dto.js';
import { ProviderConnectionNotFound, ProviderInEnvironment } from './operator-connections.errors.js';
import { OperatorConnectionsService } from './operator-connections.service.js';

/** The operations on the deployment's connections to providers, for the organization of its operator. */
@Controller('provider-connections')
@ApiTags('Provider connections')
@Authenticated(['management_key'], 'providers')
@OnlyForOperator()
export class OperatorConnectionsController {
  constructor(private readonly connections: OperatorConnectionsService) {}

  @Get()
  @Operation({
    type: ListProviderConnectionsResponse,
    summary: 'List provider connections',
    description: 'Lists the providers that the deployment is connected to, by slug, with masked credentials.',
    errors: [RouteNotFound],
  })
  listProviderConnections(@Query() input: PageQuery) {
    return this.connections.list(input);
  }

  @Put(':provider')
  @HoldsSlotsInParts()
  @Operation({
    type: ConnectProviderResponse,
    summary: 'Connect a provider',
    description:
      'Connects the deployment to a provider, in place of the connection that it may have, and tries it. A new address, or another way to show the credential, needs the credential again. Private addresses and credentials of the machine are set on the command line.',
    errors: [RouteNotFound, ProviderConnectionNotFound, ProviderInEnvironment, KeysOfOtherAddress, TooManyHostLookups],
  })
  connectProvider(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: ConnectProviderPath,
    @Body() body: ConnectProviderRequest,
    @ClientSignal() gone: AbortSignal,
  ) {
    return this.connections.connect(caller, { ...body, ...path }, gone);
  }

  @Post(':provider/test')
  @HoldsSlotsInParts()
  @Operation({
    type: TestProviderConnectionResponse,
    isSafe: true,
    summary: 'Test a provider connection',
    description:
      'Asks the provider for its models, or for what it has in their place, and says whether it accepts the credential.',
    errors: [ProviderConnectionNotFound, RouteNotFound],
  })
  testProviderConnection(@Param() input: ProviderConnectionPath) {
    return this.connections.test(input);
  }

  @Delete(':provider')
  @Operation({
    type: DisconnectProviderResponse,
    summary: 'Disconnect a provider',
    description: 'Removes the stored connection of a provider. Requests that begin from then on do not use it.',
    errors: [ProviderConnectionNotFound, RouteNotFound],
  })
  disconnectProvider(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: ProviderConnectionPath) {
    return this.connections.disconnect(caller, input);
  }
}
