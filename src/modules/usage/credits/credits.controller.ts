import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { CreditsService } from './credits.service.js';
import { CreditsResponse } from './dto/credits.dto.js';

/** What may be spent, and what was. */
@Controller('credits')
@ApiTags('Credits')
export class CreditsController {
  constructor(private readonly credits: CreditsService) {}

  @Get()
  @Authenticated(['management_key'], 'usage_read')
  @Operation({
    type: CreditsResponse,
    summary: 'Get credits and usage',
    description:
      "Returns the sum of the workspaces' lifetime budgets, and what the organization has spent since it was created.",
  })
  getCredits(@CurrentPrincipal() caller: ManagementPrincipal): Promise<CreditsResponse> {
    return this.credits.get(caller);
  }
}
