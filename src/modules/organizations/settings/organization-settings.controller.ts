import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { OrganizationSettingsResponse, UpdateOrganizationSettingsRequest } from './organization-settings.dto.js';
import { OrganizationSettingsService } from './organization-settings.service.js';

/** The operations on the settings of the caller's organization. */
@Controller('organization/settings')
@ApiTags('Organization')
@Authenticated(['management_key'], 'settings')
export class OrganizationSettingsController {
  constructor(private readonly settings: OrganizationSettingsService) {}

  @Get()
  @Operation({
    type: OrganizationSettingsResponse,
    summary: 'Get the settings of the organization',
    description: 'Returns the settings of the organization.',
  })
  getOrganizationSettings(@CurrentPrincipal() caller: ManagementPrincipal) {
    return this.settings.get(caller);
  }

  @Patch()
  @Operation({
    type: OrganizationSettingsResponse,
    summary: 'Update the settings of the organization',
    description:
      'Changes the fields in the request; absent ones stay. Keys of members who are deactivated follow the setting about them in the same transaction.',
  })
  updateOrganizationSettings(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: UpdateOrganizationSettingsRequest,
  ) {
    return this.settings.update(caller, input);
  }
}
