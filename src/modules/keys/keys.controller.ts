import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, KeepsToOwn } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ClientPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { ManagedByFiles } from '../../http/managed-objects/managed-objects.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { IfMatch, Precondition } from '../../http/precondition.js';
import {
  CreateKeyRequest,
  DeleteKeysResponse,
  IssuedKeyResponse,
  KeyPath,
  KeyResponse,
  ListKeysQuery,
  ListKeysResponse,
  RotateRequest,
  UpdateKeyRequest,
} from './dto/key.dto.js';
import { KeysService } from './keys.service.js';
import {
  ExternalApiKeyTaken,
  KeyAlreadyRotated,
  KeyNotFound,
  ManagementKeyEnabledByOwnerOnly,
  ManagementKeyNarrowsItselfOnly,
  ManagementKeyRotatesItselfOnly,
  TooManyKeyDeletions,
} from './keys.errors.js';

/** The operations on API keys. */
@Controller('keys')
@ManagedByFiles('keys')
@ApiTags('API Keys')
@Authenticated(['management_key'], 'keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Post()
  @KeepsToOwn()
  @Operation({
    status: 201,
    type: IssuedKeyResponse,
    hasEntityTag: true,
    summary: 'Create an API key',
    description:
      'Creates an API key. Only this response contains the key itself; `label` is its masked form. A secret in `external.api_key` is accepted in addition, and no response contains it.',
    errors: [ExternalApiKeyTaken],
  })
  createKeys(@CurrentPrincipal() caller: ManagementPrincipal, @Body() input: CreateKeyRequest) {
    return this.keys.create(caller, input);
  }

  @Get()
  @KeepsToOwn()
  @Operation({
    type: ListKeysResponse,
    summary: 'List API keys',
    description:
      'Lists API keys, oldest first. Disabled keys are included on request, expired keys always. Management keys are not listed.',
  })
  list(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: ListKeysQuery) {
    return this.keys.list(caller, input);
  }

  @Get(':hash')
  @KeepsToOwn()
  @Operation({
    type: KeyResponse,
    hasEntityTag: true,
    summary: 'Get an API key',
    description: 'Returns a key. During the grace period of a rotation the old hash also finds it.',
    errors: [KeyNotFound],
  })
  getKey(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: KeyPath) {
    return this.keys.get(caller, input);
  }

  @Patch(':hash')
  @KeepsToOwn()
  @Operation({
    type: KeyResponse,
    hasEntityTag: true,
    summary: 'Update an API key',
    description:
      'Changes the fields in the request; absent fields stay. A management key can disable itself. Only a management key of the same user can enable a disabled management key.',
    errors: [KeyNotFound, ManagementKeyEnabledByOwnerOnly, ManagementKeyNarrowsItselfOnly],
  })
  updateKeys(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: KeyPath,
    @Body() body: UpdateKeyRequest,
    @IfMatch() precondition: Precondition,
  ) {
    return this.keys.update(caller, { ...body, ...path }, precondition);
  }

  @Delete(':hash')
  @KeepsToOwn()
  @Authenticated(['management_key', 'client_secret'], 'keys_write')
  @Operation({
    type: DeleteKeysResponse,
    hasEntityTag: true,
    summary: 'Delete an API key',
    description:
      'Deletes a key. With a client secret, only keys that the client created; all others are a 404. Deletions are limited per credential; a 429 says in Retry-After when to try again.',
    unavailableStatus: 500,
    errors: [KeyNotFound, TooManyKeyDeletions],
  })
  deleteKeys(
    @CurrentPrincipal() caller: ManagementPrincipal | ClientPrincipal,
    @Param() input: KeyPath,
    @IfMatch() precondition: Precondition,
  ) {
    return this.keys.delete(caller, input, precondition);
  }

  @Post(':hash/rotate')
  @KeepsToOwn()
  @Operation({
    status: 201,
    type: IssuedKeyResponse,
    hasEntityTag: true,
    optionalBody: true,
    summary: 'Rotate the secret of a key',
    description:
      'Gives the key a new secret. `hash` and `label` change, everything else stays. The old secret is accepted until the grace period ends; another rotation ends it earlier, because a key has at most two secrets. The secret of a management key can only be rotated with that key. A hash that was already replaced is a 409.',
    errors: [KeyNotFound, KeyAlreadyRotated, ManagementKeyRotatesItselfOnly],
  })
  rotateKey(@CurrentPrincipal() caller: ManagementPrincipal, @Param() path: KeyPath, @Body() body: RotateRequest) {
    return this.keys.rotate(caller, { ...body, ...path });
  }
}
