import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { ClientSignal } from '../../../http/client-signal.js';
import { ManagedByFiles } from '../../../http/managed-objects/managed-objects.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { PageQuery } from '../../../http/pagination/pagination.js';
import { IfMatch, Precondition } from '../../../http/precondition.js';
import { TooManyHostLookups } from '../../observability/observability.errors.js';
import { KeysOfOtherAddress } from '../../providers/own-keys/own-keys.errors.js';
import {
  CreatePrivateProviderRequest,
  CreatePrivateProviderResponse,
  DeletePrivateProviderResponse,
  GetPrivateProviderResponse,
  ListPrivateProvidersResponse,
  PrivateProviderPath,
  UpdatePrivateProviderRequest,
  UpdatePrivateProviderResponse,
} from '../dto/private-provider.dto.js';
import {
  PrivateEndpointActive,
  PrivateProviderExists,
  PrivateProviderInUse,
  PrivateProviderNotFound,
} from '../private-models.errors.js';
import { PrivateProvidersService } from './private-providers.service.js';

/** The operations on the organization's own providers. */
@Controller('private-providers')
@ManagedByFiles('private_providers')
@ApiTags('Private models')
@Authenticated(['management_key'], 'catalog')
export class PrivateProvidersController {
  constructor(private readonly providers: PrivateProvidersService) {}

  @Post()
  @Operation({
    status: 201,
    type: CreatePrivateProviderResponse,
    hasEntityTag: true,
    summary: 'Create a private provider',
    description: "Registers a provider of the organization's own, which no other organization sees.",
    errors: [PrivateProviderExists, KeysOfOtherAddress, TooManyHostLookups],
  })
  createPrivateProvider(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: CreatePrivateProviderRequest,
    @ClientSignal() gone: AbortSignal,
  ) {
    return this.providers.create(caller, input, gone);
  }

  @Get()
  @Operation({
    type: ListPrivateProvidersResponse,
    summary: 'List private providers',
    description: "Lists the organization's own providers, oldest first.",
  })
  listPrivateProviders(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: PageQuery) {
    return this.providers.list(caller, input);
  }

  @Get(':slug')
  @Operation({
    type: GetPrivateProviderResponse,
    hasEntityTag: true,
    summary: 'Get a private provider',
    description: "Returns one of the organization's own providers.",
    errors: [PrivateProviderNotFound],
  })
  getPrivateProvider(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: PrivateProviderPath) {
    return this.providers.get(caller, input);
  }

  @Patch(':slug')
  @Operation({
    type: UpdatePrivateProviderResponse,
    hasEntityTag: true,
    summary: 'Update a private provider',
    description:
      'Changes the fields in the request; absent ones stay. The address stays while an active endpoint has it, and, but for its path, while there are provider keys.',
    errors: [PrivateProviderNotFound, PrivateEndpointActive, KeysOfOtherAddress, TooManyHostLookups],
  })
  updatePrivateProvider(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: PrivateProviderPath,
    @Body() body: UpdatePrivateProviderRequest,
    @ClientSignal() gone: AbortSignal,
    @IfMatch() precondition: Precondition,
  ) {
    return this.providers.update(caller, { ...body, ...path }, gone, precondition);
  }

  @Delete(':slug')
  @Operation({
    type: DeletePrivateProviderResponse,
    hasEntityTag: true,
    summary: 'Delete a private provider',
    description: 'Deletes a provider that neither endpoints nor provider keys name.',
    errors: [PrivateProviderNotFound, PrivateProviderInUse],
  })
  deletePrivateProvider(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: PrivateProviderPath,
    @IfMatch() precondition: Precondition,
  ) {
    return this.providers.delete(caller, input, precondition);
  }
}
