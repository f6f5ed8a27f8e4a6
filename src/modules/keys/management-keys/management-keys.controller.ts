import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { RecentSignInRequired } from '../../../http/errors/request.errors.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { IfMatch, Precondition } from '../../../http/precondition.js';
import { NamedPageQuery } from '../../../http/pagination/pagination.js';
import { KeyPath, RotateRequest } from '../dto/key.dto.js';
import {
  KeyAlreadyRotated,
  KeyNotFound,
  ManagementKeyEnabledByOwnerOnly,
  ManagementKeyNarrowsItselfOnly,
  ManagementKeyRotatesItselfOnly,
  ScopesOnlyNarrowed,
  TooManyKeyDeletions,
} from '../keys.errors.js';
import {
  CreateManagementKeyRequest,
  DeleteManagementKeyResponse,
  IssuedManagementKeyResponse,
  ListManagementKeysResponse,
  ManagementKeyResponse,
  UpdateManagementKeyRequest,
} from './management-key.dto.js';
import { ManagementKeysService } from './management-keys.service.js';

/** The operations on management keys. */
@Controller('management-keys')
@ApiTags('Management Keys')
@Authenticated(['management_key'], 'management_keys')
export class ManagementKeysController {
  constructor(private readonly keys: ManagementKeysService) {}

  @Post()
  @Operation({
    status: 201,
    type: IssuedManagementKeyResponse,
    hasEntityTag: true,
    summary: 'Create a management key',
    description:
      "Creates a management key of the caller, or of a service account. Only this response contains the key itself. `scopes` restrict it to some permissions within its owner's current role.",
    decidesIdentity: true,
  })
  createManagementKey(@CurrentPrincipal() caller: ManagementPrincipal, @Body() input: CreateManagementKeyRequest) {
    return this.keys.create(caller, input);
  }

  @Get()
  @Operation({
    type: ListManagementKeysResponse,
    summary: 'List management keys',
    description: 'Lists the management keys of the organization, oldest first, disabled and expired ones too.',
  })
  listManagementKeys(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: NamedPageQuery) {
    return this.keys.list(caller, input);
  }

  @Get(':hash')
  @Operation({
    type: ManagementKeyResponse,
    hasEntityTag: true,
    summary: 'Get a management key',
    description: 'Returns a management key. During the grace period of a rotation the old hash also finds it.',
    errors: [KeyNotFound],
  })
  getManagementKey(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: KeyPath) {
    return this.keys.get(caller, input);
  }

  @Patch(':hash')
  @Operation({
    type: ManagementKeyResponse,
    hasEntityTag: true,
    summary: 'Restrict a management key',
    description:
      'Changes the fields in the request; absent fields stay. Scopes can be narrowed and never widened. A key can be changed by one that has all of its permissions; it cannot free itself from addresses that it is bound to, and only its owner can enable it again.',
    errors: [KeyNotFound, ScopesOnlyNarrowed, ManagementKeyNarrowsItselfOnly, ManagementKeyEnabledByOwnerOnly],
  })
  updateManagementKey(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: KeyPath,
    @Body() body: UpdateManagementKeyRequest,
    @IfMatch() precondition: Precondition,
  ) {
    return this.keys.update(caller, { ...body, ...path }, precondition);
  }

  @Delete(':hash')
  @Operation({
    type: DeleteManagementKeyResponse,
    hasEntityTag: true,
    summary: 'Revoke a management key',
    description:
      'Deletes a management key, also that of the request. Deletions are limited per credential; a 429 says in Retry-After when to try again.',
    errors: [KeyNotFound, TooManyKeyDeletions],
  })
  deleteManagementKey(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: KeyPath,
    @IfMatch() precondition: Precondition,
  ) {
    return this.keys.delete(caller, input, precondition);
  }

  @Post(':hash/rotate')
  @Operation({
    status: 201,
    type: IssuedManagementKeyResponse,
    hasEntityTag: true,
    optionalBody: true,
    summary: 'Rotate the secret of a management key',
    description:
      'Gives a management key of the same owner a new secret; scopes and addresses stay. The old secret is accepted until the grace period ends. A person needs to have signed in within the last 15 minutes.',
    errors: [KeyNotFound, KeyAlreadyRotated, ManagementKeyRotatesItselfOnly, RecentSignInRequired],
  })
  rotateManagementKey(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: KeyPath,
    @Body() body: RotateRequest,
  ) {
    return this.keys.rotate(caller, { ...body, ...path });
  }
}
