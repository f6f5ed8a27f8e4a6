import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, KeepsToOwn } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { INVALID_CURSOR } from '../generations.errors.js';
import { ListGenerationsQuery, ListGenerationsResponse } from './generation-list.dto.js';
import { GenerationListService } from './generation-list.service.js';

/** The list of the records of inference requests. */
@Controller('generations')
@ApiTags('Generations')
export class GenerationListController {
  constructor(private readonly generations: GenerationListService) {}

  @Get()
  @Authenticated(['management_key'], 'usage_read')
  @KeepsToOwn()
  @Operation({
    type: ListGenerationsResponse,
    summary: 'List the records of inference requests',
    description:
      'Lists what requests used and cost, and how they were answered or refused, latest first. Pages go on behind `next_cursor`: a page looks at 5,000 records at most, so with filters it may have fewer than `limit` although there are more.',
    errors: [INVALID_CURSOR],
  })
  listGenerations(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Query() query: ListGenerationsQuery,
  ): Promise<ListGenerationsResponse> {
    return this.generations.list(caller, query);
  }
}
