import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { ListBudgetsQuery, ListBudgetsResponse } from './budget-state.dto.js';
import { BudgetStatesService } from './budget-states.service.js';

/** What has become of the budgets of workspaces. */
@Controller('budgets')
@ApiTags('Workspaces')
export class BudgetStatesController {
  constructor(private readonly budgets: BudgetStatesService) {}

  @Get()
  @Authenticated(['management_key'], 'workspaces_read')
  @Operation({
    type: ListBudgetsResponse,
    summary: 'List the budgets of all workspaces',
    description:
      'Lists the budgets of all workspaces with what is spent, reserved and left in the present window, and a forecast; the budgets first of which the largest share is used.',
  })
  listBudgets(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Query() query: ListBudgetsQuery,
  ): Promise<ListBudgetsResponse> {
    return this.budgets.list(caller, query);
  }
}
