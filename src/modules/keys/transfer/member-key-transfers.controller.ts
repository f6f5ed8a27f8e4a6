import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { AlsoChanges } from '../../../http/managed-objects/managed-objects.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { MemberEnded, OrganizationMemberNotFound } from '../../organizations/organizations.errors.js';
import { FormerOwnerPath, TransferKeyRequest, TransferredKeysResponse } from './key-transfer.dto.js';
import { KeyTransfersService } from './key-transfers.service.js';
import { KeysOfMember } from './keys-of-member.js';

/** The operation that gives all keys of a member another owner. */
@Controller('organization/members')
@ApiTags('Organization')
export class MemberKeyTransfersController {
  constructor(private readonly transfers: KeyTransfersService) {}

  @Post(':id/transfer-keys')
  @AlsoChanges(KeysOfMember)
  @Authenticated(['management_key'], 'organization_members_write')
  @Operation({
    type: TransferredKeysResponse,
    summary: 'Transfer the keys of a member to another',
    description:
      'Gives all API keys of a member another owner, an active member, as `transferKey` does with one: all of them or none. Management keys stay, and so do keys of a member who has ended.',
    errors: [OrganizationMemberNotFound, MemberEnded],
  })
  transferMemberKeys(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: FormerOwnerPath,
    @Body() body: TransferKeyRequest,
  ) {
    return this.transfers.transferOfMember(caller, { ...body, ...path });
  }
}
