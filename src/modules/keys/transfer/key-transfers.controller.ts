import { Body, Controller, Param, Post, RequestMethod } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { ManagedByFiles } from '../../../http/managed-objects/managed-objects.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { MemberEnded } from '../../organizations/organizations.errors.js';
import { KeyPath, KeyResponse } from '../dto/key.dto.js';
import { KeyNotFound, ManagementKeyNotTransferable } from '../keys.errors.js';
import { TransferKeyRequest } from './key-transfer.dto.js';
import { KeyTransfersService } from './key-transfers.service.js';

/** The operation that gives keys another owner. */
@Controller('keys')
@ManagedByFiles('keys', { changedBy: [RequestMethod.POST] })
@ApiTags('API Keys')
export class KeyTransfersController {
  constructor(private readonly transfers: KeyTransfersService) {}

  @Post(':hash/transfer')
  @Authenticated(['management_key'], 'organization_members_write')
  @Operation({
    type: KeyResponse,
    summary: 'Transfer a key to another member',
    description:
      'Gives an API key another owner, an active member. The secret, the limits, the workspace and what was spent stay with the key; each record stays with whom the key belonged to when it was made. A suspension because the former owner is deactivated ends. Management keys cannot be transferred, nor keys of a member who has ended.',
    errors: [KeyNotFound, ManagementKeyNotTransferable, MemberEnded],
  })
  transferKey(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: KeyPath,
    @Body() body: TransferKeyRequest,
  ) {
    return this.transfers.transfer(caller, { ...body, ...path });
  }
}
