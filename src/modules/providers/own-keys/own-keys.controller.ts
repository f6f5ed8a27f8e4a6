import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { ManagedByFiles } from '../../../http/managed-objects/managed-objects.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { IfMatch, Precondition } from '../../../http/precondition.js';
import {
  BYOKKeyPath,
  BYOKKeyResponse,
  CreateBYOKKeyRequest,
  DeleteBYOKKeyResponse,
  ListBYOKKeysQuery,
  ListBYOKKeysResponse,
  UpdateBYOKKeyRequest,
} from './dto/byok-key.dto.js';
import { ProviderKeyNotFound } from './own-keys.errors.js';
import { OwnKeysService } from './own-keys.service.js';

/** The operations on the organizations' own keys for providers. */
@Controller('byok')
@ManagedByFiles('provider_keys')
@ApiTags('BYOK')
@Authenticated(['management_key'], 'byok')
export class OwnKeysController {
  constructor(private readonly keys: OwnKeysService) {}

  @Post()
  @Operation({
    status: 201,
    type: BYOKKeyResponse,
    hasEntityTag: true,
    summary: 'Create a provider key',
    description:
      "Stores the organization's own key for a provider, for the requests of a workspace. No response contains the key.",
  })
  createBYOKKey(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: CreateBYOKKeyRequest,
  ): Promise<BYOKKeyResponse> {
    return this.keys.create(caller, input);
  }

  @Get()
  @Operation({
    type: ListBYOKKeysResponse,
    summary: 'List provider keys',
    description: 'Lists the provider keys of a workspace, oldest first; by default those of the default workspace.',
  })
  listBYOKKeys(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Query() input: ListBYOKKeysQuery,
  ): Promise<ListBYOKKeysResponse> {
    return this.keys.list(caller, input);
  }

  @Get(':id')
  @Operation({
    type: BYOKKeyResponse,
    hasEntityTag: true,
    summary: 'Get a provider key',
    description: 'Returns a provider key, masked.',
    errors: [ProviderKeyNotFound],
  })
  getBYOKKey(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: BYOKKeyPath): Promise<BYOKKeyResponse> {
    return this.keys.get(caller, input);
  }

  @Patch(':id')
  @Operation({
    type: BYOKKeyResponse,
    hasEntityTag: true,
    summary: 'Update a provider key',
    description: 'Changes the fields in the request; absent ones stay. Provider and workspace cannot be changed.',
    errors: [ProviderKeyNotFound],
  })
  updateBYOKKey(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: BYOKKeyPath,
    @Body() body: UpdateBYOKKeyRequest,
    @IfMatch() precondition: Precondition,
  ): Promise<BYOKKeyResponse> {
    return this.keys.update(caller, { ...body, ...path }, precondition);
  }

  @Delete(':id')
  @Operation({
    type: DeleteBYOKKeyResponse,
    hasEntityTag: true,
    summary: 'Delete a provider key',
    description: 'Deletes a provider key. Requests that begin from then on do not use it.',
    errors: [ProviderKeyNotFound],
  })
  deleteBYOKKey(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: BYOKKeyPath,
    @IfMatch() precondition: Precondition,
  ): Promise<DeleteBYOKKeyResponse> {
    return this.keys.delete(caller, input, precondition);
  }
}
